/** Milliseconds that must be free for something that may take as long. */
const QUIET = 30

/** Runs once the page has nothing else to do for a while, however long it takes until then. */
export function whenQuiet(run: () => void): void {
  // Safari has no idle callback.
  if (typeof requestIdleCallback !== 'function') setTimeout(run, 500)
  else requestIdleCallback((deadline) => (deadline.timeRemaining() < QUIET ? whenQuiet(run) : run()))
}

/** Runs in a quiet moment, at the latest some seconds from now. */
export function whenIdle(run: () => void): void {
  // Safari has no idle callback.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: 5000 })
  else setTimeout(run, 2000)
}
