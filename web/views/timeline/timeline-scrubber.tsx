import { useDeferredValue, useMemo } from 'react'
import { MonthScrubber } from '../../components/scroll/month-scrubber.tsx'
import type { Scroller } from '../../components/scroll/use-scroller.ts'
import { perObject } from '../../lib/per-object.ts'
import type { Mark } from '../../lib/scroll/scrub-marks.ts'
import type { TimelineRows } from '../../lib/timeline/rows.ts'
import { monthsIn } from '../../lib/timeline/sections.ts'

/** Rows, and where each begins, in pixels. */
interface Laid {
  rows: TimelineRows
  tops: Float64Array
}

const monthsOf = perObject(monthsIn)

/** The months beside the list, which follow it: nobody looks there first. */
export function TimelineScrubber({ rows, tops, scroller }: Laid & { scroller: Scroller | null }) {
  const laid = useMemo(() => ({ rows, tops }), [rows, tops])
  const later = useDeferredValue<Laid | null>(laid, null)
  const marks = useMemo(() => (later ? marksOf(later) : []), [later])
  return <MonthScrubber marks={marks} height={later?.tops.at(-1) ?? 0} scroller={scroller} />
}

function marksOf({ rows, tops }: Laid): Mark[] {
  const height = tops.at(-1) ?? 0
  return monthsOf(rows.sections).map(({ month, count, first }) => ({
    month,
    count,
    at: height > 0 ? (tops[rows.starts[first] ?? 0] ?? 0) / height : 0,
  }))
}
