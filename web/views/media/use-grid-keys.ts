import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { Scroller } from '../../components/scroll/use-scroller.ts'
import type { TileLayout } from '../../lib/photos/justified.ts'
import { neighbour, type Step } from '../../lib/scroll/tile-window.ts'
import type { GridSelection } from './use-grid-selection.ts'

const STEPS: Record<string, Step> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' }
/** Room for the sticky heading and the bars of the shell. */
const MARGIN = { top: 120, bottom: 90 }

/** Milliseconds that a tile may take to be there and within reach. */
const PATIENCE = 10_000

interface Options {
  grid: RefObject<HTMLElement | null>
  layout: TileLayout
  scroller: Scroller | null
  selection: GridSelection
}

/** One tile is in the tab order; arrows, Home and End move it, Space and X tick, Ctrl-A ticks all, Esc none. Enter is the button's own. */
export function useGridKeys({ grid, layout, scroller, selection }: Options) {
  const [active, setActive] = useState(0)
  /** The tile that is to get the focus, and until when, as performance.now(). */
  const wanted = useRef<{ index: number; until: number } | null>(null)
  const count = layout.y.length

  // The tile may be outside of the window until it has been scrolled to, so focus follows after the next rendering; and the page is inert
  // until a lightbox that closes is gone.
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

  // Whoever goes on elsewhere meanwhile is not fetched back.
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
    wanted.current = { index, until: performance.now() + PATIENCE }
    setActive(index)
    bringIn(index)
    if (extend) selection.extend(index, active)
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = STEPS[event.key]
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
    /** Gives focus back to a tile, scrolling there if it is out of sight. */
    focus: (index: number) => go(index, false),
    onFocus({ target }: FocusEvent) {
      const index = target instanceof HTMLElement ? target.dataset.index : undefined
      // A lightbox that goes gives the focus back to where it came from, not to what was seen last.
      if (index !== undefined && !wanted.current) setActive(Number(index))
    },
    onKeyDown,
  }
}

function actionOf(event: KeyboardEvent, actions: Record<string, () => void>): (() => void) | undefined {
  const key = event.key.toLowerCase()
  return actions[event.ctrlKey || event.metaKey ? `ctrl+${key}` : key]
}
