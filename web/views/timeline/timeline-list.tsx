import {
  type ComponentProps,
  type ReactNode,
  type RefCallback,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { useSelectionArea } from '../../components/bulk/use-selection-area.ts'
import { ArrivalsPill } from '../../components/content/arrivals-pill.tsx'
import { type Arrival, useArrivals } from '../../components/content/use-arrivals.ts'
import { MonthScrubber } from '../../components/scroll/month-scrubber.tsx'
import { scrollToTop } from '../../components/scroll/scroll-to-top.ts'
import { usePlaceholder } from '../../components/scroll/use-fast-scroll.ts'
import { useKeptScroll } from '../../components/scroll/use-kept-scroll.ts'
import { HEADROOM, useLinked } from '../../components/scroll/use-linked.ts'
import { type Scroller, useLookWhileScrolling, useScroller } from '../../components/scroll/use-scroller.ts'
import { useNotifyFirstRender } from '../../components/use-notify-first-render.ts'
import { useWidth } from '../../components/use-width.ts'
import { dayKeyOf } from '../../lib/content/order.ts'
import { memoizeByObject } from '../../lib/memoize-by-object.ts'
import type { ScrollPosition } from '../../lib/scroll/anchor.ts'
import { hasScrollPosition } from '../../lib/scroll/scroll-positions.ts'
import type { Mark } from '../../lib/scroll/scrub-marks.ts'
import { boxHeight } from '../../lib/scroll/tall-scroll.ts'
import { periodOf, type Zoom } from '../../lib/timeline/digest.ts'
import { itemsIn } from '../../lib/timeline/entries.ts'
import { sectionOfDay, type TimelineRows } from '../../lib/timeline/rows.ts'
import { monthsIn } from '../../lib/timeline/sections.ts'
import type { TimelineEntry, TimelineSection } from '../../lib/timeline/types.ts'
import { TimelineRow } from './timeline-row.tsx'
import { useRowKeys } from './use-row-keys.ts'
import { useRows } from './use-rows.ts'

interface TimelineListProps {
  sections: readonly TimelineSection[]
  zoom: Zoom
  /** The visible posts, in content order. */
  posts: readonly Post[]
  assets: readonly Asset[]
  /** Key of the list's scroll position. */
  list: string
  complete: boolean
  onOpenAsset: (id: string) => void
  /** Opens a month or a year of a digest. */
  onOpenPeriod: (period: string) => void
  /** A month or year that was just opened. */
  entered: RefObject<string | null>
  /** Rendered above the rows; it receives a function that scrolls to one of them. */
  above?: (goTo: (key: string) => void) => ReactNode
}

export function TimelineList({
  sections,
  zoom,
  posts,
  assets,
  list,
  complete,
  onOpenAsset,
  onOpenPeriod,
  entered,
  above,
}: TimelineListProps) {
  const box = useRef<HTMLDivElement>(null)
  // With a known width, the first rows are rendered together with the list, before it can be measured.
  const [expectedWidth] = useState(() => (location.hash || hasScrollPosition(list) ? 0 : columnWidth()))
  const width = useWidth(box, expectedWidth)
  const scroller = useScroller(box)
  const { rows, tops, listLayout, shown, shift, look, ref } = useRows(sections, { list, width, scroller, atTop: expectedWidth > 0 })
  const height = tops.at(-1) ?? 0
  const heading = headingAbove(rows, shown[0])
  useLayoutEffect(() => scroller?.fit(height), [scroller, height])
  const known = width > 0 ? listLayout : null
  const go = useKeptScroll({ listLayout: known, scroller, list, complete })
  // Runs after the layout effect that keeps the scroll position: before it, the position is not final.
  useLookWhileScrolling(look, scroller)
  useNotifyFirstRender(shown[1] > shown[0])
  const rowOf = useCallback((item: Arrival) => rowShowing(rows, item, zoom), [rows, zoom])
  const lists = useMemo(() => [posts, assets], [posts, assets])
  const arrived = useArrivals({ lists, rowOf, listLayout: known, scroller, list, complete })
  const find = useCallback((hash: string) => (zoom === 'day' ? linkedRow(sections, posts, hash) : null), [zoom, sections, posts])
  useLinked({ ready: known !== null && scroller !== null, find, go })
  const selection = useSelectionArea(() => sections.flatMap((section) => section.entries().flatMap(itemsIn)))
  useEntered(entered)
  useRowKeys({ entries: rows.entries, listLayout: known, scroller, headroom: HEADROOM, go })
  return (
    <div className="flex">
      <ArrivalsPill count={arrived} onGo={() => scroller && scrollToTop(scroller)} />
      <div className="mx-auto w-full max-w-2xl min-w-0">
        {above?.((key) => go({ key, below: HEADROOM, day: null }))}
        <div
          ref={box}
          {...selection}
          className="relative [overflow-anchor:none] [-webkit-touch-callout:none]"
          style={{ height: boxHeight(height) }}
        >
          {heading && (
            // Above the visible rows and not measured: it takes no space among them.
            <div className="absolute inset-x-0 bottom-full">
              <TimelineRow entry={heading} onOpenAsset={onOpenAsset} onOpenPeriod={onOpenPeriod} />
            </div>
          )}
          {rows.entries.slice(...shown).map((entry, index) => {
            const [top = 0, bottom = 0] = tops.subarray(shown[0] + index)
            return (
              <PositionedRow
                // When a section opens, its heading has the same key and is measured.
                key={entry.kind === 'closed' ? `closed-${entry.key}` : entry.key}
                measured={ref}
                top={top - shift}
                height={bottom - top}
                {...{ entry, onOpenAsset, onOpenPeriod }}
              />
            )
          })}
        </div>
      </div>
      <TimelineScrubber rows={rows} tops={tops} scroller={scroller} />
    </div>
  )
}

interface PositionedRowProps extends ComponentProps<typeof TimelineRow> {
  measured: RefCallback<HTMLElement>
  top: number
  /** Of its placeholder, in pixels. */
  height: number
}

function PositionedRow({ entry, measured, top, height, ...rest }: PositionedRowProps) {
  const placeholder = usePlaceholder()
  // Headings render faster than a placeholder would.
  const drawn = !placeholder || entry.kind === 'day' || entry.kind === 'closed' || entry.kind === 'gap'
  return (
    <div
      ref={drawn ? measured : undefined}
      data-row={entry.key}
      className="absolute inset-x-0 top-0 flow-root contain-layout contain-style"
      style={{ transform: `translateY(${top}px)`, ...(drawn ? {} : { height }) }}
    >
      {drawn ? <TimelineRow entry={entry} {...rest} /> : <div className="h-[calc(100%-1rem)] rounded-xl bg-muted" />}
    </div>
  )
}

/** Maximum width of the column, and of the page's edges beside it, in rem. */
const [COLUMN, EDGES] = [42, 2]
/** Where there is more than enough room for it. */
const WIDE = '(width >= 64rem)'

/** Width of the column in pixels; 0 for small font sizes, where there may be less room beside the rail. */
function columnWidth(): number {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  if (rem < 16) return 0
  const room = document.documentElement.clientWidth - EDGES * rem
  return matchMedia(WIDE).matches ? COLUMN * rem : Math.min(COLUMN * rem, room)
}

/** The heading of the first visible day when it is out of sight, so that users who move by heading find every post below one. */
function headingAbove({ entries }: TimelineRows, first: number): TimelineEntry | null {
  let index = first
  while (entries[index]?.kind === 'post' || entries[index]?.kind === 'assets') index--
  const row = entries[index]
  return index < first && row?.kind === 'day' ? row : null
}

/** The row that shows an item, or -1. */
function rowShowing({ sections, open, starts }: TimelineRows, item: Arrival, zoom: Zoom): number {
  const index = sectionOfDay(sections, periodOf(dayKeyOf(item), zoom))
  const shows = (entry: TimelineEntry) => itemsIn(entry).some(({ id }) => id === item.id)
  const row = sections[index]?.entries().findIndex(shows) ?? -1
  if (row < 0) return -1
  return (starts[index] ?? 0) + (index >= open[0] && index < open[1] ? row : 0)
}

/** The post or day that the URL names (`#post-…`, `#day-2024-03-15`); null while there is none. */
function linkedRow(sections: readonly TimelineSection[], posts: readonly Post[], hash: string): ScrollPosition | null {
  const key = /^#(?:post-)?(.+)$/.exec(hash)?.[1]
  if (!key) return null
  const post = posts.find(({ id }) => id === key)
  const day = post ? dayKeyOf(post) : sections.find((section) => section.key === key)?.day
  return day === undefined ? null : { key, below: HEADROOM, day }
}

/** Rows with their tops in pixels. */
interface PositionedRows {
  rows: TimelineRows
  tops: Float64Array
}

const monthsOf = memoizeByObject(monthsIn)

/** The months beside the list, rendered at low priority. */
function TimelineScrubber({ rows, tops, scroller }: PositionedRows & { scroller: Scroller | null }) {
  const positioned = useMemo(() => ({ rows, tops }), [rows, tops])
  const later = useDeferredValue<PositionedRows | null>(positioned, null)
  const marks = useMemo(() => (later ? marksOf(later) : []), [later])
  return <MonthScrubber marks={marks} height={later?.tops.at(-1) ?? 0} scroller={scroller} />
}

function marksOf({ rows, tops }: PositionedRows): Mark[] {
  const height = tops.at(-1) ?? 0
  return monthsOf(rows.sections).map(({ month, count, first }) => ({
    month,
    count,
    at: height > 0 ? (tops[rows.starts[first] ?? 0] ?? 0) / height : 0,
  }))
}

/** Focuses the start of a month or year that was opened, as its opener is gone; once each time. */
function useEntered(entered: RefObject<string | null>): void {
  useEffect(() => {
    const { current } = entered
    if (current === null) return
    const start = CSS.escape(current)
    const row = document.querySelector<HTMLElement>(`[data-row^="day-${start}"], [data-row^="digest-${start}-"]`)
    // It may be rendered a moment later.
    if (!row) return
    entered.current = null
    row.tabIndex = -1
    const target = row.querySelector('button') ?? row
    target.focus({ preventScroll: true })
  })
}
