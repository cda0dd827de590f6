import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Scroller } from '../../components/use-scroller.ts'
import { placeOfDay } from '../../lib/content-days.ts'
import { topsOf } from '../../lib/row-tops.ts'
import { openAround, placedRows, type TimelineRows, timelineRows } from '../../lib/timeline-rows.ts'
import type { TimelineSection } from '../../lib/timeline-sections.ts'
import { guessHeight } from './row-guess.ts'
import { useDrawn } from './use-drawn.ts'
import { useMeasured } from './use-measured.ts'
import { useShown } from './use-shown.ts'

/** Smaller differences are rounding. */
const SAME = 0.5
/** Pixels of every row before the width is known: nothing is drawn yet, but the page stays so tall that it does not jump to its top. */
const SOME = 300

interface RowsOptions {
  /** Names the list, so that what was measured of it is still known when it is opened again. */
  list: string
  width: number
  scroller: Scroller | null
}

/**
 * Rows of unknown heights one below the other, of which only those on the screen exist: heights are guessed, and measured as the rows
 * come. Sections far from the screen are one row each, so that a change, and the first look, cost by the days and not by what they hold.
 * `ref` goes to the element of every row that is drawn, which names its row by `data-row`. `look` says what is on the screen: it is to be
 * asked once the place is kept that heights and rows may have moved.
 */
export function useRows(sections: readonly TimelineSection[], { list, width, scroller }: RowsOptions) {
  const [middle, setMiddle] = useState<string | null>()
  const rows = useMemo(() => timelineRows(sections, openAround(sections, middleOf(sections, middle))), [sections, middle])
  const [turn, setTurn] = useState(0)
  const { heights, measured } = useHeights(rows, list, width)
  // biome-ignore lint/correctness/useExhaustiveDependencies: heights are changed in place, and turn says so
  const tops = useMemo(() => topsOf(heights), [heights, turn])
  const placed = useMemo(() => placedRows(rows, tops), [rows, tops])
  const { shown, top, shift, look } = useShown({ rows, tops, scroller, onFar: setMiddle })
  const isDrawn = useDrawn(rows.entries, shown, top)

  const measure = useCallback(
    (elements: Iterable<HTMLElement>) => {
      let changed = false
      for (const element of elements) {
        const key = element.dataset.row ?? ''
        const index = indexBetween(rows, shown, key)
        if (index < 0 || rows.entries[index]?.kind === 'closed') continue
        const height = element.getBoundingClientRect().height
        if (Math.abs((measured.get(key) ?? -1) - height) < SAME) continue
        measured.set(key, height)
        heights[index] = height
        changed = true
      }
      return changed
    },
    [rows, shown, heights, measured],
  )
  const ref = useMeasured(measure, setTurn)
  return { rows, tops, placed, shown, isDrawn, shift, look, ref }
}

/** Where a day is by now, or the one that took its place. */
function middleOf(sections: readonly TimelineSection[], day: string | null | undefined): number {
  if (day === undefined) return 0
  return Math.max(0, Math.min(placeOfDay(sections, day), sections.length - 1))
}

/** What is known of the heights of a list at a width: at another one it is worth nothing. */
interface Measured {
  list: string
  width: number
  /** By the keys of rows. */
  measured: Map<string, number>
  /** Of sections that were open once. */
  sections: WeakMap<TimelineSection, number>
}

/** Of the list that was measured last. */
let last: Measured | null = null

function measuredOf(list: string, width: number): Measured {
  if (last?.list === list && last.width === width) return last
  const fresh = { list, width, measured: new Map(), sections: new WeakMap() }
  // Before it is laid out there is nothing to measure.
  if (width > 0) last = fresh
  return fresh
}

interface Heights extends Measured {
  rows: TimelineRows
  heights: Float64Array
}

function useHeights(rows: TimelineRows, list: string, width: number): Heights {
  const before = useRef<Heights | null>(null)
  useLayoutEffect(() => () => void (before.current && rememberOpen(before.current)), [])
  return useMemo(() => {
    const known = measuredOf(list, width)
    const { measured, sections } = known
    if (before.current?.sections === sections) rememberOpen(before.current)
    const heights = new Float64Array(rows.entries.length)
    if (width === 0) heights.fill(SOME)
    else
      for (const [index, entry] of rows.entries.entries()) {
        heights[index] =
          entry.kind === 'closed'
            ? (sections.get(entry.section) ?? entry.section.guess(width))
            : (measured.get(entry.key) ?? guessHeight(entry, width))
      }
    before.current = { ...known, rows, heights }
    return before.current
  }, [rows, list, width])
}

/** How high the sections are whose rows were guessed one by one, or measured. */
function rememberOpen({ rows, heights, sections }: Heights): void {
  const { open, starts, entries } = rows
  for (let i = open[0]; i < open[1]; i++) {
    const section = rows.sections[i]
    let end = starts[i + 1] ?? entries.length
    if (entries[end - 1]?.kind === 'gap') end--
    if (section)
      sections.set(
        section,
        heights.subarray(starts[i], end).reduce((sum, height) => sum + height, 0),
      )
  }
}

/** What is measured is on the screen: no need of an index of everything to find it. */
function indexBetween({ entries }: TimelineRows, [first, last]: readonly [number, number], key: string): number {
  for (let index = first; index < last; index++) if (entries[index]?.key === key) return index
  return -1
}
