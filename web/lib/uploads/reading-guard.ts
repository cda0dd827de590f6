import { readLocal, writeLocal } from '../storage.ts'

/** Sizes in bytes of the files being read, one entry per reading. Entries left over when a page starts are from a page that crashed. */
const KEY = 'files-being-read'
const MAX_CRASHES = 2

const sizes = () => (readLocal(KEY) ?? '').split(' ').filter(Boolean)
const store = (all: readonly string[]) => writeLocal(KEY, all.join(' ') || null)

/**
 * Tells whether the page crashed twice while it read this file: a damaged one can take all memory, and the queue would begin with it again and
 * again. `begin` when reading begins, `end` when the file is through. A page that is closed, reloaded or hidden has not crashed: phones end hidden ones.
 */
export function guardReading({ size }: Pick<Blob, 'size'>) {
  const own = String(size)
  const over = new AbortController()
  return {
    crashes: sizes().filter((other) => other === own).length >= MAX_CRASHES,
    begin() {
      store([...sizes(), own])
      const forget = () => {
        over.abort()
        store(sizes().toSpliced(sizes().lastIndexOf(own), 1))
      }
      addEventListener('pagehide', forget, { signal: over.signal })
      document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && forget(), { signal: over.signal })
    },
    end() {
      over.abort()
      store(sizes().filter((other) => other !== own))
    },
  }
}
