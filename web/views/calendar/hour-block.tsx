import { useAtomValue } from 'jotai'
import { useLayoutEffect, useRef } from 'react'
import { joined } from '#language'
import type { Post } from '../../../contract/posts.ts'
import type { DraggedPost } from '../../atoms/calendar-drag.ts'
import { mayEditAtom } from '../../atoms/rights.ts'
import { type HourBlock, layOutHours } from '../../lib/calendar/hours.ts'
import { rowAt } from '../../lib/calendar/move.ts'
import { formatDay, formatTime, formatZone } from '../../lib/dates/text.ts'
import { cx } from '../../ui/cx.ts'
import { useDraggable } from './drag-dates.tsx'
import { HOUR } from './use-first-hour.ts'
import { HOUR_KEYS, type HourKeys } from './use-hour-keys.ts'

/** Minutes from which there is room for the time below the title. */
const TWO_LINES = 45

const FACE = 'flex size-full overflow-hidden rounded-sm border-s-3 px-1.5 text-start text-xs'
const faceOf = ({ begin, end }: HourBlock) => (end - begin < TWO_LINES ? 'items-center gap-1.5' : 'flex-col py-0.5')
const boxOf = ({ begin, end, column, columns }: HourBlock) => ({
  top: (begin / 60) * HOUR,
  height: ((end - begin) / 60) * HOUR,
  insetInlineStart: `${(column / columns) * 100}%`,
  width: `${100 / columns}%`,
})

const COLOURS = { event: 'border-accent bg-accent-soft text-accent', note: 'border-strong bg-muted' }

/** `20:00–22:30`, in the time zone of the location. */
function timeOf({ date, ends_at, date_zone }: Post): string {
  const from = date ? formatTime(date, date_zone) : ''
  return ends_at && ends_at !== date ? `${from}–${formatTime(ends_at, date_zone)}` : from
}

interface HourBlockProps {
  block: HourBlock
  /** The post is being moved to another time. */
  away: boolean
  keys: (post: Post) => HourKeys
  onOpen: () => void
}

export function HourBlockItem({ block, away, keys, onOpen }: HourBlockProps) {
  const { post } = block
  const editable = useAtomValue(mayEditAtom)(post)
  const drag = useDraggable(editable ? { items: [post], timed: post } : null)
  const time = timeOf(post)
  return (
    <li className="absolute p-px" style={boxOf(block)}>
      <button
        type="button"
        data-post={post.id}
        {...drag}
        {...(editable && { ...keys(post), 'aria-keyshortcuts': HOUR_KEYS })}
        onClick={onOpen}
        title={`${post.title} · ${joined([time, formatZone(post.date_zone)])}`}
        className={cx(FACE, faceOf(block), 'select-none', away ? 'border-strong bg-muted text-muted' : COLOURS[post.type])}
      >
        <span className="max-w-full truncate font-medium" dir="auto">
          {post.title}
        </span>
        <span className="max-w-full truncate tabular-nums">{time}</span>
      </button>
    </li>
  )
}

/** Preview of a moved post at its new time. */
export function HourPreview({ dragged: { post, slot, by } }: { dragged: DraggedPost }) {
  const ref = useRef<HTMLLIElement>(null)
  const row = rowAt(post, slot)
  const [block] = layOutHours([row])
  const top = block?.begin
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at every new position
  useLayoutEffect(() => {
    if (by === 'keys') ref.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [by, top, slot.day])
  if (!block) return null
  return (
    <li ref={ref} aria-hidden="true" data-ghost="" className="pointer-events-none absolute z-20 scroll-m-6 p-px" style={boxOf(block)}>
      <span className={cx(FACE, faceOf(block), 'border-accent bg-accent text-on-accent shadow-raised')}>
        <span className="max-w-full shrink-0 truncate font-semibold tabular-nums">{timeOf(row)}</span>
        <span className="max-w-full truncate" dir="auto">
          {post.title}
        </span>
      </span>
    </li>
  )
}

/** The same in words, for users who move it by keyboard and do not see it. */
export function draggedPostText({ post, slot }: DraggedPost): string {
  return joined([formatDay(slot.day), timeOf(rowAt(post, slot))])
}
