import { joined, listText } from '#language'
import { plural, t } from '#say'
import type { Asset } from '../../../contract/assets.ts'
import type { BulkDate } from '../../../contract/bulk.ts'
import type { Location } from '../../../contract/locations.ts'
import type { Post } from '../../../contract/posts.ts'
import { isIn } from '../content/is-post.ts'
import { momentOf } from '../content/order.ts'
import { formatWhen } from '../dates/text.ts'
import { dated, targetOf } from '../outbox/rows.ts'

export type Item = Post | Asset
export type DateChange = Omit<BulkDate, 'ids'>

export interface Plan {
  /** The items that change; only these are sent. */
  change: Item[]
  /** Number of items that already have the wanted value. */
  already: number
  /** Number of items that the user may not change. */
  denied: number
  /** Number of items without a date to shift. */
  undated: number
  /** Number of items that would leave the years 1 to 9999. */
  beyond: number
  from: string
  to: string
}

type May = (item: Item) => boolean
const NOTHING = { already: 0, denied: 0, undated: 0, beyond: 0, from: '', to: '' }

export function planDate(items: readonly Item[], may: May, to: DateChange): Plan {
  const plan: Plan = { ...NOTHING, change: [] }
  const after: Item[] = []
  for (const item of items) {
    const next = dated(item, to, targetOf(item, to))
    if (!may(item)) plan.denied++
    else if (to.shift && item.date === null) plan.undated++
    else if (to.shift && !isMoved(item, next)) plan.beyond++
    else if (!to.shift && isSameDate(item, next)) plan.already++
    else {
      plan.change.push(item)
      after.push(next)
    }
  }
  return { ...plan, from: spanOf(plan.change), to: spanOf(after) }
}

function isMoved(item: Item, next: Item): boolean {
  const [before, moment] = [Date.parse(item.date ?? ''), Date.parse(next.date ?? '')]
  const year = new Date(moment).getUTCFullYear()
  return moment !== before && year >= 1 && year <= 9999
}

/** Ignores seconds: the form does not ask for them. */
function isSameDate(item: Item, next: Item): boolean {
  const zoned = next.date_precision === 'minute' || next.date_precision === 'day'
  return (
    item.date_precision === next.date_precision &&
    formatWhen(item) === formatWhen(next) &&
    (!zoned || (item.date_zone ?? 'UTC') === (next.date_zone ?? 'UTC'))
  )
}

/** `3 May 2019`, or from the first to the last of several. */
function spanOf(items: readonly Item[]): string {
  const known = items.filter(({ date }) => date !== null)
  const [first, ...rest] = known
  const parts = known.length < items.length ? [t`no date`] : []
  if (first) {
    let [early, late] = [first, first]
    for (const item of rest) {
      if (momentOf(item) < momentOf(early)) early = item
      if (momentOf(item) > momentOf(late)) late = item
    }
    const [begin, end] = [formatWhen(early), formatWhen(late)]
    parts.push(begin === end ? begin : `${begin} – ${end}`)
  }
  return joined(parts)
}

/** Null removes the location. */
export function planLocation(items: readonly Item[], may: May, to: Location | null): Plan {
  const allowed = items.filter(may)
  const change = allowed.filter(({ location }) => !isSameLocation(location, to))
  const names = [...new Set(change.map(({ location }) => (location ? locationName(location) : t`no place`)))]
  const counts = { already: allowed.length - change.length, denied: items.length - allowed.length }
  return {
    ...NOTHING,
    ...counts,
    change,
    from: names.length > 2 ? t`${plural(names.length, { one: '# place', other: '# places' })}` : listText(names),
    to: to ? locationName(to) : t`no place`,
  }
}

function isSameLocation(a: Location | null, b: Location | null): boolean {
  return a === b || (a !== null && b !== null && a.lat === b.lat && a.lon === b.lon && (a.name ?? '') === (b.name ?? ''))
}

export function locationName({ name, lat, lon }: Location): string {
  return name ?? `${lat.toFixed(4)}, ${lon.toFixed(4)}`
}

/** `add` and `remove` are ids of people to tag or untag on all items. */
export function planPeople(items: readonly Item[], may: May, add: readonly string[], remove: readonly string[]): Plan {
  const allowed = items.filter(may)
  const change = allowed.filter(({ people }) => add.some((id) => !people.includes(id)) || remove.some((id) => people.includes(id)))
  return { ...NOTHING, change, already: allowed.length - change.length, denied: items.length - allowed.length }
}

/** Only the user's own items can be added to other collections. */
export function planLink(items: readonly Item[], isOwn: May, collectionIds: readonly string[]): Plan {
  const own = items.filter(isOwn)
  const change = own.filter((item) => collectionIds.some((id) => !isIn(item, id)))
  return { ...NOTHING, change, already: own.length - change.length, denied: items.length - own.length }
}

/** Items about to leave a collection. `lost` counts those that are then in none the user can see. */
export function planUnlink(items: readonly Item[], may: May, collectionId: string): Plan & { lost: number } {
  const allowed = items.filter(may)
  const lost = allowed.filter(({ collections }) => collections.every(({ collection_id }) => collection_id === collectionId)).length
  return { ...NOTHING, change: allowed, denied: items.length - allowed.length, lost }
}

export type Share = 'none' | 'some' | 'all'
export function shareOf(count: number, of: number): Share {
  return count === 0 ? 'none' : count === of ? 'all' : 'some'
}
