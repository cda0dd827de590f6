import { readLocal, writeLocal } from '../storage.ts'

/** Sizes of the films that are being read, in bytes, one for each try. What stands there when a page begins was cut short. */
const KEY = 'films-being-read'
const MOST_TRIES = 2

const sizes = () => (readLocal(KEY) ?? '').split(' ').filter(Boolean)

/**
 * Runs `read` with false if the page ended twice while it read this film: a damaged one can take all memory, and the queue would begin with
 * it again and again.
 */
export async function tryFilm<T>({ size }: Blob, read: (whole: boolean) => Promise<T>): Promise<T> {
  const own = String(size)
  const before = sizes()
  writeLocal(KEY, [...before, own].join(' '))
  try {
    return await read(before.filter((other) => other === own).length < MOST_TRIES)
  } finally {
    writeLocal(
      KEY,
      sizes()
        .filter((other) => other !== own)
        .join(' ') || null,
    )
  }
}
