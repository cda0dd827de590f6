import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { type DayItems, vaguePeriod } from '../content/days.ts'
import { isPost } from '../content/is-post.ts'
import { mergeSorted } from '../content/order.ts'
import type { TimelineEntry } from './types.ts'

/** Photos of a day in one run, if no post comes between them. */
const MAX_TOGETHER = 60

/**
 * Posts and runs of photos by time, newest first. Runs are keyed by their position in the day, so that an added photo does not change the
 * key.
 */
export function dayEntries(items: DayItems): TimelineEntry[] {
  const { day } = items
  const runs: TimelineEntry[] = []
  for (const item of shownOf(items)) {
    const last = runs.at(-1)
    if (isPost(item)) runs.push({ kind: 'post', key: item.id, day, post: item })
    else if (last?.kind === 'assets' && last.assets.length < MAX_TOGETHER) last.assets.push(item)
    else runs.push({ kind: 'assets', key: `assets-${day}-${runs.length}`, day, assets: [item] })
  }
  return [{ kind: 'day', key: dayKey(day), day, vague: vagueOf(items) }, ...runs]
}

export const vagueOf = ({ day, posts, assets }: DayItems) => vaguePeriod(day, posts, assets)

export const dayKey = (day: string | null) => `day-${day}`

/** Posts and photos of a day, newest first. Photos that one of its posts shows are not repeated. */
export function shownOf({ posts, unattached }: DayItems): (Post | Asset)[] {
  return mergeSorted(posts, unattached)
}

export function itemsIn(entry: TimelineEntry): { id: string }[] {
  if (entry.kind === 'post') return [entry.post]
  if (entry.kind === 'assets') return entry.assets
  return entry.kind === 'digest' ? entry.ids.map((id) => ({ id })) : []
}
