import { useLayoutEffect, useMemo, useRef } from 'react'
import { t } from '#say'
import { type DayContent, spansWithin } from '../../lib/calendar/day-index.ts'
import { dayAt, numberOf, weekStart } from '../../lib/calendar/days.ts'
import { isTimed, layOutHours } from '../../lib/calendar/hours.ts'
import { isRightToLeft } from '../../lib/reading-direction.ts'
import { cx } from '../../ui/cx.ts'
import { GridPart } from './grid-part.tsx'
import { HourGrid } from './hour-grid.tsx'
import type { PeriodProps } from './period-props.ts'
import { useDayKeys } from './use-day-keys.ts'
import { useFirstHour } from './use-first-hour.ts'
import { LANES, WeekdayRow, WeekRow } from './week-row.tsx'

const LINES = 6
/** Width of the hour labels in pixels. */
const GUTTER = 48
/** On a small screen the days above and the bar below cover the rest of the frame. */
const FRAME_SHARE = 0.55

/** A week: all-day items above, the rest among the hours of their own time zone. */
export function WeekView({ index, focused, today, first, follow, open, onMove, onOpen }: PeriodProps) {
  const { grid, onKeyDown } = useDayKeys({ focused, first, follow, onMove, onOpen })
  const week = weekStart(numberOf(focused), first)
  const days = useMemo(() => Array.from({ length: 7 }, (_, column) => dayAt(week + column)), [week])
  const whole = useMemo(() => spansWithin(index, week, week + 6).filter(({ post }) => !isTimed(post)), [index, week])
  const untimed = (day: string): DayContent | undefined => {
    const content = index.days.get(day)
    return content && { ...content, notes: content.notes.filter((note) => !isTimed(note)) }
  }
  /** On a small screen days and hours scroll together, otherwise the hours alone. */
  const frame = useRef<HTMLElement>(null)
  const hours = useRef<HTMLElement>(null)
  const column = numberOf(focused) - week
  // On a small screen not all days are visible.
  useLayoutEffect(() => {
    const section = frame.current
    if (!section) return
    const from = ((section.scrollWidth - GUTTER) / 7) * Math.max(0, column - 1)
    section.scrollLeft = isRightToLeft() ? -from : from
  }, [column])
  const columns = days.map((day) => {
    const { events = [], notes = [] } = index.days.get(day) ?? {}
    return { day, blocks: layOutHours([...events, ...notes].filter(isTimed)) }
  })
  useFirstHour({ scroller: frame, share: FRAME_SHARE, columns, today })
  useFirstHour({ scroller: hours, share: 1, columns, today })
  return (
    <section
      ref={frame}
      aria-label={t`Days and hours`}
      className="flex min-h-0 grow flex-col max-sm:max-h-[calc(100dvh-11rem)] max-sm:overflow-auto"
    >
      <div className="flex grow flex-col max-sm:min-w-176">
        <GridPart
          ref={grid}
          role="grid"
          aria-label={t`Days`}
          onKeyDown={onKeyDown}
          className={cx('ps-12', LANES, 'max-sm:sticky max-sm:top-0 max-sm:z-20 max-sm:bg-page')}
        >
          <WeekdayRow first={first} />
          <GridPart role="rowgroup" className="grid auto-rows-[minmax(7.5rem,auto)] overflow-hidden rounded-t-xl border">
            <WeekRow
              week={week}
              spans={whole}
              contentOf={untimed}
              lines={LINES}
              focused={focused}
              today={today}
              open={open}
              onOpen={onOpen}
            />
          </GridPart>
        </GridPart>
        <HourGrid scroller={hours} columns={columns} today={today} onOpen={onOpen} />
      </div>
    </section>
  )
}
