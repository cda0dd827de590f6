/** Milliseconds within which something is painted; a tab in the background paints nothing. */
const PAINT_TIMEOUT = 200

/** Resolves when what has just been rendered is on the screen. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve))
    setTimeout(resolve, PAINT_TIMEOUT)
  })
}

const IDLE_TIMEOUT = 5_000

/**
 * Runs when the page is idle. With `free`, only when that many milliseconds are, however long it takes until then; without, after some
 * seconds at the latest.
 */
export function whenIdle(run: () => void, free = 0): void {
  // Safari has no idle callback.
  if (typeof requestIdleCallback !== 'function') setTimeout(run, 500)
  else requestIdleCallback((deadline) => (deadline.timeRemaining() < free ? whenIdle(run, free) : run()), { timeout: IDLE_TIMEOUT })
}

/** Lets the page paint and handle events before work goes on. */
export function yieldToMain(): Promise<void> {
  // Safari has no scheduler.
  if ('scheduler' in globalThis && 'yield' in scheduler) return scheduler.yield()
  return new Promise((resolve) => setTimeout(resolve))
}

/** Runs once after `ms`. Returns a function that cancels it. */
export function setTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
