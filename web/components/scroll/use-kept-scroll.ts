import { useCallback, useLayoutEffect, useRef } from 'react'
import { anchoredTop, type ListLayout, type ScrollPosition, scrollPositionAt, topOf } from '../../lib/scroll/anchor.ts'
import { readScrollPosition, writeScrollPosition } from '../../lib/scroll/scroll-positions.ts'
import type { Scroller } from './use-scroller.ts'

/** Milliseconds after the last movement. */
const SAVE_AFTER = 200
/** Milliseconds for which a scroll position is kept after it was reached, while the rows around it are measured. */
const SETTLE = 1_000
/** Smaller differences are rounding by the browser. In pixels. */
const SAME = 1
/** Input with which the user takes over the scroll position. */
const MOVES = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

interface Options {
  /** Null until the list is laid out. */
  listLayout: ListLayout | null
  scroller: Scroller | null
  /** Key of the list's scroll position after a reload, Back or a switch of views. */
  list: string
  /** All content is loaded: an item that is missing now will not arrive. */
  complete: boolean
}

/**
 * Keeps the visible items in place while content above them is added, removed or resized, and restores the scroll position when the list is opened
 * again. Returns a function that scrolls to a position.
 */
export function useKeptScroll({ listLayout, scroller, list, complete }: Options): (position: ScrollPosition) => void {
  const anchor = useRef<{ listLayout: ListLayout; top: number; key: string } | null>(null)
  const wanted = useRef<ScrollPosition | null>(null)
  const opened = useRef<string | null>(null)
  const settling = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const letGo = useCallback(() => {
    clearTimeout(settling.current)
    settling.current = undefined
    wanted.current = null
  }, [])

  useLayoutEffect(() => {
    if (!scroller || !listLayout) return
    if (opened.current !== list) {
      opened.current = list
      wanted.current = readScrollPosition(list)
      anchor.current = null
    }
    const arrive = () => {
      const top = wanted.current && (complete || isThere(listLayout, wanted.current)) ? topOf(listLayout, wanted.current) : null
      if (top === null) return false
      scroller.scrollTo(top)
      settling.current ??= setTimeout(letGo, SETTLE)
      return true
    }
    if (arrive()) anchor.current = null
    else if (anchor.current && anchor.current.listLayout !== listLayout) {
      const { top: last, key } = anchor.current
      // The user may have scrolled since, which is reported only in the next frame. If the end moved closer, the browser has scrolled.
      const here = scroller.top()
      const on = Math.abs(here - last) >= SAME && !(here < last && isAtEnd(scroller.element))
      const top = anchoredTop(anchor.current.listLayout, on ? here : last, listLayout, on ? undefined : key)
      if (top !== null) scroller.scrollTo(top)
    }
    // The anchor stays the same until the user scrolls: in a masonry layout, items added above bring different items to the top.
    const storePosition = () => {
      const top = scroller.top()
      const before = anchor.current
      const isCurrent =
        before && (before.listLayout !== listLayout || Math.abs(before.top - top) < SAME) && listLayout.indexOf(before.key) >= 0
      anchor.current = { listLayout, top, key: isCurrent ? before.key : listLayout.keyAt(listLayout.firstBelow(top)) }
    }
    storePosition()
    // The router may set its own scroll position, and heights are measured as rows mount.
    const frame = requestAnimationFrame(() => arrive() && storePosition())
    scroller.target.addEventListener('scroll', storePosition, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      scroller.target.removeEventListener('scroll', storePosition)
    }
  }, [listLayout, scroller, list, complete, letGo])

  // A layout effect, so that a list that replaces this one reads the position saved here.
  useLayoutEffect(() => {
    if (!scroller) return
    const listening = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const save = () => {
      const { current } = anchor
      if (current && !wanted.current) writeScrollPosition(list, scrollPositionAt(current.listLayout, current.top))
    }
    const later = () => {
      clearTimeout(timer)
      timer = setTimeout(save, SAVE_AFTER)
    }
    scroller.target.addEventListener('scroll', later, { passive: true, signal: listening.signal })
    for (const move of MOVES) addEventListener(move, letGo, { passive: true, signal: listening.signal })
    addEventListener('pagehide', save, listening)
    return () => {
      clearTimeout(timer)
      listening.abort()
      save()
      letGo()
    }
  }, [scroller, list, letGo])

  return useCallback(
    (position: ScrollPosition) => {
      const top = listLayout && topOf(listLayout, position)
      if (!scroller || top === null || top === undefined) return
      letGo()
      wanted.current = position
      settling.current = setTimeout(letGo, SETTLE)
      scroller.scrollTo(top)
    },
    [listLayout, scroller, letGo],
  )
}

function isAtEnd({ scrollTop, scrollHeight, clientHeight }: Element): boolean {
  return scrollTop + clientHeight >= scrollHeight - SAME
}

function isThere(listLayout: ListLayout, position: ScrollPosition): boolean {
  return listLayout.indexOf(position.key) >= 0 || (listLayout.holds?.(position) ?? false)
}
