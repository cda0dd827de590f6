import { useAtomValue } from 'jotai'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { filtersAtom } from '../../atoms/filters.ts'
import { sessionUserIdAtom } from '../../atoms/session.ts'
import { type Arrival, arrivedSince, itemsAbove } from '../../lib/content/arrivals.ts'
import type { ListLayout } from '../../lib/scroll/anchor.ts'
import type { Scroller } from '../scroll/use-scroller.ts'

export type { Arrival }

interface Options {
  /** The items that the list shows, each list in content order. The same arrays as long as nothing changes. */
  lists: readonly (readonly Arrival[])[]
  /** The row of an item, or -1. */
  rowOf: (item: Arrival) => number
  listLayout: ListLayout | null
  scroller: Scroller | null
  list: string
  complete: boolean
}

const NONE: readonly Arrival[] = []

/** Counts the items that others added above the visible ones, until they are scrolled to. */
export function useArrivals({ lists, rowOf, listLayout, scroller, list, complete }: Options): number {
  const me = useAtomValue(sessionUserIdAtom)
  const filters = useAtomValue(filtersAtom)
  const [above, setAbove] = useState(NONE)
  const last = useRef({ lists, filters, list, complete: false })

  const look = useCallback(
    (since: (current: readonly Arrival[]) => readonly Arrival[] = (current) => current) =>
      setAbove((current) => {
        const all = since(current)
        if (!listLayout || !scroller || current.length + all.length === 0) return current
        const top = scroller.top()
        const next = itemsAbove(all, top > 0 ? listLayout.firstBelow(top) : 0, rowOf)
        return next.length === current.length && next.every((item, i) => item === current[i]) ? current : next
      }),
    [listLayout, scroller, rowOf],
  )

  // Runs after the layout effect that keeps the scroll position: only then is the position final.
  useLayoutEffect(() => {
    if (!listLayout) return
    const before = last.current
    last.current = { lists, filters, list, complete }
    const same = before.complete && before.list === list && before.filters === filters
    if (!same || before.lists === lists) return look()
    look((above) =>
      lists.reduce<readonly Arrival[]>((current, now, i) => arrivedSince(current, { before: before.lists[i] ?? [], now }, me), above),
    )
  }, [lists, filters, list, complete, listLayout, me, look])

  useLayoutEffect(() => {
    const reach = () => look()
    scroller?.target.addEventListener('scroll', reach, { passive: true })
    return () => scroller?.target.removeEventListener('scroll', reach)
  }, [scroller, look])

  return above.length
}
