import { useCallback, useMemo, useState } from 'react'
import { useFastScroll } from '../../components/scroll/use-fast-scroll.ts'
import type { Scroller } from '../../components/scroll/use-scroller.ts'
import { rowsBetween } from '../../lib/scroll/row-tops.ts'
import { rowOfKey, sectionAt, sectionOfDay, type TimelineRows } from '../../lib/timeline/rows.ts'

/** Pixels above and below the screen that are rendered ahead. */
const OVERSCAN = 300

interface Showing {
  rows: TimelineRows
  tops: Float64Array
  scroller: Scroller | null
  /** Starts with the top, before the scroller is known. */
  atTop: boolean
  /** Called with the day at the middle of the screen, when a visible section is not open. */
  onFar: (day: string | null) => void
}

/** The row at the top of the screen. The other visible rows follow from it, also when heights or rows have changed. */
interface Seen {
  rows: TimelineRows
  row: number
  /** Pixels from the top of the screen down to it. */
  below: number
  /** Height of the screen in pixels. */
  view: number
  /** How much higher rows are drawn than their position (tall-scroll.ts). */
  shift: number
}

/** The visible rows, as [first, last). Renders only when these change. */
export function useShown({ rows, tops, scroller, atTop, onFar }: Showing) {
  const [seen, setSeen] = useState<Seen | null>(() => (atTop ? { rows, row: 0, below: 0, view: innerHeight, shift: 0 } : null))
  const watchSpeed = useFastScroll()
  const look = useCallback(() => {
    if (!scroller) return
    const [top, view] = [scroller.top(), scroller.viewHeight()]
    watchSpeed(top, view)
    const [row] = rowsBetween(tops, top, top)
    const next: Seen = { rows, row, below: (tops[row] ?? 0) - top, view, shift: scroller.shift() }
    const shown = shownOf(next, rows, tops)
    setSeen((before) => {
      const previous = before && before.rows === rows && before.shift === next.shift ? shownOf(before, rows, tops) : null
      return previous && previous[0] === shown[0] && previous[1] === shown[1] ? before : next
    })
    const [first, last] = [sectionAt(rows, shown[0]), sectionAt(rows, shown[1] - 1)]
    if (shown[1] > shown[0] && (first < rows.open[0] || last >= rows.open[1])) {
      const [middle] = rowsBetween(tops, top + view / 2, top + view / 2)
      onFar(rows.sections[sectionAt(rows, Math.min(middle, rows.entries.length - 1))]?.day ?? null)
    }
  }, [rows, tops, scroller, onFar, watchSpeed])
  const shown = useMemo(() => (seen ? shownOf(seen, rows, tops) : NOTHING), [seen, rows, tops])
  return { shown, shift: seen?.shift ?? 0, look }
}

const NOTHING = [0, 0] as const

function shownOf(seen: Seen, rows: TimelineRows, tops: Float64Array): [number, number] {
  const top = (tops[rowNow(seen, rows)] ?? 0) - seen.below - OVERSCAN
  return rowsBetween(tops, top, top + seen.view + 2 * OVERSCAN)
}

/** The row's current index, or that of the row that took its position. */
function rowNow({ rows: before, row }: Seen, rows: TimelineRows): number {
  if (before === rows) return row
  const entry = before.entries[row]
  const found = entry ? rowOfKey(rows, entry.key) : -1
  return found >= 0 ? found : (rows.starts[entry ? sectionOfDay(rows.sections, entry.day) : 0] ?? 0)
}
