/** Runs in a quiet moment, at the latest some seconds from now. */
export function whenIdle(run: () => void): void {
  // Safari has no idle callback.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: 5000 })
  else setTimeout(run, 2000)
}
