/** Milliseconds of a still finger that tick instead of opening, and pixels by which it may tremble. */
const LONG_PRESS = 450
const SLACK = 8

interface Pressing {
  onLongPress: () => void
  /** The finger has moved on or left before. */
  onEnded: () => void
}

/**
 * Waits for a finger to be held still. It listens to the window, since what was pressed may leave the page while that still glides, and
 * the pointer then belongs to whatever is under it. Returns how to give up.
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
