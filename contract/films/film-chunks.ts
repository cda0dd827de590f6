import type { FilmFile } from './film-parts.ts'

/** Bytes that are read at once. */
const CHUNK = 1024 * 1024
/** A film that is made of tiny parts must not keep its reader busy. */
const MAX_READS = 50_000

interface Chunks {
  /** In bytes. */
  size: number
  /** How many are read, and kept: headers, tables and one picture are less, and a damaged film must not be read whole. */
  most: number
  /** The bytes from `from` up to `to`. */
  load(from: number, to: number): Promise<ArrayBuffer>
}

/** A film on the server, of which only the chunks of 1 MiB are loaded that are read. */
export function filmInChunks({ size, most, load }: Chunks): FilmFile {
  const chunks = new Map<number, Promise<ArrayBuffer>>()
  let reads = 0

  function chunk(nth: number): Promise<ArrayBuffer> {
    const known = chunks.get(nth)
    if (known) return known
    if (chunks.size >= most) return Promise.reject(new Error('Too much of the film would be read'))
    const loaded = load(nth * CHUNK, Math.min((nth + 1) * CHUNK, size))
    chunks.set(nth, loaded)
    return loaded
  }

  async function read(from: number, to: number): Promise<ArrayBuffer> {
    const end = Math.min(to, size)
    if (++reads > MAX_READS || end - from > most * CHUNK) throw new Error('Too much of the film would be read')
    const bytes = new Uint8Array(Math.max(0, end - from))
    const wanted: number[] = []
    for (let nth = Math.floor(from / CHUNK); nth * CHUNK < end; nth++) wanted.push(nth)
    const found = await Promise.all(wanted.map(async (nth) => ({ start: nth * CHUNK, part: new Uint8Array(await chunk(nth)) })))
    for (const { start, part } of found) {
      const skipped = Math.max(0, from - start)
      bytes.set(part.subarray(skipped, end - start), start + skipped - from)
    }
    return bytes.buffer
  }

  return { size, slice: (from, to) => ({ arrayBuffer: () => read(from, to) }) }
}
