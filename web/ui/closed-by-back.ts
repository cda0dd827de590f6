import { useEffect, useEffectEvent } from 'react'

// Not among TypeScript's own types yet.
declare class CloseWatcher extends EventTarget {
  requestClose(): void
  destroy(): void
}

/**
 * Back on an Android phone closes what is open, not the page below it. Only there: on other devices Back is the browser's alone, and Esc, which
 * browsers count as a request to close as well, belongs to the focused element.
 */
export function useClosedByBack(open: boolean, close: () => void): void {
  const onBack = useEffectEvent(close)
  useEffect(() => {
    if (!open || !('CloseWatcher' in window) || !matchMedia('(pointer: coarse)').matches) return
    const watcher = new CloseWatcher()
    // Prevented, since a dialog may ask first and stay open. A browser that does not allow that closes the watcher alone.
    watcher.addEventListener('cancel', (event) => {
      if (!event.cancelable) return
      event.preventDefault()
      onBack()
    })
    watcher.addEventListener('close', () => onBack())
    return () => watcher.destroy()
  }, [open])
}
