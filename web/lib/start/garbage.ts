import { whenQuiet } from '../idle.ts'

/** Pictures that have gone since garbage was collected: letting go of so many takes the browser some 10 ms. */
const MANY = 200
/** Milliseconds in which none has gone: whoever scrolled has come to rest. */
const REST = 1_000
/** Bytes that are asked for and left at once, and how often. They are never filled, so they are of no memory. */
const CHUNK = 32 * 2 ** 20
const TIMES = 6

let gone = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** A picture has left the page. After many have, what the browser still holds of them is let go of while nobody scrolls (docs/decisions/028). */
export function pictureGone(): void {
  gone++
  // Safari, which has no quiet moments, has its own mind in this, too.
  if (gone >= MANY && timer === undefined && typeof requestIdleCallback === 'function') waitForRest()
}

function waitForRest(): void {
  const before = gone
  timer = setTimeout(() => {
    if (gone > before) return waitForRest()
    timer = undefined
    gone = 0
    provokeCollecting(TIMES)
  }, REST)
}

/**
 * Lets the browser collect garbage. Nothing can ask for it; but by how much is taken browsers judge when it is time, and otherwise that is
 * in the middle of the next scroll.
 */
function provokeCollecting(times: number): void {
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
