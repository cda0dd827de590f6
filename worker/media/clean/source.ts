/** Why a file is refused: `kind` means that nothing is known of its format, `broken` that it is not as its format demands. */
type Reason = 'kind' | 'broken'

/** The places in a file cannot be removed with certainty. */
export class Uncleanable extends Error {
  override name = 'Uncleanable'
  readonly reason: Reason
  constructor(reason: Reason = 'broken') {
    super(reason)
    this.reason = reason
  }
}

/** A file that is read in pieces. */
export interface Source {
  /** In bytes. */
  readonly size: number
  /** Bytes from `at` on, at least one and as many as are at hand. `at` is below `size`. */
  from(at: number): Promise<Uint8Array>
}

/** Bytes of a file that are in memory at once: more is no structure, but content. */
const MAX_READ = 16 * 1024 * 1024

/** Exactly `length` bytes. Throws Uncleanable if the file ends before. */
export async function read(source: Source, at: number, length: number): Promise<Uint8Array> {
  if (at < 0 || length < 0 || length > MAX_READ || at + length > source.size) throw new Uncleanable()
  if (length === 0) return new Uint8Array()
  const first = await source.from(at)
  if (first.length >= length) return first.subarray(0, length)
  const bytes = new Uint8Array(length)
  for (let [done, piece] = [0, first]; ; piece = await source.from(at + done)) {
    bytes.set(piece.subarray(0, length - done), done)
    done += piece.length
    if (done >= length) return bytes
  }
}

export const inMemory = (bytes: Uint8Array): Source => ({ size: bytes.length, from: async (at) => bytes.subarray(at) })

/** A part of a file as a file of its own. */
export function within(source: Source, start: number, end: number): Source {
  return { size: end - start, from: async (at) => (await source.from(start + at)).subarray(0, end - start - at) }
}

const BLOCK = 1024 * 1024
/** In memory at once: where the structure is, and what it points to. */
const BLOCKS = 4
/** A file that is made of tiny parts must not keep the worker busy. */
const MAX_STEPS = 500_000

/** Reads a file in blocks of a MiB. Throws Uncleanable for one of too many parts. */
export function inBlocks(size: number, load: (offset: number, length: number) => Promise<Uint8Array>): Source {
  const blocks = new Map<number, Uint8Array>()
  let steps = 0
  return {
    size,
    async from(at) {
      if (++steps > MAX_STEPS) throw new Uncleanable()
      const start = at - (at % BLOCK)
      let block = blocks.get(start)
      if (!block) {
        block = await load(start, Math.min(BLOCK, size - start))
        for (const oldest of blocks.keys()) {
          if (blocks.size < BLOCKS) break
          blocks.delete(oldest)
        }
        blocks.set(start, block)
      }
      if (at - start >= block.length) throw new Uncleanable()
      return block.subarray(at - start)
    },
  }
}

/** Arguments of one call. */
const MAX_ARGUMENTS = 8192

/** One character per byte: the decoder of that name makes others of 80 to 9F. */
export function textOf(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += MAX_ARGUMENTS) text += String.fromCharCode(...bytes.subarray(at, at + MAX_ARGUMENTS))
  return text
}

/** The opposite: characters up to U+00FF. */
export const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
