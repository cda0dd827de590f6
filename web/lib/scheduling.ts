/** Milliseconds; a tab in the background never paints. */
const PAINT_TIMEOUT = 200

/** Resolves once the last render is on the screen. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, PAINT_TIMEOUT)
  })
}

const IDLE_TIMEOUT = 5_000

/**
 * Runs when the page is idle, after 5 seconds at the latest. With `free`, waits until that many milliseconds are free, however long that
 * takes.
 */
export function whenIdle(run: () => void, free = 0): void {
  // Safari has no idle callback.
  if (typeof requestIdleCallback !== 'function') setTimeout(run, 500)
  else requestIdleCallback((deadline) => (deadline.timeRemaining() < free ? whenIdle(run, free) : run()), { timeout: IDLE_TIMEOUT })
}

/** Lets the page paint and handle events before work continues. */
export function yieldToMain(): Promise<void> {
  // Safari has no scheduler.
  if ('scheduler' in globalThis && 'yield' in scheduler) return scheduler.yield()
  return new Promise((resolve) => setTimeout(resolve))
}

/** Resolves after so many milliseconds. */
export function sleep(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(resolve, ms, null))
}

/** Runs once after `ms`. Returns a function that cancels it. */
export function setTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
