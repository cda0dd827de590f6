import { useAtomValue } from 'jotai'
import type { RefObject } from 'react'
import { mayEditAtom } from '../../atoms/calendar.ts'
import type { HourBlock } from '../../lib/calendar-hours.ts'
import { formatDay, formatTime, formatZone } from '../../lib/date-text.ts'
import { cx } from '../../ui/cx.ts'
import { useDraggable } from './drag-dates.tsx'
import { HALF_LINE, HOUR } from './use-first-hour.ts'
import { useMinutes } from './use-now.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** Minutes from which there is room for the time below the title. */
const TWO_LINES = 45

interface HourGridProps {
  scroller: RefObject<HTMLElement | null>
  columns: readonly HourColumn[]
  today: string
  onOpen: (day: string) => void
}

export interface HourColumn {
  day: string
  blocks: readonly HourBlock[]
}

/** Posts at their time of day, side by side where they overlap. */
export function HourGrid({ scroller, columns, today, onOpen }: HourGridProps) {
  const thisWeek = columns.some(({ day }) => day === today)
  return (
    <section
      ref={scroller}
      aria-label="Hours"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keys
      tabIndex={0}
      className="h-[28rem] min-h-72 grow overflow-y-auto focus-visible:-outline-offset-2 max-sm:h-auto max-sm:overflow-visible lg:h-0"
    >
      <div className="flex">
        <div aria-hidden="true" className="relative w-12 shrink-0 max-sm:sticky max-sm:left-0 max-sm:z-15 max-sm:bg-page">
          {HOURS.map((hour) => (
            <div key={hour} style={{ height: HOUR }} className="relative pr-2 text-right text-xs text-dimmed tabular">
              <span className={cx('relative', hour > 0 && '-top-2')}>{String(hour).padStart(2, '0')}:00</span>
            </div>
          ))}
          {thisWeek && <NowLabel />}
        </div>
        <div className="grid min-w-0 grow grid-cols-[repeat(7,minmax(0,1fr))] border-x border-b">
          {columns.map(({ day, blocks }) => (
            <ul
              key={day}
              data-day={day}
              aria-label={formatDay(day)}
              style={{ height: 24 * HOUR, backgroundSize: `100% ${HOUR}px` }}
              className="relative bg-linear-to-b from-(--border) from-[1px] to-transparent to-[1px] not-first:border-l data-drop:bg-accent-soft"
            >
              {blocks.map((block) => (
                <HourBlockItem key={block.post.id} block={block} onOpen={() => onOpen(day)} />
              ))}
              {day === today && <NowLine />}
            </ul>
          ))}
        </div>
      </div>
    </section>
  )
}

function NowLine() {
  const minutes = useMinutes()
  return (
    <li className="pointer-events-none absolute inset-x-0 z-10 h-0.5 -translate-y-1/2 bg-danger" style={{ top: (minutes / 60) * HOUR }}>
      <span className="absolute top-1/2 left-0 size-2 -translate-1/2 rounded-full bg-danger" />
      <span className="sr-only">Now, {clockText(minutes)}</span>
    </li>
  )
}

/** In the place of the hour's name where both would meet. */
function NowLabel() {
  const minutes = useMinutes()
  return (
    <span
      className="absolute right-2 -translate-y-1/2 bg-page py-0.5 text-xs font-semibold text-danger tabular"
      style={{ top: Math.max((minutes / 60) * HOUR, HALF_LINE / 2) }}
    >
      {clockText(minutes)}
    </span>
  )
}

const clockText = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

function HourBlockItem({ block: { post, begin, end, column, columns }, onOpen }: { block: HourBlock; onOpen: () => void }) {
  const editable = useAtomValue(mayEditAtom)(post)
  const drag = useDraggable(editable ? { items: [post] } : null)
  const from = post.date ? formatTime(post.date, post.date_zone) : ''
  const low = end - begin < TWO_LINES
  const time = post.ends_at && post.ends_at !== post.date ? `${from}–${formatTime(post.ends_at, post.date_zone)}` : from
  return (
    <li
      className="absolute p-px"
      style={{
        top: (begin / 60) * HOUR,
        height: ((end - begin) / 60) * HOUR,
        left: `${(column / columns) * 100}%`,
        width: `${100 / columns}%`,
      }}
    >
      <button
        type="button"
        {...drag}
        onClick={onOpen}
        title={`${post.title} · ${time}, ${formatZone(post.date_zone)}`}
        className={cx(
          'flex size-full overflow-hidden rounded-sm border-l-3 px-1.5 text-left text-xs select-none',
          low ? 'items-center gap-1.5' : 'flex-col py-0.5',
          post.type === 'event' ? 'border-accent bg-accent-soft text-accent' : 'border-strong bg-muted',
        )}
      >
        <span className={cx('truncate font-medium', !low && 'w-full')}>{post.title}</span>
        <span className={cx('truncate tabular', !low && 'w-full')}>{time}</span>
      </button>
    </li>
  )
}
