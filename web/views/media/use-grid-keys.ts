import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Scroller } from '../../components/scroll/use-scroller.ts'
import { latinKey } from '../../lib/latin-key.ts'
import type { TileLayout } from '../../lib/photos/justified.ts'
import { readingKey } from '../../lib/reading-direction.ts'
import { neighbour, type Step } from '../../lib/scroll/tile-window.ts'
import type { GridSelection } from './use-grid-selection.ts'

const STEPS: Record<string, Step> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' }
/** Space for the sticky heading and the bars of the shell, in pixels. */
const MARGIN = { top: 120, bottom: 90 }

/** Milliseconds to wait until a tile is mounted and focusable. */
const FOCUS_TIMEOUT = 10_000

interface Options {
  grid: RefObject<HTMLElement | null>
  layout: TileLayout
  scroller: Scroller | null
  selection: GridSelection
}

/**
 * Roving tabindex: arrows, Home and End move the active tile, Space and X select, Ctrl-A selects all, Esc clears. Enter is handled by the button
 * itself.
 */
export function useGridKeys({ grid, layout, scroller, selection }: Options) {
  const [active, setActive] = useState(0)
  /** The tile that is to receive the focus, and the deadline on the clock of performance.now(). */
  const wanted = useRef<{ index: number; until: number } | null>(null)
  const count = layout.y.length

  // Items that arrive or leave above the focused tile change its index.
  useLayoutEffect(() => {
    const focused = document.activeElement
    const index = focused instanceof HTMLElement && grid.current?.contains(focused) ? focused.dataset.index : undefined
    if (index !== undefined && !wanted.current) setActive(Number(index))
  })

  // The tile may not be mounted until it has been scrolled to, so the focus follows after the next render; and the page is inert until a closing
  // lightbox is gone.
  useEffect(() => {
    let frame = 0
    const give = () => {
      if (!wanted.current) return
      const { index, until } = wanted.current
      const tile = grid.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)
      if (!document.activeElement?.closest('[role=dialog]')) tile?.focus({ preventScroll: true })
      if ((tile && document.activeElement === tile) || performance.now() > until) wanted.current = null
      else frame = requestAnimationFrame(give)
    }
    give()
    return () => cancelAnimationFrame(frame)
  })

  // A user who moves on meanwhile keeps their focus.
  useEffect(() => {
    const leave = (event: Event) => {
      if (!(event instanceof globalThis.KeyboardEvent) || event.key === 'Tab') wanted.current = null
    }
    addEventListener('pointerdown', leave, true)
    addEventListener('keydown', leave, true)
    return () => {
      removeEventListener('pointerdown', leave, true)
      removeEventListener('keydown', leave, true)
    }
  }, [])

  function bringIn(index: number) {
    if (!scroller) return
    const top = layout.y[index] ?? 0
    const bottom = top + (layout.h[index] ?? 0)
    const view = scroller.top()
    if (top - MARGIN.top < view) scroller.scrollTo(top - MARGIN.top)
    else if (bottom + MARGIN.bottom > view + scroller.viewHeight()) scroller.scrollTo(bottom + MARGIN.bottom - scroller.viewHeight())
  }

  function go(index: number, extend: boolean) {
    wanted.current = { index, until: performance.now() + FOCUS_TIMEOUT }
    setActive(index)
    bringIn(index)
    if (extend) selection.extend(index, active)
  }

  function onKeyDown(event: KeyboardEvent) {
    // Space on the button of a day presses it.
    if ([' ', 'x'].includes(latinKey(event)) && !(event.target instanceof Element && event.target.closest('[data-index]'))) return
    const step = STEPS[readingKey(event)]
    const act = step
      ? () => go(neighbour(layout, active, step), event.shiftKey)
      : actionOf(event, {
          home: () => go(0, event.shiftKey),
          end: () => go(count - 1, event.shiftKey),
          ' ': () => (event.shiftKey ? selection.extend(active) : selection.toggle(active)),
          x: () => selection.toggle(active),
          'ctrl+a': selection.all,
          ...(selection.selected.size > 0 ? { escape: selection.clear } : {}),
        })
    if (!act) return
    event.preventDefault()
    act()
  }

  return {
    active: Math.min(active, Math.max(0, count - 1)),
    setActive,
    /** Returns the focus to a tile, scrolling if it is out of sight. */
    focus: (index: number) => go(index, false),
    onFocus({ target }: FocusEvent) {
      const index = target instanceof HTMLElement ? target.dataset.index : undefined
      // A closing lightbox returns the focus to its opener, not to the tile seen last.
      if (index !== undefined && !wanted.current) setActive(Number(index))
    },
    onKeyDown,
  }
}

function actionOf(event: KeyboardEvent, actions: Record<string, () => void>): (() => void) | undefined {
  const key = latinKey(event)
  return actions[event.ctrlKey || event.metaKey ? `ctrl+${key}` : key]
}
