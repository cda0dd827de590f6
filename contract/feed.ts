import { Moment } from './dates.ts'
import { endpoint, Success } from './endpoint.ts'
import { Id, UserId } from './ids.ts'
import { pageLimit } from './paging.ts'
import { Answers } from './reactions.ts'
import { z } from './zod.ts'

export const FeedKind = z.enum(['post', 'asset', 'member', 'comment'])

/** `type` is the media type, `version` that of the file (`file_version`). */
export const FeedAsset = z.object({
  id: Id,
  type: z.string(),
  version: z.number().int(),
  thumbhash: z.string().nullable(),
  renditions: z.array(z.enum(['thumb', 'preview'])),
})
export type FeedAsset = z.infer<typeof FeedAsset>

/**
 * One of the added items. `type` is the post's type or the asset's media type; `title` the post's title or the asset's name. `excerpt` is the
 * start of a post's text, `cover` its first asset that the caller sees.
 */
export const FeedSample = FeedAsset.extend({
  title: z.string(),
  excerpt: z.string(),
  cover: FeedAsset.nullable(),
})
export type FeedSample = z.infer<typeof FeedSample>

/**
 * The item at which an entry is answered: the only one, or the one that was added first. `type` is the post's type or the asset's media type, `title` the
 * post's title or the asset's name. `answers` are null if nobody has said anything.
 */
export const FeedThread = z.object({
  item: z.object({ kind: z.enum(['post', 'asset']), id: Id }),
  type: z.string(),
  title: z.string(),
  answers: Answers.nullable(),
})
export type FeedThread = z.infer<typeof FeedThread>

/** `text` is the start of the newest comment, `others` the number of people besides its author. `own`: the caller is the author of the item. */
export const FeedComment = z.object({ text: z.string(), others: z.number().int(), mentioned: z.boolean(), own: z.boolean() })
export type FeedComment = z.infer<typeof FeedComment>

/**
 * The posts or the assets that one person added to one collection on one day (UTC), such as "Ana added 42 photos to Kyoto"; or a new member,
 * as the kind `member`. `at` is the time of the newest, `samples` are the newest that still exist. `photos` and `videos` are numbers of assets
 * of that kind. The parts of a group count once, as its cover.
 *
 * The kind `comment` is what others said on one day about one item, in comments that concern the caller: as the item's author, as somebody who
 * commented on it before, or by a mention. `user_id` is the author of the newest, `count` the number of comments, and the item the one sample.
 */
export const FeedItem = z.object({
  id: Id,
  kind: FeedKind,
  collection_id: Id,
  collection_name: z.string(),
  user_id: UserId,
  user_name: z.string(),
  /** Version of the user's picture; null without one, and for users who are no longer members. */
  user_avatar: z.string().nullable(),
  at: z.string(),
  count: z.number().int(),
  photos: z.number().int(),
  videos: z.number().int(),
  samples: z.array(FeedSample),
  /** Null for members. Always sent, as is `comment`; what a browser stored before there were these fields lacks them. */
  thread: FeedThread.nullable().optional(),
  /** Only of the kind `comment`. */
  comment: FeedComment.nullable().optional(),
})
export type FeedItem = z.infer<typeof FeedItem>

/** `excerpt` in characters. */
export const FEED = { size: 30, maxSize: 100, samples: 4, excerpt: 280 } as const

export const FeedQuery = z.strictObject({ limit: pageLimit(FEED.maxSize).optional(), cursor: z.string().max(400).optional() })
export type FeedQuery = z.infer<typeof FeedQuery>

export const getFeed = endpoint({
  method: 'GET',
  path: '/api/feed',
  summary: 'Activity in all collections of the caller, newest first, grouped',
  query: FeedQuery,
  response: Success.extend({
    items: z.array(FeedItem),
    nextCursor: z.string().nullable(),
    /** Time up to which the caller has seen the feed, on any device; null if never. */
    seenAt: z.string().nullable(),
    /** Time of this response, by the same clock as `at`. */
    asOf: z.string(),
  }),
})

/** `seenAt` is the `asOf` of the response that the user has seen. The stored time never goes back. */
export const FeedVisit = z.strictObject({
  seenAt: Moment,
})
export type FeedVisit = z.infer<typeof FeedVisit>

export const putFeedVisit = endpoint({
  method: 'PUT',
  path: '/api/feed/visit',
  summary: 'Mark the feed as seen',
  body: FeedVisit,
  response: Success.extend({ seenAt: z.string() }),
})
