import { joined } from '#language'
import { t } from '#say'
import { kindOfPost } from '../../components/post-words.ts'
import { isTimed } from '../../lib/calendar/hours.ts'
import type { Bar } from '../../lib/calendar/lanes.ts'
import { formatDay, formatTime } from '../../lib/dates/text.ts'
import { cx } from '../../ui/cx.ts'
import { useDraggable } from './drag-dates.tsx'

interface EventBarProps {
  bar: Bar
  /** Last day of the event in this week. */
  last: string
  editable: boolean
  onOpen: () => void
}

/** An event in its lane, across its days. It is rendered in the cell of its first day in this week. */
export function EventBar({ bar, last, editable, onOpen }: EventBarProps) {
  const { post, lane, columns, before, after } = bar
  const timed = isTimed(post)
  const drag = useDraggable(editable ? { items: [post] } : null)
  const stretch = useDraggable(editable && !after ? { endOf: post, last } : null)
  const inset = `${before ? 0 : 4}px`
  return (
    <div
      className="absolute z-10 flex h-(--bar) items-stretch"
      style={{
        top: `calc(var(--head) + ${lane} * var(--lane))`,
        insetInlineStart: inset,
        // Includes the borders between the days.
        width: `calc(${columns * 100}% + ${columns - 1}px - ${inset} - ${after ? 0 : 4}px)`,
      }}
    >
      <button
        type="button"
        tabIndex={-1}
        {...drag}
        onClick={onOpen}
        aria-label={barLabel(bar, last, timed)}
        className={cx(
          'flex min-w-0 grow items-center gap-1.5 overflow-hidden rounded-sm px-1.5 text-start text-xs font-medium select-none @max-xl/week:bg-accent @max-xl/week:px-0 @max-xl/week:opacity-60',
          timed ? '@xl/week:hover:bg-muted' : 'text-accent @xl/week:bg-accent-soft hover:brightness-97 dark:hover:brightness-110',
          before && 'rounded-s-none',
          after && 'rounded-e-none',
        )}
      >
        {timed && <span className="size-1.5 shrink-0 rounded-full bg-accent @max-xl/week:hidden" />}
        {timed && post.date && <time className="shrink-0 text-muted max-lg:hidden">{formatTime(post.date, post.date_zone)}</time>}{' '}
        <span className="truncate @max-xl/week:hidden" dir="auto">
          {post.title}
        </span>
      </button>
      {editable && !after && !timed && (
        <span
          aria-hidden="true"
          {...stretch}
          className="absolute inset-y-0 end-0 w-2 cursor-ew-resize rounded-e-sm hover:bg-accent @max-xl/week:hidden"
        />
      )}
    </div>
  )
}

function barLabel({ post, columns, before, after }: Bar, last: string, timed: boolean): string {
  const { title, date, date_zone } = post
  if (timed && date) return t`${{ time: formatTime(date, date_zone) }} ${title}, event`
  if (columns === 1 && !before && !after) return joined([title, kindOfPost(post)])
  return t`${title}, event until ${{ day: formatDay(last, 'short') }}`
}
