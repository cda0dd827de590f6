import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFastScroll } from '../../components/scroll/use-fast-scroll.ts'
import { type Scroller, useLookWhileScrolling } from '../../components/scroll/use-scroller.ts'
import { useNotifyFirstRender } from '../../components/use-notify-first-render.ts'
import type { TileLayout } from '../../lib/photos/justified.ts'
import { bandsBetween, tilesBetween } from '../../lib/scroll/tile-window.ts'

/** Pixels above and below the screen that are rendered ahead. */
const OVERSCAN = 320

interface Shown {
  tiles: [number, number]
  bands: [number, number]
  /** How much higher tiles are drawn than their position (tall-scroll.ts). */
  shift: number
}

const NOTHING: Shown = { tiles: [0, 0], bands: [0, 0], shift: 0 }

/** The tiles and bands on the screen. Renders only when these change, not on every scroll. `atTop` renders the top before the scroller is known. */
export function useTileWindow(layout: TileLayout, scroller: Scroller | null, atTop: boolean): Shown {
  const [shown, setShown] = useState(() => (atTop ? shownOf(layout, { top: 0, view: innerHeight, shift: 0 }) : NOTHING))
  const margin = useRef(0)
  const isFast = useFastScroll()
  const look = useCallback(() => {
    if (!scroller) return
    const [top, beyond] = [scroller.top(), margin.current]
    const view = scroller.viewHeight()
    const fast = isFast(top, view)
    const next = shownOf(layout, { top: top - beyond, view: view + 2 * beyond, shift: scroller.shift() })
    const put = () => setShown((before) => (same(before, next) ? before : next))
    // In a fast scroll the tile is gone in the next frame, which is when React would render it.
    if (fast) flushSync(put)
    else put()
  }, [layout, scroller, isFast])
  useLookWhileScrolling(look, scroller)
  // Tiles out of sight follow once the visible ones are rendered.
  useEffect(() => {
    if (!scroller || margin.current > 0) return
    const frame = requestAnimationFrame(() => {
      margin.current = OVERSCAN
      startTransition(look)
    })
    return () => cancelAnimationFrame(frame)
  }, [scroller, look])
  useNotifyFirstRender(shown.tiles[1] > shown.tiles[0])
  return shown
}

function shownOf(layout: TileLayout, { top, view, shift }: { top: number; view: number; shift: number }): Shown {
  return { tiles: tilesBetween(layout, top, top + view), bands: bandsBetween(layout, top, top + view), shift }
}

function same(a: Shown, b: Shown): boolean {
  return a.shift === b.shift && sameRange(a.tiles, b.tiles) && sameRange(a.bands, b.bands)
}

function sameRange(a: [number, number], b: [number, number]): boolean {
  return a[0] === b[0] && a[1] === b[1]
}
