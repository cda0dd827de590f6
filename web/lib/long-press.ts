/** Milliseconds a finger must rest to select instead of open, and pixels it may move meanwhile. */
const LONG_PRESS = 450
const SLACK = 8

interface Pressing {
  onLongPress: () => void
  /** The finger moved or was lifted too early. */
  onEnded: () => void
}

/**
 * Waits for a long press. Listens on the window: the pressed element may leave the page while it still scrolls, and the pointer then
 * belongs to the element under it. Returns a function that cancels.
 */
export function awaitLongPress({ clientX, clientY }: { clientX: number; clientY: number }, { onLongPress, onEnded }: Pressing): () => void {
  const waiting = new AbortController()
  const stop = () => {
    clearTimeout(timer)
    waiting.abort()
  }
  const end = () => {
    stop()
    onEnded()
  }
  const move = (event: PointerEvent) => {
    if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > SLACK) end()
  }
  const timer = setTimeout(() => {
    stop()
    onLongPress()
  }, LONG_PRESS)
  const options = { capture: true, signal: waiting.signal }
  addEventListener('pointermove', move, options)
  addEventListener('pointerup', end, options)
  addEventListener('pointercancel', end, options)
  return stop
}
