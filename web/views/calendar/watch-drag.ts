/** Pixels before a press becomes a drag. */
const SLACK = 5
/** Pixels from an edge within which the scroller scrolls, and by how many per frame. */
const ZONE = 36
const FASTEST = 12

interface Drag {
  /** Scrolls while the pointer is near its upper or lower edge. */
  scroller: HTMLElement | null
  /** Called with the pointer's position, also when the element below it has moved. */
  onOver: (x: number, y: number) => void
  /** Called once, whether or not it was dropped on a target. */
  onEnd: (dropped: boolean) => void
}

/** Follows a pressed pointer until it is released, or until Esc. */
export function watchDrag(press: { clientX: number; clientY: number }, { scroller, onOver, onEnd }: Drag): void {
  let { clientX: x, clientY: y } = press
  let going = false
  let frame = 0
  const listening = new AbortController()
  const on = <K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void) =>
    addEventListener(type, listener, { signal: listening.signal, capture: true })
  const scroll = () => {
    if (scroller) scroller.scrollTop += pull(scroller, y) * FASTEST
    frame = requestAnimationFrame(scroll)
  }
  const end = (dropped: boolean) => {
    listening.abort()
    cancelAnimationFrame(frame)
    delete document.documentElement.dataset.dragging
    onEnd(dropped && going)
  }
  on('pointermove', (event) => {
    if (!going && Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) < SLACK) return
    x = event.clientX
    y = event.clientY
    if (!going) {
      going = true
      document.documentElement.dataset.dragging = ''
      scroll()
    }
    onOver(x, y)
  })
  on('scroll', () => going && onOver(x, y))
  on('pointerup', () => {
    if (going) swallowClick()
    end(true)
  })
  on('pointercancel', () => end(false))
  on('keydown', (key) => {
    if (key.key !== 'Escape') return
    key.stopPropagation()
    // The button is still down.
    if (going) addEventListener('pointerup', swallowClick, { capture: true, once: true })
    end(false)
  })
}

/** Scroll speed from -1 to 1. Above the upper edge there may be a drop target. */
function pull(scroller: HTMLElement, y: number): number {
  const { top, bottom } = scroller.getBoundingClientRect()
  if (y < top) return 0
  return Math.min(1, Math.max(0, (y - bottom + ZONE) / ZONE)) - Math.max(0, (top + ZONE - y) / ZONE)
}

/** Releasing over the dragged element itself is not a click. */
function swallowClick() {
  const stop = (event: MouseEvent) => {
    event.stopPropagation()
    event.preventDefault()
  }
  addEventListener('click', stop, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', stop, { capture: true }))
}
