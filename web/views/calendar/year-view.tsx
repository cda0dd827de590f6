import { memo, useMemo } from 'react'
import { Trans } from '#say/react'
import type { Item } from '../../lib/calendar/day-index.ts'
import { dayAt, inCalendar, numberOf, weeksOf } from '../../lib/calendar/days.ts'
import { dayLabel } from '../../lib/calendar/words.ts'
import { formatMonth, formatMonthName } from '../../lib/dates/text.ts'
import { countText } from '../../lib/media-text.ts'
import { cx } from '../../ui/cx.ts'
import { GridPart } from './grid-part.tsx'
import type { PeriodProps } from './period-props.ts'
import { useDayKeys } from './use-day-keys.ts'
import { useSwipe } from './use-swipe.ts'
import { WEEK_COLUMNS, WeekdayRow } from './week-row.tsx'

interface YearViewProps extends PeriodProps {
  onMonth: (month: string) => void
  onVague: (month: string) => void
}

/** Number of items in five levels: none, a few, up to four times as many, up to sixteen times, more. */
function heatOf(count: number): number {
  if (count === 0) return 0
  return count <= 2 ? 1 : count <= 8 ? 2 : count <= 32 ? 3 : 4
}
const HEAT = ['', 'bg-accent/20', 'bg-accent/40', 'bg-accent/60', 'bg-accent text-on-accent']

/** Twelve small months, each day shaded by its number of items. */
export function YearView({ index, focused, today, first, follow, open, onMove, onOpen, onStep, onMonth, onVague }: YearViewProps) {
  const { grid, onKeyDown } = useDayKeys({ focused, first, follow, onMove, onOpen })
  useSwipe(grid, onStep)
  const counts = index.counts()
  const year = focused.slice(0, 4)
  const months = useMemo(() => Array.from({ length: 12 }, (_, n) => `${year}-${String(n + 1).padStart(2, '0')}`), [year])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the days inside have the focus
    <div ref={grid} onKeyDown={onKeyDown} className="@container touch-pan-y touch-pinch-zoom">
      <div className="grid grid-cols-2 gap-x-4 gap-y-6 sm:gap-x-8 @2xl:grid-cols-3 @5xl:grid-cols-4">
        {months.map((month) => (
          <SmallMonth
            key={month}
            month={month}
            counts={counts}
            vague={index.vague.get(month)}
            focused={focused.startsWith(month) ? focused : null}
            today={today.startsWith(month) ? today : null}
            open={open?.startsWith(month) ? open : null}
            first={first}
            onOpen={onOpen}
            onMonth={onMonth}
            onVague={onVague}
          />
        ))}
      </div>
    </div>
  )
}

interface SmallMonthProps {
  month: string
  counts: ReadonlyMap<string, number>
  vague: readonly Item[] | undefined
  focused: string | null
  today: string | null
  open: string | null
  first: number
  onOpen: (day: string) => void
  onMonth: (month: string) => void
  onVague: (month: string) => void
}

const SmallMonth = memo(function SmallMonth({
  month,
  counts,
  vague,
  focused,
  today,
  open,
  first,
  onOpen,
  onMonth,
  onVague,
}: SmallMonthProps) {
  const begin = numberOf(`${month}-01`)
  return (
    <section aria-label={formatMonth(month)}>
      <div className="flex items-baseline justify-between gap-2">
        <h2>
          <button
            type="button"
            onClick={() => onMonth(month)}
            className="rounded-sm px-1.5 py-1 font-semibold first-letter:uppercase hover:text-accent"
          >
            {formatMonthName(Number(month.slice(5, 7)))}
            <span className="sr-only"> {Number(month.slice(0, 4))}</span>
          </button>
        </h2>
        {vague && (
          <button type="button" onClick={() => onVague(month)} className="truncate rounded-sm px-1 text-xs text-muted hover:text-default">
            <Trans>
              +{vague.length} sometime
              <span className="sr-only"> in {formatMonth(month)}</span>
            </Trans>
          </button>
        )}
      </div>
      <GridPart role="grid" aria-label={formatMonth(month)}>
        <WeekdayRow first={first} short />
        {weeksOf(month, first).map((week) => (
          <GridPart key={week} role="row" className={cx(WEEK_COLUMNS, 'gap-px')}>
            {Array.from({ length: 7 }, (_, column) => {
              const number = week + column
              const day = dayAt(number)
              if (!inCalendar(number) || !day.startsWith(month)) return <GridPart key={number} role="gridcell" className="h-6 sm:h-7" />
              const count = counts.get(day) ?? 0
              return (
                <GridPart
                  key={day}
                  role="gridcell"
                  data-day={day}
                  tabIndex={day === focused ? 0 : -1}
                  aria-label={dayLabel(day, count > 0 ? countText(count, 'item') : '')}
                  aria-selected={day === open}
                  aria-current={day === today ? 'date' : undefined}
                  onClick={() => onOpen(day)}
                  className={cx(
                    'grid h-6 cursor-pointer place-items-center rounded-sm text-xs tabular-nums hover:inset-ring-1 hover:inset-ring-(--border-control) focus-visible:-outline-offset-1 data-drop:inset-ring-2 data-drop:inset-ring-(--ring) sm:h-7',
                    HEAT[heatOf(count)],
                    day === today && 'font-bold',
                    day === open ? 'inset-ring-2 inset-ring-(--text)' : day === today && 'inset-ring-2 inset-ring-(--accent)',
                  )}
                >
                  {number - begin + 1}
                </GridPart>
              )
            })}
          </GridPart>
        ))}
      </GridPart>
    </section>
  )
})
