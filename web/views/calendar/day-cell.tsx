import { useAtomValue } from 'jotai'
import { memo } from 'react'
import { t } from '#say'
import { Plural } from '#say/react'
import type { Post } from '../../../contract/posts.ts'
import { mayEditAtom } from '../../atoms/rights.ts'
import type { DayContent } from '../../lib/calendar/day-index.ts'
import { addDays } from '../../lib/calendar/days.ts'
import { type Bar, fitDay } from '../../lib/calendar/lanes.ts'
import { countsText, dayLabel } from '../../lib/calendar/words.ts'
import { formatDate } from '../../lib/dates/text.ts'
import { cx } from '../../ui/cx.ts'
import { DayMosaic } from './day-mosaic.tsx'
import { useDraggable } from './drag-dates.tsx'
import { EventBar } from './event-bar.tsx'
import { GridPart } from './grid-part.tsx'

interface DayCellProps {
  day: string
  content: DayContent | undefined
  /** All bars of the week. */
  bars: readonly Bar[]
  column: number
  /** Maximum number of lines for events and notes. */
  lines: number
  dimmed?: boolean
  isToday: boolean
  isOpen: boolean
  tabbable: boolean
  onOpen: (day: string) => void
}

/** One day: its number, its part of the event bars, notes as lines, and a mosaic of its photos in the remaining space. */
export const DayCell = memo(function DayCell(props: DayCellProps) {
  const { day, content, bars, column, lines, dimmed = false, isToday, isOpen, tabbable, onOpen } = props
  const mayEdit = useAtomValue(mayEditAtom)
  const here = bars.filter((bar) => bar.column <= column && column < bar.column + bar.columns)
  const { assets = [], notes = [] } = content ?? {}
  const fit = fitDay(
    here.map(({ lane }) => lane),
    notes.length,
    lines,
  )
  const open = () => onOpen(day)
  return (
    <GridPart
      role="gridcell"
      data-day={day}
      tabIndex={tabbable ? 0 : -1}
      aria-selected={isOpen}
      aria-current={isToday ? 'date' : undefined}
      onClick={open}
      className={cx(
        'relative flex min-w-0 cursor-pointer flex-col gap-1 p-1 transition-colors duration-(--fast) not-first:border-s hover:bg-accent-faint dark:hover:bg-muted',
        'focus-visible:z-20 focus-visible:outline-2 focus-visible:-outline-offset-2 data-drop:bg-accent-soft data-drop:inset-ring-2 data-drop:inset-ring-(--ring)',
        dimmed ? 'bg-rail' : isOpen && 'bg-accent-faint',
        isOpen && 'dark:bg-muted',
      )}
    >
      {/* The cell's accessible name is all of its content, this first. */}
      <span className="sr-only">{dayLabel(day, countsText(assets, here.length, notes.length))}</span>
      <div aria-hidden="true" className="flex h-6 shrink-0 items-center justify-between gap-1 @max-xl/week:justify-center">
        <DayNumber day={day} isToday={isToday} dimmed={dimmed} />
        {fit.more > 0 && (
          <span className="truncate pe-0.5 text-xs text-muted tabular-nums @max-xl/week:hidden">
            <Plural value={fit.more} one="+# more" other="+# more" />
          </span>
        )}
      </div>
      {fit.height > 0 && <div className="shrink-0" style={{ height: `calc(${fit.height} * var(--lane) - 0.125rem)` }} />}
      {bars
        .filter((bar) => bar.column === column && bar.lane < lines)
        .map((bar) => (
          <EventBar key={bar.post.id} bar={bar} last={addDays(day, bar.columns - 1)} editable={mayEdit(bar.post)} onOpen={open} />
        ))}
      {notes.slice(0, fit.notes).map((note) => (
        <NoteLine key={note.id} note={note} editable={mayEdit(note)} onOpen={open} />
      ))}
      {assets.length > 0 && (
        <DayMosaic
          assets={assets}
          movable={assets.filter(mayEdit)}
          onOpen={open}
          className={cx('min-h-7.5 grow', dimmed && 'opacity-60')}
        />
      )}
    </GridPart>
  )
})

function DayNumber({ day, isToday, dimmed }: { day: string; isToday: boolean; dimmed: boolean }) {
  const number = Number(day.slice(8))
  return (
    <span
      className={cx(
        'grid h-6 min-w-6 place-items-center rounded-full px-1 text-xs font-semibold tabular-nums',
        isToday ? 'bg-accent text-on-accent' : dimmed ? 'text-dimmed' : '',
      )}
    >
      {number === 1 && !isToday ? (
        <>
          <span className="@max-xl/week:hidden">{formatDate(day, day.slice(0, 4))}</span>
          <span className="@xl/week:hidden">1</span>
        </>
      ) : (
        number
      )}
    </span>
  )
}

function NoteLine({ note, editable, onOpen }: { note: Post; editable: boolean; onOpen: () => void }) {
  const drag = useDraggable(editable ? { items: [note] } : null)
  return (
    <button
      type="button"
      tabIndex={-1}
      {...drag}
      onClick={onOpen}
      aria-label={t`${{ title: note.title }}, note`}
      className="flex h-[1.125rem] w-full shrink-0 items-center gap-1.5 rounded-sm px-1.5 text-start text-xs text-muted select-none hover:bg-muted @max-xl/week:h-1.5 @max-xl/week:justify-center"
    >
      <span className="size-1.5 shrink-0 rounded-full border border-(--text-dimmed)" />
      <span className="truncate @max-xl/week:hidden" dir="auto">
        {note.title}
      </span>
    </button>
  )
}
