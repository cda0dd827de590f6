import { useAtomValue } from 'jotai'
import type { RefObject } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Post } from '../../../contract/posts.ts'
import { type DraggedPost, draggedPostAtom } from '../../atoms/calendar-drag.ts'
import type { HourColumn } from '../../lib/calendar/hours.ts'
import { formatClock, formatDay, formatHour } from '../../lib/dates/text.ts'
import { cx } from '../../ui/cx.ts'
import { draggedPostText, HourBlockItem, HourPreview } from './hour-block.tsx'
import { HALF_LINE, HOUR } from './use-first-hour.ts'
import { type HourKeys, useHourKeys } from './use-hour-keys.ts'
import { useMinutes } from './use-now.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

interface HourGridProps {
  scroller: RefObject<HTMLElement | null>
  columns: readonly HourColumn[]
  today: string
  onOpen: (day: string) => void
}

/** Posts at their time of day, side by side where they overlap. They can be moved with the pointer or with Alt and the arrow keys. */
export function HourGrid({ scroller, columns, today, onOpen }: HourGridProps) {
  const thisWeek = columns.some(({ day }) => day === today)
  const dragged = useAtomValue(draggedPostAtom)
  const keys = useHourKeys(
    scroller,
    columns.map(({ day }) => day),
  )
  return (
    <section
      ref={scroller}
      aria-label={t`Hours`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
      tabIndex={0}
      className="h-[28rem] min-h-72 grow overflow-y-auto focus-visible:-outline-offset-2 max-sm:h-auto max-sm:overflow-visible lg:h-0"
    >
      <p role="status" className="sr-only">
        {dragged?.by === 'keys' && draggedPostText(dragged)}
      </p>
      <div className="flex">
        <div aria-hidden="true" className="relative w-12 shrink-0 max-sm:sticky max-sm:start-0 max-sm:z-15 max-sm:bg-page">
          {HOURS.map((hour) => (
            <div key={hour} style={{ height: HOUR }} className="relative pe-2 text-end text-xs text-dimmed tabular-nums">
              <span className={cx('relative', hour > 0 && '-top-2')}>{formatHour(hour)}</span>
            </div>
          ))}
          {thisWeek && <NowLabel />}
        </div>
        <div className="grid min-w-0 grow grid-cols-[repeat(7,minmax(0,1fr))] border-x border-b">
          {columns.map((column) => (
            <DayOfHours key={column.day} column={column} isToday={column.day === today} dragged={dragged} keys={keys} onOpen={onOpen} />
          ))}
        </div>
      </div>
    </section>
  )
}

interface DayOfHoursProps {
  column: HourColumn
  isToday: boolean
  dragged: DraggedPost | null
  keys: (post: Post) => HourKeys
  onOpen: (day: string) => void
}

function DayOfHours({ column: { day, blocks }, isToday, dragged, keys, onOpen }: DayOfHoursProps) {
  return (
    <ul
      data-day={day}
      data-hours=""
      aria-label={formatDay(day)}
      style={{ height: 24 * HOUR, backgroundSize: `100% ${HOUR}px` }}
      className="relative bg-linear-to-b from-(--border) from-[1px] to-transparent to-[1px] not-first:border-s data-drop:bg-accent-soft"
    >
      {blocks.map((block) => (
        <HourBlockItem key={block.post.id} block={block} away={block.post.id === dragged?.post.id} keys={keys} onOpen={() => onOpen(day)} />
      ))}
      {dragged?.slot.day === day && <HourPreview dragged={dragged} />}
      {isToday && <NowLine />}
    </ul>
  )
}

function NowLine() {
  const minutes = useMinutes()
  return (
    <li className="pointer-events-none absolute inset-x-0 z-10 h-0.5 -translate-y-1/2 bg-danger" style={{ top: (minutes / 60) * HOUR }}>
      <span className="absolute top-1/2 start-0 size-2 -translate-1/2 rounded-full bg-danger" />
      <span className="sr-only">
        <Trans>Now, {formatClock(minutes)}</Trans>
      </span>
    </li>
  )
}

/** Replaces the label of the hour when both would overlap. */
function NowLabel() {
  const minutes = useMinutes()
  return (
    <span
      className="absolute end-2 -translate-y-1/2 bg-page py-0.5 text-xs font-semibold text-danger tabular-nums"
      style={{ top: Math.max((minutes / 60) * HOUR, HALF_LINE / 2) }}
    >
      {/* The position says which half of the day. */}
      {formatClock(minutes).split(' ')[0]}
    </span>
  )
}
