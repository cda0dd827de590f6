import { type MouseEvent, type PointerEvent, useRef, useState } from 'react'

/** Pixels that a pointer moves before a drag starts. */
const SLACK = 8

/** Sorting by drag: the element under the pointer gives the target index. `data-sort` on each element is its index. */
export function useSorting(move: (from: number, to: number) => void) {
  const start = useRef<{ x: number; y: number; at: number; moving: boolean } | null>(null)
  const [dragged, setDragged] = useState<number | null>(null)
  // The click that ends a drag must not select.
  const dropped = useRef(false)
  const end = () => {
    dropped.current = start.current?.moving ?? false
    start.current = null
    setDragged(null)
  }
  return {
    dragged,
    handlers: (index: number) => ({
      'data-sort': index,
      onPointerDown(event: PointerEvent) {
        dropped.current = false
        if (event.button === 0) start.current = { x: event.clientX, y: event.clientY, at: index, moving: false }
      },
      onPointerMove(event: PointerEvent) {
        const drag = start.current
        if (!drag) return
        if (!drag.moving) {
          if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLACK) return
          drag.moving = true
          setDragged(drag.at)
          if (event.currentTarget instanceof Element) event.currentTarget.setPointerCapture(event.pointerId)
        }
        const over = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-sort]')
        const to = over instanceof HTMLElement ? Number(over.dataset.sort) : drag.at
        if (to === drag.at) return
        move(drag.at, to)
        drag.at = to
        setDragged(to)
      },
      onPointerUp: end,
      onPointerCancel: end,
      onClickCapture(event: MouseEvent) {
        if (dropped.current) event.stopPropagation()
        dropped.current = false
      },
    }),
  }
}

/** A list with one entry moved to another index. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.toSpliced(from, 1)
  return rest.toSpliced(Math.max(0, Math.min(rest.length, to)), 0, ...list.slice(from, from + 1))
}
