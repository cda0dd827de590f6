import { joined } from '#language'
import { t } from '#say'
import { dayOf } from '../../contract/dates.ts'
import type { Post } from '../../contract/posts.ts'
import { endOf } from '../lib/dates/moments.ts'
import { formatDay, formatTime, formatWhen, formatZone } from '../lib/dates/text.ts'
import { localZone } from '../lib/dates/zones.ts'
import { kindLabel } from '../lib/posts/kind-label.ts'

/** One word for a post: its kind, or its type when the kind adds nothing. */
export function kindOfPost({ kind, type }: Pick<Post, 'kind' | 'type'>): string {
  return kindLabel(kind && kind !== 'other' ? kind : type)
}

/** Time of a post below a heading that already names its day: the time, or the day when the post lasts longer. */
export function whenBelowDay(post: Pick<Post, 'date' | 'date_zone' | 'date_precision' | 'ends_at'>): string | null {
  const { date, date_zone, date_precision, ends_at } = post
  if (date === null) return null
  if (date_precision !== 'minute' && date_precision !== 'day') return formatWhen(post)
  const [start, end] = [dayOf(date, date_zone), endOf(post)]
  const lastDay = end !== null && end.day !== start ? formatDay(end.day, 'short') : null
  const from = date_precision === 'minute' ? formatTime(date, date_zone) : ''
  if (!end?.time || !ends_at || ends_at === date) return joined([from, lastDay && t`until ${lastDay}`]) || null
  const to = formatTime(ends_at, date_zone)
  return lastDay ? t`${from} until ${lastDay}, ${to}` : `${from}–${to}`
}

/** Full date of a post in its own time zone: `Friday, 1 May 2026, 09:30–11:00, Tokyo time`. Null without a date. */
export function whenInFull(post: Pick<Post, 'date' | 'date_zone' | 'date_precision' | 'ends_at'>, here = localZone()): string | null {
  const { date, date_zone: zone, date_precision: precision, ends_at: end } = post
  if (date === null) return null
  if (precision !== 'minute' && precision !== 'day') return formatWhen(post)
  const [first, last] = [dayOf(date, zone), endOf(post)]
  const timed = precision === 'minute'
  const from = joined([formatDay(first), timed && formatTime(date, zone)])
  const until = end && last && end !== date && joined([last.day !== first && formatDay(last.day), last.time && formatTime(end, zone)])
  const span = until ? `${from}${last?.day === first ? '–' : ' – '}${until}` : from
  return timed && zone !== here ? joined([span, formatZone(zone)]) : span
}
