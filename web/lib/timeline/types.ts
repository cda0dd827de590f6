import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'

/** A day of the timeline, or a month or year at that zoom. The same object as long as nothing in it changes. */
export interface TimelineSection {
  day: string | null
  /** `2025-05` or `2025`, if nothing on the day is known more precisely. */
  vague: string | null
  /** Key of its first row after the gap. */
  key: string
  count: number
  /** Approximate rendering cost, in posts and photos. */
  size: number
  /** Interval to the section above, if it is long. */
  gap: string | null
  /** Its rows, created on the first call. */
  entries(): readonly TimelineEntry[]
  /** Estimated height of all its rows, without creating them. */
  guess(width: number): number
}

/** One row of the timeline. `day` is its day: `2025-05-03`, for a digest `2025-05` or `2025`, null for no date. */
export type TimelineEntry = { key: string; day: string | null } & (
  | { kind: 'day'; vague: string | null }
  | { kind: 'post'; post: Post }
  | { kind: 'assets'; assets: Asset[] }
  | { kind: 'gap'; text: string }
  | ({ kind: 'digest' } & Digest)
  /** Far from the screen: a placeholder for all rows of its section, under the key of the first. */
  | { kind: 'closed'; section: TimelineSection }
)

export interface Digest {
  ids: string[]
  /** Some of its photos, spread over the period. */
  covers: Asset[]
  assets: Asset[]
  posts: Post[]
}
