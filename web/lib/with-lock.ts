/**
 * Runs `run` in one tab at a time; the other tabs wait. Aborting the signal stops waiting for the lock. Without Web Locks every tab runs
 * at once.
 */
export async function withLock(name: string, run: () => Promise<void>, signal?: AbortSignal): Promise<void> {
  if (!navigator.locks) return run()
  let granted = false
  const running = navigator.locks.request(name, signal ? { signal } : {}, () => {
    granted = true
    return run()
  })
  await running.catch((error: unknown) => {
    if (granted || !signal?.aborted) throw error
  })
}

/** Runs `granted` once this tab has the lock, and keeps the lock until the signal aborts. */
export async function holdLock(name: string, signal: AbortSignal, granted: () => Promise<void> | void): Promise<void> {
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  const hold = async () => {
    if (signal.aborted) return
    await granted()
    await aborted
  }
  await withLock(name, hold, signal).catch(() => {})
}
