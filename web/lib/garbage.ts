import { whenQuiet } from './idle.ts'

/** Bytes that are asked for and left at once, and how often. They are never filled, so they are of no memory. */
const CHUNK = 32 * 2 ** 20
const TIMES = 6

/**
 * Lets the browser collect garbage while nobody waits. Nothing can ask for it; but by how much is taken browsers judge when it is time, and
 * otherwise that is in the middle of the next scroll.
 */
export function provokeCollecting(times = TIMES): void {
  // Safari, which has no quiet moments, has its own mind in this, too.
  if (typeof requestIdleCallback !== 'function') return
  whenQuiet(() => {
    if (take() && times > 1) provokeCollecting(times - 1)
  })
}

function take(): boolean {
  try {
    return new ArrayBuffer(CHUNK).byteLength > 0
  } catch {
    // Where there is no room for it, garbage has been collected for want of it.
    return false
  }
}
