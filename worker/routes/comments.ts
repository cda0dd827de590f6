import { Hono } from 'hono'
import { say } from '#language'
import { t } from '#say'
import { CommentEdit, listPostComments, NewComment } from '../../contract/comments.ts'
import { isEmoji } from '../../contract/emoji.ts'
import { ImportedAnswers } from '../../contract/imported-answers.ts'
import { addPostReaction } from '../../contract/reactions.ts'
import { checks } from '../auth/checks.ts'
import { signedIn } from '../auth/guard.ts'
import { signedInOrAnswering, signedInOrGuest } from '../auth/guest.ts'
import type { AppEnv } from '../context.ts'
import { expectedVersion } from '../http/access.ts'
import { sendJson } from '../http/answer.ts'
import { AppError } from '../http/errors.ts'
import { attemptLimit } from '../http/limited.ts'
import { body, idParam, query } from '../http/validate.ts'
import { ITEM_NOT_FOUND, listComments, type Thread } from '../queries/comments.ts'
import type { ItemKind } from '../queries/permissions.ts'
import { addComment, changeComment, importAnswers, react, removeComment, takeBack } from '../services/write-comment.ts'

type Params = { req: { param(name: 'id' | 'emoji'): string | undefined } }

/** Comments and reactions of one kind of items. */
export function answersOf(kind: ItemKind) {
  const threadOf = (c: Params, collectionId: string): Thread => ({
    kind,
    id: idParam(c.req.param('id'), say(ITEM_NOT_FOUND[kind])),
    collectionId,
  })
  return new Hono<AppEnv>()
    .get('/:id/comments', signedInOrGuest, query(listPostComments.query), async (c) => {
      const wanted = c.req.valid('query')
      const page = await listComments(c.var.db, c.var.user.id, threadOf(c, wanted.collection_id), wanted)
      const { comments, deleted, nextCursor, revision } = page
      const texts = { success: 'true', comments, nextCursor: JSON.stringify(nextCursor), revision: String(revision), deleted }
      return sendJson(c, texts, { 'cache-control': 'private, no-cache' })
    })
    .post('/:id/comments', signedInOrAnswering, checks('comment.add'), body(NewComment), async (c) => {
      const input = c.req.valid('json')
      const { made, comment } = await addComment(
        { ...c.var, limit: await attemptLimit(c, 'comment') },
        threadOf(c, input.collection_id),
        input,
      )
      return c.json({ success: true, comment }, made ? 201 : 200)
    })
    .post('/:id/imported-answers', signedIn, checks('comment.add', 'item.add'), body(ImportedAnswers), async (c) => {
      const input = c.req.valid('json')
      const caller = { ...c.var, limit: await attemptLimit(c, 'importedAnswer') }
      return c.json({ success: true, ...(await importAnswers(caller, threadOf(c, input.collection_id), input)) })
    })
    .put('/:id/reactions/:emoji', signedInOrAnswering, checks('comment.add'), query(addPostReaction.query), async (c) => {
      const thread = threadOf(c, c.req.valid('query').collection_id)
      return c.json({
        success: true,
        reactions: await react({ ...c.var, limit: await attemptLimit(c, 'reaction') }, thread, emojiParam(c)),
      })
    })
    .delete('/:id/reactions/:emoji', signedInOrAnswering, checks('comment.add'), query(addPostReaction.query), async (c) => {
      const thread = threadOf(c, c.req.valid('query').collection_id)
      return c.json({ success: true, reactions: await takeBack(c.var, thread, emojiParam(c)) })
    })
}

const idOf = (c: Params) => idParam(c.req.param('id'), t`The comment was not found`)

export const comments = new Hono<AppEnv>()
  .patch('/:id', signedInOrAnswering, checks('comment.add', 'comment.hide'), body(CommentEdit), async (c) => {
    const key = { id: idOf(c), version: expectedVersion(c.req.header('if-match')) }
    const caller = { ...c.var, limit: await attemptLimit(c, 'comment') }
    return c.json({ success: true, comment: await changeComment(caller, key, c.req.valid('json')) })
  })
  .delete('/:id', signedInOrAnswering, checks('comment.add'), async (c) => {
    return c.json({ success: true, changeId: await removeComment({ ...c.var, limit: await attemptLimit(c, 'comment') }, idOf(c)) })
  })
  .put('/:id/reactions/:emoji', signedInOrAnswering, checks('comment.add'), async (c) => {
    return c.json({
      success: true,
      reactions: await react({ ...c.var, limit: await attemptLimit(c, 'reaction') }, { commentId: idOf(c) }, emojiParam(c)),
    })
  })
  .delete('/:id/reactions/:emoji', signedInOrAnswering, checks('comment.add'), async (c) => {
    return c.json({ success: true, reactions: await takeBack(c.var, { commentId: idOf(c) }, emojiParam(c)) })
  })

function emojiParam(c: Params): string {
  const emoji = c.req.param('emoji') ?? ''
  if (!isEmoji(emoji)) {
    throw new AppError('invalid', t`A reaction is exactly one emoji`, { fields: { emoji: t`Send one emoji` } })
  }
  return emoji
}
