import { useMemo, useSyncExternalStore } from 'react'
import { spansWithin } from '../../lib/calendar/day-index.ts'
import { weeksOf } from '../../lib/calendar/days.ts'
import { formatMonth } from '../../lib/dates/text.ts'
import { cx } from '../../ui/cx.ts'
import { GridPart } from './grid-part.tsx'
import type { PeriodProps } from './period-props.ts'
import { useDayKeys } from './use-day-keys.ts'
import { useSwipe } from './use-swipe.ts'
import { THIN_LANES, WeekdayRow, WeekRow } from './week-row.tsx'

/** Lines for events and notes in a day; fewer where six weeks share the window, and more in a tall one. */
const LINES = 3
const LINES_OF_SIX = 2
const MAX_LINES = 8
/** Pixels: of the window around the weeks; of a day for its number and its photos; of a line. */
const AROUND = 170
const BESIDE_LINES = 70
const LINE = 22

/** The weeks of a month, as high as the window. */
export function MonthView({ index, focused, today, first, follow, open, onMove, onOpen, onStep }: PeriodProps) {
  const { grid, onKeyDown } = useDayKeys({ focused, first, follow, onMove, onOpen })
  const month = focused.slice(0, 7)
  const weeks = useMemo(() => weeksOf(month, first), [month, first])
  const spans = useMemo(() => spansWithin(index, weeks[0] ?? 0, (weeks.at(-1) ?? 0) + 6), [index, weeks])
  const lines = useLines(weeks.length)
  useSwipe(grid, onStep)
  return (
    <GridPart
      ref={grid}
      role="grid"
      aria-label={formatMonth(month)}
      onKeyDown={onKeyDown}
      className={cx('flex min-h-0 grow touch-pan-y touch-pinch-zoom flex-col', THIN_LANES)}
    >
      <WeekdayRow first={first} />
      <GridPart
        role="rowgroup"
        className="grid grow auto-rows-[minmax(5.5rem,1fr)] divide-y overflow-hidden rounded-xl border sm:auto-rows-[minmax(7rem,1fr)]"
      >
        {weeks.map((week) => (
          <WeekRow
            key={week}
            week={week}
            spans={spans}
            contentOf={(day) => index.days.get(day)}
            lines={lines}
            month={month}
            focused={focused}
            today={today}
            open={open}
            onOpen={onOpen}
          />
        ))}
      </GridPart>
    </GridPart>
  )
}

function useLines(weeks: number): number {
  return useSyncExternalStore(onResize, () => {
    const fitting = Math.floor(((innerHeight - AROUND) / weeks - BESIDE_LINES) / LINE)
    return Math.max(weeks > 5 ? LINES_OF_SIX : LINES, Math.min(MAX_LINES, fitting))
  })
}

function onResize(changed: () => void): () => void {
  addEventListener('resize', changed)
  return () => removeEventListener('resize', changed)
}
