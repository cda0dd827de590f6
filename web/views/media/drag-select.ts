import type { Scroller } from '../../components/scroll/use-scroller.ts'

/** Distance in pixels from a covered edge within which a held finger scrolls, and pixels per frame. */
const ZONE = 64
const FASTEST = 14
/** The top bar of small screens and the heading of a day, in pixels. */
const TOP = 100

interface DragSelect {
  grid: HTMLElement
  scroller: Scroller | null
  /** Where the finger went down. */
  from: { pointerId: number; target: EventTarget; x: number; y: number }
  onOver: (element: Element | null) => void
}

/** Continues a selection with a finger after a long press: reports the tile under it, and scrolls while it is near an edge. */
export function startDragSelect({ grid, scroller, from, onOver }: DragSelect) {
  let { x, y } = from
  let frame = 0
  const step = () => {
    const [top, bottom] = clearOf(grid)
    const by = Math.min(1, overshoot(y, bottom - ZONE) / ZONE) - Math.min(1, overshoot(top + ZONE, y) / ZONE)
    if (by !== 0) scroller?.scrollTo(scroller.top() + by * FASTEST)
    onOver(document.elementFromPoint(x, Math.min(bottom - 1, Math.max(top, y))))
    frame = requestAnimationFrame(step)
  }
  // The pressed tile may be unmounted on the way; it still receives the touch events, and the grid the pointer events.
  const preventScroll = (event: Event) => event.preventDefault()
  from.target.addEventListener('touchmove', preventScroll, { passive: false })
  grid.setPointerCapture(from.pointerId)
  step()
  return {
    move(event: { clientX: number; clientY: number }) {
      x = event.clientX
      y = event.clientY
    },
    stop() {
      cancelAnimationFrame(frame)
      from.target.removeEventListener('touchmove', preventScroll)
    },
  }
}

const overshoot = (value: number, limit: number) => Math.max(0, value - limit)

/** The part of the grid that no bar covers, as top and bottom on the screen. */
function clearOf(grid: HTMLElement): [number, number] {
  const main = grid.closest('main')
  return [TOP, innerHeight - (main ? Number.parseFloat(getComputedStyle(main).paddingBottom) : 0)]
}
