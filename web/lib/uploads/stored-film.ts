import type { FilmFile } from './film-parts.ts'
import { NotLoaded } from './not-loaded.ts'

/** Bytes of one request. */
const CHUNK = 1024 * 1024
/** Requests for one film: its tables and one picture are less, and a damaged one must not be fetched whole. */
const MOST = 48

/** A film on the server, of which only the parts are fetched that are read. */
export interface StoredFilm extends FilmFile {
  /** Why a part could not be fetched, after which what was read of the film says nothing. */
  failure(): Error | null
}

/** `url` is that of the original, `size` in bytes. `onPart` is called for each part that has come. */
export function storedFilm(url: string, size: number, onPart: () => void): StoredFilm {
  const chunks = new Map<number, Promise<ArrayBuffer>>()
  let failure: Error | null = null

  function chunk(nth: number): Promise<ArrayBuffer> {
    const known = chunks.get(nth)
    if (known) return known
    if (chunks.size >= MOST) return Promise.reject(new Error('Too much of the film would be fetched'))
    const from = nth * CHUNK
    const fetched = fetchRange(url, from, Math.min(from + CHUNK, size)).catch((error: unknown) => {
      failure = new NotLoaded()
      throw error
    })
    chunks.set(nth, fetched)
    fetched.then(onPart, () => {})
    return fetched
  }

  async function read(from: number, to: number): Promise<ArrayBuffer> {
    const end = Math.min(to, size)
    const bytes = new Uint8Array(Math.max(0, end - from))
    const wanted: number[] = []
    for (let nth = Math.floor(from / CHUNK); nth * CHUNK < end; nth++) wanted.push(nth)
    if (wanted.length > MOST) throw new Error('Too much of the film would be fetched')
    const found = await Promise.all(wanted.map(async (nth) => ({ start: nth * CHUNK, part: new Uint8Array(await chunk(nth)) })))
    for (const { start, part } of found) {
      const skipped = Math.max(0, from - start)
      bytes.set(part.subarray(skipped, end - start), start + skipped - from)
    }
    return bytes.buffer
  }

  return { size, slice: (from, to) => ({ arrayBuffer: () => read(from, to) }), failure: () => failure }
}

/** The bytes from `from` up to `to`. */
async function fetchRange(url: string, from: number, to: number): Promise<ArrayBuffer> {
  const answer = await fetch(url, { headers: { range: `bytes=${from}-${to - 1}` }, credentials: 'same-origin', cache: 'no-store' })
  if (answer.status !== 206) {
    await answer.body?.cancel()
    throw new Error(`The film was not sent in parts: ${answer.status}`)
  }
  const bytes = await answer.arrayBuffer()
  if (bytes.byteLength !== to - from) throw new Error('The part has another length')
  return bytes
}
