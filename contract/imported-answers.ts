import { t } from '#say'
import { CommentWords, MentionIds } from './comments.ts'
import { Moment } from './dates.ts'
import { isEmoji } from './emoji.ts'
import { endpoint, Success } from './endpoint.ts'
import { Id, NewId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { AnswerAuthor } from './original-author.ts'
import { z } from './zod.ts'

/** A comment of an archive. A moment in the future becomes the present. */
export const ImportedComment = z.strictObject({
  id: NewId,
  originalAuthor: AnswerAuthor,
  text: CommentWords,
  mentions: MentionIds,
  replyTo: Id.optional(),
  createdAt: Moment,
  editedAt: Moment.optional(),
})
export type ImportedComment = z.infer<typeof ImportedComment>

/** A reaction of an archive: to the item, or to an imported comment on it. */
export const ImportedReaction = z.strictObject({
  originalAuthor: AnswerAuthor,
  emoji: z.string().refine((emoji) => isEmoji(emoji) !== false, { error: () => t`A reaction is exactly one emoji` }),
  commentId: Id.optional(),
})
export type ImportedReaction = z.infer<typeof ImportedReaction>

/** A comment comes after the one that it answers, in this call or in one before. */
export const ImportedAnswers = z
  .strictObject({
    collection_id: Id,
    comments: z.array(ImportedComment).max(LIMITS.importedAnswers),
    reactions: z.array(ImportedReaction).max(LIMITS.importedAnswers),
  })
  .superRefine(({ comments }, context) => {
    const places = new Map(comments.map(({ id }, i) => [id, i]))
    comments.forEach(({ id, replyTo }, i) => {
      if (places.get(id) !== i) context.addIssue({ code: 'custom', path: ['comments', i, 'id'], message: t`Another comment has this id` })
      else if (replyTo !== undefined && (places.get(replyTo) ?? -1) >= i)
        context.addIssue({ code: 'custom', path: ['comments', i, 'replyTo'], message: t`Send the comment that it answers first` })
    })
  })
export type ImportedAnswers = z.infer<typeof ImportedAnswers>

/** Numbers of those added, which were not here yet. */
const Imported = Success.extend({ comments: z.number().int(), reactions: z.number().int() })

export const importPostAnswers = endpoint({
  method: 'POST',
  path: '/api/post/{id}/imported-answers',
  summary: 'Import comments and reactions of an archive to one of your posts in a collection',
  body: ImportedAnswers,
  response: Imported,
})
export const importAssetAnswers = endpoint({
  method: 'POST',
  path: '/api/asset/{id}/imported-answers',
  summary: 'Import comments and reactions of an archive to one of your assets in a collection',
  body: ImportedAnswers,
  response: Imported,
})
