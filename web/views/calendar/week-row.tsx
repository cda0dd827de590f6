import type { DayContent, Span } from '../../lib/calendar/day-index.ts'
import { type DayNumber, dayAt, inCalendar } from '../../lib/calendar/days.ts'
import { layOutWeek } from '../../lib/calendar/lanes.ts'
import { reader } from '../../lib/dates/reader.ts'
import { DayCell } from './day-cell.tsx'
import { GridPart } from './grid-part.tsx'

interface WeekRowProps {
  week: DayNumber
  spans: readonly Span[]
  contentOf: (day: string) => DayContent | undefined
  lines: number
  /** `YYYY-MM` of the month; days outside it are dimmed. */
  month?: string
  focused: string
  today: string
  open: string | null
  onOpen: (day: string) => void
}

export const WEEK_COLUMNS = 'grid grid-cols-[repeat(7,minmax(0,1fr))]'
/** Heights shared by bars and cells; on a small screen the month's bars are thin and without text. */
export const LANES = '[--bar:1.25rem] [--head:2rem] [--lane:1.375rem]'
export const THIN_LANES = `${LANES} max-sm:[--bar:0.375rem] max-sm:[--lane:0.5rem]`

/** Seven days and the events across them; without text where there is no room. */
export function WeekRow({ week, spans, contentOf, lines, month, focused, today, open, onOpen }: WeekRowProps) {
  const bars = layOutWeek(spans, week)
  return (
    <GridPart role="row" className={`@container/week ${WEEK_COLUMNS}`}>
      {Array.from({ length: 7 }, (_, column) => {
        const number = week + column
        const day = dayAt(number)
        if (!inCalendar(number)) return <GridPart key={number} role="gridcell" className="bg-rail not-first:border-s" />
        return (
          <DayCell
            key={day}
            day={day}
            content={contentOf(day)}
            bars={bars}
            column={column}
            lines={lines}
            dimmed={month !== undefined && !day.startsWith(month)}
            isToday={day === today}
            isOpen={day === open}
            tabbable={day === focused}
            onOpen={onOpen}
          />
        )
      })}
    </GridPart>
  )
}

export function WeekdayRow({ first, short = false }: { first: number; short?: boolean }) {
  return (
    <GridPart role="row" className={`${WEEK_COLUMNS} text-xs font-medium text-muted`}>
      {Array.from({ length: 7 }, (_, column) => {
        const weekday = ((first - 1 + column) % 7) + 1
        return (
          <GridPart key={weekday} role="columnheader" aria-label={reader().weekday(weekday)} className="py-1.5 text-center">
            {reader().weekday(weekday, short ? 'narrow' : 'short')}
          </GridPart>
        )
      })}
    </GridPart>
  )
}
