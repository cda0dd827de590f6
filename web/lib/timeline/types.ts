import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'

/** A day of the timeline, or a month or a year where it shows no more of them. The same object as long as nothing of it changes. */
export interface TimelineSection {
  day: string | null
  /** Of its first row, a gap before it aside. */
  key: string
  /** Posts and pictures that it shows. */
  count: number
  /** About how much work it is to draw, in posts and pictures. */
  size: number
  /** How much later the section above it is, where that is far. */
  gap: string | null
  /** Its rows, made when they are first asked for. */
  entries(): readonly TimelineEntry[]
  /** How high all its rows are, about, without making them. */
  guess(width: number): number
}

/** One row of the timeline. `day` is the day it belongs to: `2025-05-03`, of a digest `2025-05` or `2025`, null for no date. */
export type TimelineEntry = { key: string; day: string | null } & (
  | { kind: 'day' }
  | { kind: 'post'; post: Post }
  | { kind: 'assets'; assets: Asset[] }
  | { kind: 'gap'; text: string }
  | ({ kind: 'digest' } & Digest)
  /** Far from the screen: stands for all rows of its section, under the key of the first. */
  | { kind: 'closed'; section: TimelineSection }
)

/** What a month or a year held. */
export interface Digest {
  /** Of everything in it. */
  ids: string[]
  /** Some of its pictures, from all over it. */
  covers: Asset[]
  assets: Asset[]
  posts: Post[]
}
