/** Whether the browser reports a network connection; for useSyncExternalStore. */
export function isOnline(): boolean {
  return navigator.onLine
}

export function onConnectionChange(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}
