import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Scroller } from '../../components/scroll/use-scroller.ts'
import { dayIndex } from '../../lib/content/days.ts'
import { topsOf } from '../../lib/scroll/row-tops.ts'
import { openAround, rowLayout, type TimelineRows, timelineRows } from '../../lib/timeline/rows.ts'
import type { TimelineSection } from '../../lib/timeline/types.ts'
import { type Heights, heightsOf, measuredOf, storeHeights } from './row-heights.ts'
import { useMeasured } from './use-measured.ts'
import { useShown } from './use-shown.ts'

/** Smaller differences are rounding. In pixels. */
const SAME = 0.5

interface RowsOptions {
  /** Key of the list, so that its measurements are kept for when it is opened again. */
  list: string
  width: number
  scroller: Scroller | null
  /** Renders the top before the scroller is known. */
  atTop: boolean
}

/**
 * Rows of unknown heights in a column, with only the visible ones mounted: heights are estimated, and measured as rows mount. Sections far from the
 * screen are one row each, so that the first render and every change cost by the number of days, not of items. `ref` goes to the element of every
 * rendered row, which names its row by `data-row`. `look` updates the visible range: call it once the scroll position has been adjusted to new
 * heights and rows.
 */
export function useRows(sections: readonly TimelineSection[], { list, width, scroller, atTop }: RowsOptions) {
  const [middle, setMiddle] = useState<string | null>()
  const rows = useMemo(() => timelineRows(sections, openAround(sections, middleOf(sections, middle))), [sections, middle])
  const [generation, setGeneration] = useState(0)
  const { heights, known } = useHeights(rows, list, width)
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights are mutated in place, and generation changes with them
  const tops = useMemo(() => topsOf(heights), [heights, generation])
  const listLayout = useMemo(() => rowLayout(rows, tops), [rows, tops])
  const { shown, shift, look } = useShown({ rows, tops, scroller, atTop, onFar: setMiddle })

  const measure = useCallback(
    (elements: Iterable<HTMLElement>) => {
      let changed = false
      for (const element of elements) {
        const key = element.dataset.row ?? ''
        const index = indexBetween(rows, shown, key)
        if (index < 0 || rows.entries[index]?.kind === 'closed') continue
        const height = element.getBoundingClientRect().height
        if (Math.abs((known.rowHeights.get(key) ?? -1) - height) < SAME) continue
        known.rowHeights.set(key, height)
        heights[index] = height
        changed = true
      }
      return changed
    },
    [rows, shown, heights, known],
  )
  const ref = useMeasured(measure, known, setGeneration)
  return { rows, tops, listLayout, shown, shift, look, ref }
}

/** The index of a day, or of the day that took its position. */
function middleOf(sections: readonly TimelineSection[], day: string | null | undefined): number {
  if (day === undefined) return 0
  return Math.max(0, Math.min(dayIndex(sections, day), sections.length - 1))
}

function useHeights(rows: TimelineRows, list: string, width: number): Heights {
  const before = useRef<Heights | null>(null)
  const now = useMemo(() => {
    const known = measuredOf(list, width)
    if (before.current?.known === known) storeHeights(before.current)
    return { rows, heights: heightsOf(rows, known), known }
  }, [rows, list, width])
  useLayoutEffect(() => {
    before.current = now
  }, [now])
  useLayoutEffect(() => () => void (before.current && storeHeights(before.current)), [])
  return now
}

/** Measured rows are on the screen: no index of all rows is needed to find them. */
function indexBetween({ entries }: TimelineRows, [first, last]: readonly [number, number], key: string): number {
  for (let index = first; index < last; index++) if (entries[index]?.key === key) return index
  return -1
}
