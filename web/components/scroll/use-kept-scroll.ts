import { useCallback, useLayoutEffect, useRef } from 'react'
import { keptTop, type ListLayout, type ScrollPosition, scrollPositionAt, topOf } from '../../lib/scroll/anchor.ts'
import { readScrollPosition, writeScrollPosition } from '../../lib/scroll/scroll-positions.ts'
import type { Scroller } from './use-scroller.ts'

/** Milliseconds after the last movement. */
const SAVE_AFTER = 200
/** Milliseconds for which a scroll position is kept after it was reached, while the rows around it get their heights. */
const SETTLE = 1_000
/** Smaller moves are the browser's rounding. */
const SAME = 1
/** With one of these the user decides where to be. */
const MOVES = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

interface Options {
  /** Null until it is laid out. */
  listLayout: ListLayout | null
  scroller: Scroller | null
  /** Names the list, for its scroll position after a reload, Back or another view. */
  list: string
  /** Everything is there: what is not found now will not come. */
  complete: boolean
}

/**
 * Keeps what is being read in its place, whatever comes, goes or changes its size above it, and leads back to it when the list is
 * opened again. Returns how to go to one of the list.
 */
export function useKeptScroll({ listLayout, scroller, list, complete }: Options): (position: ScrollPosition) => void {
  const held = useRef<{ listLayout: ListLayout; top: number; key: string } | null>(null)
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
      held.current = null
    }
    const arrive = () => {
      const top = wanted.current && (complete || isThere(listLayout, wanted.current)) ? topOf(listLayout, wanted.current) : null
      if (top === null) return false
      scroller.scrollTo(top)
      settling.current ??= setTimeout(letGo, SETTLE)
      return true
    }
    if (arrive()) held.current = null
    else if (held.current && held.current.listLayout !== listLayout) {
      const { top: last, key } = held.current
      // Somebody may have scrolled on since, which is told only in the next frame. Where the end came nearer, the browser has.
      const here = scroller.top()
      const on = Math.abs(here - last) >= SAME && !(here < last && isAtEnd(scroller.element))
      const top = keptTop(held.current.listLayout, on ? here : last, listLayout, on ? undefined : key)
      if (top !== null) scroller.scrollTo(top)
    }
    // What is held on to stays the same until somebody moves: in masonry, what comes above brings other things to the top.
    const remember = () => {
      const top = scroller.top()
      const before = held.current
      const isCurrent =
        before && (before.listLayout !== listLayout || Math.abs(before.top - top) < SAME) && listLayout.indexOf(before.key) >= 0
      held.current = { listLayout, top, key: isCurrent ? before.key : listLayout.keyAt(listLayout.firstBelow(top)) }
    }
    remember()
    // The router may have its own idea of where a page begins, and heights are measured as rows come.
    const frame = requestAnimationFrame(() => arrive() && remember())
    scroller.target.addEventListener('scroll', remember, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      scroller.target.removeEventListener('scroll', remember)
    }
  }, [listLayout, scroller, list, complete, letGo])

  // A layout effect, so that a list that takes this one's place reads what this one has saved.
  useLayoutEffect(() => {
    if (!scroller) return
    const listening = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const save = () => {
      const { current } = held
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
