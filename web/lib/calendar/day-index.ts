import type { Asset } from '../../../contract/assets.ts'
import { minutesAt } from '../../../contract/date-format.ts'
import { dayOf } from '../../../contract/dates.ts'
import type { Post } from '../../../contract/posts.ts'
import { dayKeyOf, momentOf } from '../content/order.ts'
import { type DayNumber, numberOf } from './days.ts'

export type Item = Post | Asset

/** Content of one day, earliest first. */
export interface DayContent {
  assets: Asset[]
  notes: Post[]
  /** Events that begin on this day. */
  events: Post[]
}

/** An event from its first day to its last. */
export interface Span {
  post: Post
  from: DayNumber
  to: DayNumber
}

export interface CalendarIndex {
  /** By `YYYY-MM-DD`. */
  days: ReadonlyMap<string, DayContent>
  /** Items dated to the month (`YYYY-MM`) or the year (`YYYY`) only. */
  vague: ReadonlyMap<string, Item[]>
  /** Every event of a known day, by its first day. */
  spans: readonly Span[]
  undated: readonly Item[]
  /** Number of items on each day. Events count on each of their days, so this is computed on demand. */
  counts(): ReadonlyMap<string, number>
}

/** Sorts a collection into days, once per change. Both lists are newest first. */
export function indexByDay(posts: readonly Post[], assets: readonly Asset[]): CalendarIndex {
  const days = new Map<string, DayContent>()
  const vague = new Map<string, Item[]>()
  const undated: Item[] = []
  const spans: Span[] = []
  // Items come in order, so most are on the same day as the previous one.
  let last: { day: string; content: DayContent } | null = null
  const contentOf = (day: string) => {
    if (last?.day === day) return last.content
    const content = days.get(day) ?? { assets: [], notes: [], events: [] }
    days.set(day, content)
    last = { day, content }
    return content
  }
  const dayFor = (item: Item): string | null => {
    const day = dayKeyOf(item)
    if (day === null || item.date_precision === 'unknown') undated.push(item)
    else if (item.date_precision === 'month') push(vague, day.slice(0, 7), item)
    else if (item.date_precision === 'year') push(vague, day.slice(0, 4), item)
    else return day
    return null
  }
  for (let n = assets.length - 1; n >= 0; n--) {
    const asset = assets[n]
    const day = asset && dayFor(asset)
    if (day) contentOf(day).assets.push(asset)
  }
  for (let n = posts.length - 1; n >= 0; n--) {
    const post = posts[n]
    const day = post && dayFor(post)
    if (!day) continue
    contentOf(day)[post.type === 'event' ? 'events' : 'notes'].push(post)
    if (post.type === 'event') spans.push(spanOf(post, day))
  }
  let counts: Map<string, number> | undefined
  const countOnce = () => {
    counts ??= countDays(days, spans)
    return counts
  }
  return { days, vague, spans, undated, counts: countOnce }
}

function push(map: Map<string, Item[]>, key: string, item: Item) {
  const list = map.get(key)
  if (list) list.push(item)
  else map.set(key, [item])
}

// Rows never change once received, and Intl is slow at 100,000 items.
const known = new WeakMap<Post, Span>()

/** An event that ends at midnight does not extend to the day that begins then. */
export function spanOf(post: Post, day: string): Span {
  const span = known.get(post) ?? measure(post, day)
  known.set(post, span)
  return span
}

function measure(post: Post, day: string): Span {
  const from = numberOf(day)
  const last = dayOf(post.ends_at, post.date_zone)
  if (last === null || post.ends_at === null) return { post, from, to: from }
  const midnight = post.date_precision === 'minute' && minutesAt(post.ends_at, post.date_zone) === 0
  return { post, from, to: Math.max(from, numberOf(last) - (midnight ? 1 : 0)) }
}

export function spansWithin({ spans }: CalendarIndex, first: DayNumber, last: DayNumber): Span[] {
  return spans.filter(({ from, to }) => from <= last && to >= first)
}

/** Limit of days counted per event: one of a hundred years would colour every day of them. */
const MAX_DAYS = 366

function countDays(days: ReadonlyMap<string, DayContent>, spans: readonly Span[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [day, { assets, notes, events }] of days) counts.set(day, assets.length + notes.length + events.length)
  for (const { from, to } of spans) {
    for (let day = from + 1; day <= Math.min(to, from + MAX_DAYS); day++) {
      const key = new Date(day * 86_400_000).toISOString().slice(0, 10)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return counts
}

/**
 * The nearest day with items outside an empty period (`YYYY-MM` or `YYYY`), the one before it if there is any; null when the period has items.
 * `vague` are months and years with items of an unknown day.
 */
export function nearestDay(days: Iterable<string>, period: string, vague: Iterable<string> = []): string | null {
  for (const key of vague) if (key.startsWith(period)) return null
  let before: string | null = null
  let after: string | null = null
  for (const day of days) {
    if (day.startsWith(period)) return null
    if (day < period && (before === null || day > before)) before = day
    if (day > period && (after === null || day < after)) after = day
  }
  return before ?? after
}

/** Content of a day: events that continue from earlier days, then posts of the whole day, then all other items by time. */
export function itemsOn(index: CalendarIndex, day: string): { ongoing: Post[]; items: Item[] } {
  const number = numberOf(day)
  const ongoing = spansWithin(index, number, number).filter(({ from }) => from < number)
  const content = index.days.get(day)
  const { events = [], notes = [], assets = [] } = content ?? {}
  const posts = [...events, ...notes]
  const whole = posts.filter(({ date_precision }) => date_precision === 'day')
  const timed: Item[] = [...posts.filter(({ date_precision }) => date_precision !== 'day'), ...assets]
  return { ongoing: ongoing.map(({ post }) => post), items: [...whole, ...timed.sort((a, b) => momentOf(a) - momentOf(b))] }
}
