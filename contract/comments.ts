import { t } from '#say'
import { endpoint, Success } from './endpoint.ts'
import { Id, NewId, UserId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { pageLimit } from './paging.ts'
import { Reaction } from './reactions.ts'
import { text } from './text.ts'
import { COMMENT } from './text-words.ts'
import { z } from './zod.ts'

/** A person whom the text names with `@name`. */
export const Mention = z.object({ person_id: Id, name: z.string() })

/**
 * What somebody said about an item in one collection; nobody sees it through another. Of a comment that is `hidden`, admins and its author alone get
 * the text; a `deleted` one stays without its text while others answer it.
 */
export const Comment = z.object({
  id: Id,
  item: z.object({ kind: z.enum(['post', 'asset']), id: Id }),
  collection_id: Id,
  /** `guest`: somebody with a link, without an account. `original_author` is the name of who wrote an imported one, which the author brought here. */
  author: z.object({ id: UserId, name: z.string(), guest: z.literal(true).optional(), original_author: z.string().optional() }),
  state: z.enum(['shown', 'hidden', 'deleted']),
  /** Plain text. */
  text: z.string(),
  mentions: z.array(Mention),
  /** The comment that it answers, which is on the same item. */
  reply_to: Id.nullable(),
  reactions: z.array(Reaction),
  created_at: z.string(),
  edited_at: z.string().nullable(),
  version: z.number().int(),
})
export type Comment = z.infer<typeof Comment>

/** The text of a comment, without the space around it; never empty. */
export const CommentWords = text(LIMITS.comment, COMMENT)
  .transform((s) => s.trim())
  .refine((s) => s !== '', { error: () => t`Write something` })
export const MentionIds = z.array(Id).max(LIMITS.mentionsPerComment).optional()

/** `mentions` are people of the collection. A name that the text does not contain as `@name` is not one. */
export const NewComment = z.strictObject({
  id: NewId.optional(),
  collection_id: Id,
  text: CommentWords,
  mentions: MentionIds,
  replyTo: Id.optional(),
})
export type NewComment = z.infer<typeof NewComment>

/** The author changes the text, an admin hides and shows. Without `mentions`, those that the new text still contains stay. */
export const CommentEdit = z
  .strictObject({ text: CommentWords.optional(), mentions: MentionIds, hidden: z.boolean().optional() })
  .refine(({ text, mentions }) => text !== undefined || mentions === undefined, {
    error: () => t`Send the text that names them as well`,
    path: ['mentions'],
  })
export type CommentEdit = z.infer<typeof CommentEdit>

/** Oldest first; with `since`, a revision of the collection, only those that changed after it. */
const CommentsQuery = z.strictObject({
  collection_id: Id,
  limit: pageLimit(LIMITS.commentsPage).optional(),
  cursor: z.string().max(200).optional(),
  since: z.coerce.number().int().min(0).optional(),
})
export type CommentsQuery = z.infer<typeof CommentsQuery>

const Comments = Success.extend({
  comments: z.array(Comment),
  nextCursor: z.string().nullable(),
  revision: z.number().int(),
  /** Only set with `since`. */
  deleted: z.array(Id).optional(),
})
const OneComment = Success.extend({ comment: Comment })

export const listPostComments = endpoint({
  method: 'GET',
  path: '/api/post/{id}/comments',
  summary: 'Comments on a post in a collection, oldest first',
  guests: true,
  query: CommentsQuery,
  response: Comments,
})
export const listAssetComments = endpoint({
  method: 'GET',
  path: '/api/asset/{id}/comments',
  summary: 'Comments on an asset in a collection, oldest first',
  guests: true,
  query: CommentsQuery,
  response: Comments,
})
export const createPostComment = endpoint({
  method: 'POST',
  path: '/api/post/{id}/comments',
  summary: 'Comment on a post in a collection',
  guests: true,
  creates: true,
  body: NewComment,
  response: OneComment,
})
export const createAssetComment = endpoint({
  method: 'POST',
  path: '/api/asset/{id}/comments',
  summary: 'Comment on an asset in a collection',
  guests: true,
  creates: true,
  body: NewComment,
  response: OneComment,
})
export const updateComment = endpoint({
  method: 'PATCH',
  path: '/api/comments/{id}',
  summary: 'Change your own comment, or hide one as an admin',
  guests: true,
  conditionalHeaders: ['if-match'],
  body: CommentEdit,
  response: OneComment,
})
/** `changeId` undoes the call. */
export const deleteComment = endpoint({
  method: 'DELETE',
  path: '/api/comments/{id}',
  summary: 'Delete your own comment',
  guests: true,
  response: Success.extend({ changeId: Id }),
})
