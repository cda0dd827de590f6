import { endpoint, Success } from './endpoint.ts'
import { Id, UserId } from './ids.ts'
import { z } from './zod.ts'

/**
 * One emoji under an item in a collection, or under a comment. `who` are the first people who chose it, at most 20; `original_author` is the name of who chose
 * it where it was imported from.
 */
export const Reaction = z.object({
  emoji: z.string(),
  count: z.number().int(),
  /** The caller is one of them. */
  mine: z.boolean(),
  who: z.array(z.object({ id: UserId, name: z.string(), original_author: z.string().optional() })),
})
export type Reaction = z.infer<typeof Reaction>

/** What one collection says about an item. Answers about an item that name no collection lack it; null if nobody has said anything. */
export const Answers = z.object({ comments: z.number().int(), reactions: z.array(Reaction) })
export type Answers = z.infer<typeof Answers>

const OfItem = z.strictObject({ collection_id: Id })
const Reactions = Success.extend({ reactions: z.array(Reaction) })

export const addPostReaction = endpoint({
  method: 'PUT',
  path: '/api/post/{id}/reactions/{emoji}',
  summary: 'React to a post in a collection',
  guests: true,
  query: OfItem,
  response: Reactions,
})
export const removePostReaction = endpoint({
  method: 'DELETE',
  path: '/api/post/{id}/reactions/{emoji}',
  summary: 'Take back a reaction to a post',
  guests: true,
  query: OfItem,
  response: Reactions,
})
export const addAssetReaction = endpoint({
  method: 'PUT',
  path: '/api/asset/{id}/reactions/{emoji}',
  summary: 'React to an asset in a collection',
  guests: true,
  query: OfItem,
  response: Reactions,
})
export const removeAssetReaction = endpoint({
  method: 'DELETE',
  path: '/api/asset/{id}/reactions/{emoji}',
  summary: 'Take back a reaction to an asset',
  guests: true,
  query: OfItem,
  response: Reactions,
})
export const addCommentReaction = endpoint({
  method: 'PUT',
  path: '/api/comments/{id}/reactions/{emoji}',
  summary: 'React to a comment',
  guests: true,
  response: Reactions,
})
export const removeCommentReaction = endpoint({
  method: 'DELETE',
  path: '/api/comments/{id}/reactions/{emoji}',
  summary: 'Take back a reaction to a comment',
  guests: true,
  response: Reactions,
})
