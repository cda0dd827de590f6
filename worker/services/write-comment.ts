import { type Said, say } from '#language'
import { msg, plural, t } from '#say'
import type { Comment, CommentEdit, NewComment } from '../../contract/comments.ts'
import { newId } from '../../contract/ids.ts'
import type { ImportedAnswers } from '../../contract/imported-answers.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Reaction } from '../../contract/reactions.ts'
import { AppError, fieldError, forbidden, notFound } from '../http/errors.ts'
import { ITEM_NOT_FOUND, type Thread } from '../queries/comments.ts'
import { insertImported } from '../queries/imported-answers.ts'
import type { Caller } from '../queries/permissions.ts'
import { deleteReaction, insertReaction, type ReactionTarget } from '../queries/reactions.ts'
import { type Answerer, type AnswerRefusal, deleteComment, insertComment, updateComment } from '../queries/write-comments.ts'

const COMMENT_NOT_FOUND = msg`The comment was not found`

/** Comments on an item. A repeated call with the same id returns the existing comment (`made` is false). */
export async function addComment(caller: Answerer, thread: Thread, input: NewComment): Promise<{ made: boolean; comment: Comment }> {
  const { outcome, name, comment } = await insertComment(caller, thread, { ...input, id: input.id ?? newId() })
  if (outcome === 'existing') {
    if (!comment) throw new AppError('conflict', t`This id is taken. Send another one`)
    return { made: false, comment }
  }
  if (outcome === 'unknown') throw fieldError('invalid', 'replyTo', t`The comment that you answer was not found here`)
  if (outcome === 'deleted') throw new AppError('conflict', t`The comment that you answer has been deleted`)
  if (outcome !== 'made') throw refused(outcome, name, ITEM_NOT_FOUND[thread.kind])
  if (!comment) throw notFound(say(ITEM_NOT_FOUND[thread.kind]))
  return { made: true, comment }
}

/** Comments and reactions of an archive, on an own item. Returns how many of them were not here yet. */
export async function importAnswers(
  caller: Answerer & Caller<'item.add'>,
  thread: Thread,
  given: ImportedAnswers,
): Promise<{ comments: number; reactions: number }> {
  const { outcome, name, comments, reactions } = await insertImported(caller, thread, given)
  if (outcome === 'foreign') throw forbidden(t`You can import comments to your own posts and files, where you may add some`)
  if (outcome === 'taken') throw new AppError('conflict', t`An id is that of another comment`)
  if (outcome === 'unknown') throw fieldError('invalid', 'comments', t`A comment that is referred to was not found here`)
  if (outcome !== 'made') throw refused(outcome, name, ITEM_NOT_FOUND[thread.kind])
  return { comments, reactions }
}

/** Throws 409 with the comment if its version is another by now. */
export async function changeComment(
  caller: Answerer & Caller<'comment.hide'>,
  key: { id: string; version: number | null },
  edit: CommentEdit,
): Promise<Comment> {
  const { outcome, name, comment } = await updateComment(caller, key, edit)
  if (outcome === 'foreign') throw forbidden(t`Only its author may change what a comment says`)
  if (outcome === 'forbidden') throw forbidden(t`Only admins and the owner may hide comments`)
  if (outcome === 'conflict') {
    throw new AppError('conflict', t`Somebody changed this meanwhile. Look at their version first`, { detail: { comment } })
  }
  if (outcome !== 'done') throw refused(outcome, name, COMMENT_NOT_FOUND)
  if (!comment) throw notFound(say(COMMENT_NOT_FOUND))
  return comment
}

/** Returns the id that undoes it, the same for a repeated call. */
export async function removeComment(caller: Answerer, id: string): Promise<string> {
  const done = await deleteComment(caller, id, newId())
  if (done.outcome === 'missing') throw notFound(say(COMMENT_NOT_FOUND))
  if (done.outcome === 'foreign') throw forbidden(t`Only its author may delete a comment. Admins may hide it`)
  return done.changeId
}

/** Returns all reactions to the same. */
export async function react(caller: Answerer, target: ReactionTarget, emoji: string): Promise<Reaction[]> {
  const { outcome, name, reactions } = await insertReaction(caller, target, emoji)
  if (outcome === 'full')
    throw new AppError(
      'conflict',
      t`One person may leave at most ${plural({ count: LIMITS.reactionsPerPerson }, { one: '# reaction', other: '# reactions' })} here`,
    )
  if (outcome !== 'done') throw refused(outcome, name, notFoundOf(target))
  return reactions
}

/** Returns the reactions that are left. */
export async function takeBack(caller: Caller<'comment.add'>, target: ReactionTarget, emoji: string): Promise<Reaction[]> {
  const reactions = await deleteReaction(caller, target, emoji)
  if (!reactions) throw notFound(say(notFoundOf(target)))
  return reactions
}

const notFoundOf = (target: ReactionTarget) => ('commentId' in target ? COMMENT_NOT_FOUND : ITEM_NOT_FOUND[target.kind])

function refused(outcome: AnswerRefusal, name: string | null, missing: Said): AppError {
  if (outcome === 'missing') return notFound(say(missing))
  const collection = name ?? ''
  if (outcome === 'off') return forbidden(t`Comments and reactions are turned off in “${collection}”`)
  return forbidden(t`Your role does not let you comment in “${collection}”`)
}
