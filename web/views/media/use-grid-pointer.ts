import { type MouseEvent, type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { Scroller } from '../../components/scroll/use-scroller.ts'
import { awaitLongPress } from '../../lib/long-press.ts'
import { startDragSelect } from './drag-select.ts'
import type { GridSelection } from './use-grid-selection.ts'

interface Options {
  grid: RefObject<HTMLElement | null>
  scroller: Scroller | null
  selection: GridSelection
  open: (index: number) => void
}

function indexOf(target: EventTarget | null): number | null {
  const text = target instanceof Element ? target.closest<HTMLElement>('[data-index]')?.dataset.index : undefined
  return text === undefined ? null : Number(text)
}

/** Mouse and touch on the grid: hover, click, Shift-click, long press, and dragging over more tiles after it, beyond the screen. */
export function useGridPointer({ grid, scroller, selection, open }: Options) {
  const [hovered, setHovered] = useState<number | null>(null)
  const press = useRef<{ giveUp: () => void; drag?: ReturnType<typeof startDragSelect> } | null>(null)
  // The order changes while a finger is down.
  const latest = useRef(selection)
  latest.current = selection

  useEffect(() => {
    const element = grid.current
    // Only a non-passive listener can keep the page from scrolling during a drag.
    const preventScroll = (event: TouchEvent) => press.current?.drag && event.preventDefault()
    element?.addEventListener('touchmove', preventScroll, { passive: false })
    return () => element?.removeEventListener('touchmove', preventScroll)
  }, [grid])

  const release = useCallback(() => {
    press.current?.giveUp()
    press.current?.drag?.stop()
    press.current = null
  }, [])
  useEffect(() => release, [release])

  /** Selects the held tile, and then every tile that the finger reaches. */
  function selectByPress(index: number, from: Parameters<typeof startDragSelect>[0]['from']) {
    if (!press.current || !grid.current) return
    navigator.vibrate?.(10)
    const { selected, toggle, extend } = latest.current
    if (selected.size === 0) toggle(index)
    else extend(index)
    let last = index
    const onOver = (element: Element | null) => {
      const over = indexOf(element)
      if (over === null || over === last) return
      last = over
      latest.current.extend(over)
    }
    press.current.drag = startDragSelect({ grid: grid.current, scroller, from, onOver })
  }

  return {
    hovered,
    handlers: {
      onClick(event: MouseEvent) {
        const index = indexOf(event.target)
        if (index === null) return
        // The click that ends a long press must not undo it.
        if (press.current?.drag) return release()
        if (event.shiftKey && selection.selected.size > 0) selection.extend(index)
        else if (selection.selected.size > 0 || event.ctrlKey || event.metaKey) selection.toggle(index)
        else open(index)
      },
      onPointerDown(event: PointerEvent) {
        const index = indexOf(event.target)
        if (event.pointerType === 'mouse' || index === null) return
        release()
        const { pointerId, target, clientX: x, clientY: y } = event
        press.current = {
          giveUp: awaitLongPress(event, { onLongPress: () => selectByPress(index, { pointerId, target, x, y }), onEnded: release }),
        }
      },
      onPointerMove(event: PointerEvent) {
        if (event.pointerType === 'mouse') {
          const index = indexOf(event.target)
          setHovered(index)
          selection.setPreview(event.shiftKey ? index : null)
        } else press.current?.drag?.move(event)
      },
      onPointerUp() {
        // Kept a little longer for the click that may follow.
        press.current?.drag?.stop()
        if (press.current?.drag) setTimeout(release, 50)
        else release()
      },
      onPointerCancel: release,
      onPointerLeave() {
        setHovered(null)
        selection.setPreview(null)
      },
      onContextMenu(event: MouseEvent) {
        if (press.current) event.preventDefault()
      },
    },
  }
}
