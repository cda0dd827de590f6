import { endpoint, Success } from './endpoint.ts'
import { Id, UserId } from './ids.ts'
import { limitOf } from './paging.ts'
import { z } from './zod.ts'

export const FeedKind = z.enum(['post', 'asset', 'member'])

/** What it takes to draw an asset. `type` is its media type. */
export const FeedAsset = z.object({
  id: Id,
  type: z.string(),
  version: z.number().int(),
  thumbhash: z.string().nullable(),
  renditions: z.array(z.enum(['thumb', 'preview'])),
})
export type FeedAsset = z.infer<typeof FeedAsset>

/**
 * One of the items that came: a post by its title, an asset by its name. `type` is the post's type or the asset's media type. A post
 * has the beginning of its text as `excerpt`, and as `cover` its first picture that the caller sees.
 */
export const FeedSample = FeedAsset.extend({ title: z.string(), excerpt: z.string(), cover: FeedAsset.nullable() })
export type FeedSample = z.infer<typeof FeedSample>

/**
 * What one person added to one collection on one day (UTC), posts and assets apart: "Ana added 42 photos to Kyoto"; or that somebody
 * else joined it, as the kind `member`. `at` is the newest of it, `samples` the newest few that are still there. Of assets, `photos`
 * and `videos` say how many are one.
 */
export const FeedItem = z.object({
  id: Id,
  kind: FeedKind,
  collection_id: Id,
  collection_name: z.string(),
  user_id: UserId,
  user_name: z.string(),
  at: z.string(),
  count: z.number().int(),
  photos: z.number().int(),
  videos: z.number().int(),
  samples: z.array(FeedSample),
})
export type FeedItem = z.infer<typeof FeedItem>

/** `excerpt` in characters. */
export const FEED = { size: 30, maxSize: 100, samples: 4, excerpt: 280 } as const

export const FeedQuery = z.strictObject({ limit: limitOf(FEED.maxSize).optional(), cursor: z.string().max(400).optional() })
export type FeedQuery = z.infer<typeof FeedQuery>

export const getFeed = endpoint({
  method: 'GET',
  path: '/api/feed',
  summary: 'What is new in all collections of the caller, newest first, grouped',
  query: FeedQuery,
  response: Success.extend({
    items: z.array(FeedItem),
    nextCursor: z.string().nullable(),
    /** When the caller last looked, on whatever device; null if never. */
    seenAt: z.string().nullable(),
    /** When this was read, by the clock that `at` is of. */
    asOf: z.string(),
  }),
})

/** `seenAt`: the `asOf` of what was looked at. It never goes back. */
export const FeedVisit = z.strictObject({ seenAt: z.iso.datetime({ offset: true, error: 'A moment looks like 2026-05-01T08:00:00Z' }) })
export type FeedVisit = z.infer<typeof FeedVisit>

export const putFeedVisit = endpoint({
  method: 'PUT',
  path: '/api/feed/visit',
  summary: 'Say up to when you have seen what is new',
  body: FeedVisit,
  response: Success.extend({ seenAt: z.string() }),
})
