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

interface Holding {
  onHeld: () => void
  /** The finger moved, was lifted, or is no longer the only one, also before it has rested long enough. */
  onEnded: () => void
}

/** Follows a finger that rests until it does not. Moving it, or a second one, is a swipe or a pinch. Returns a function that ends it. */
export function followHold({ clientX, clientY }: { clientX: number; clientY: number }, { onHeld, onEnded }: Holding): () => void {
  const holding = new AbortController()
  const { signal } = holding
  const end = () => {
    if (signal.aborted) return
    stop()
    holding.abort()
    onEnded()
  }
  const stop = awaitLongPress({ clientX, clientY }, { onLongPress: onHeld, onEnded: end })
  const move = (event: PointerEvent) => {
    if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > SLACK) end()
  }
  const options = { capture: true, signal }
  addEventListener('pointermove', move, options)
  // What a browser offers for a picture on which a finger rests.
  addEventListener('contextmenu', (event) => event.preventDefault(), options)
  for (const type of ['pointerdown', 'pointerup', 'pointercancel', 'blur']) addEventListener(type, end, options)
  return end
}
