/**
 * Lets one tab of this browser at a time keep a collection on the device: two would write over each other. Without the browser's locks
 * every tab may, and whoever finds another's stamp writes everything anew.
 */
export function holdLock(name: string, granted: () => void): () => void {
  if (!navigator.locks) {
    granted()
    return () => {}
  }
  const waiting = new AbortController()
  const held = Promise.withResolvers<void>()
  const hold = () => {
    granted()
    return held.promise
  }
  // Rejects when it is let go of before it was granted.
  navigator.locks.request(name, { signal: waiting.signal }, hold).catch(() => {})
  return () => {
    waiting.abort()
    held.resolve()
  }
}
