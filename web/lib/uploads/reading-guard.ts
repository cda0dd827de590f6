import { readLocal, writeLocal } from '../storage.ts'

/** Sizes in bytes of the files that are being read, one for each time. What stands there when a page begins was being read when a page crashed. */
const KEY = 'files-being-read'
const MAX_CRASHES = 2

const sizes = () => (readLocal(KEY) ?? '').split(' ').filter(Boolean)
const store = (all: readonly string[]) => writeLocal(KEY, all.join(' ') || null)

/**
 * Tells whether the page crashed twice while it read this file: a damaged one can take all memory, and the queue would begin with it again and
 * again. `begin` when reading begins, `end` when the file is through. A page that is closed or reloaded has not crashed.
 */
export function guardReading({ size }: Blob) {
  const own = String(size)
  const over = new AbortController()
  return {
    crashes: sizes().filter((other) => other === own).length >= MAX_CRASHES,
    begin() {
      store([...sizes(), own])
      addEventListener('pagehide', () => store(sizes().toSpliced(sizes().lastIndexOf(own), 1)), { signal: over.signal, once: true })
    },
    end() {
      over.abort()
      store(sizes().filter((other) => other !== own))
    },
  }
}
