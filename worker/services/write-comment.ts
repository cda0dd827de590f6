import type { Comment, CommentEdit, NewComment } from '../../contract/comments.ts'
import { newId } from '../../contract/ids.ts'
import type { ImportedAnswers } from '../../contract/imported-answers.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Reaction } from '../../contract/reactions.ts'
import { AppError, forbidden, notFound } from '../http/errors.ts'
import { ITEM_NAMES, type Place } from '../queries/comments.ts'
import { insertImported } from '../queries/imported-answers.ts'
import type { Caller } from '../queries/permissions.ts'
import { deleteReaction, insertReaction, type ReactionTarget } from '../queries/reactions.ts'
import { type Answerer, type AnswerRefusal, deleteComment, insertComment, updateComment } from '../queries/write-comments.ts'

const COMMENT = 'The comment'

/** Comments on an item. A repeated call with the same id returns the existing comment (`made` is false). */
export async function addComment(caller: Answerer, place: Place, input: NewComment): Promise<{ made: boolean; comment: Comment }> {
  const { outcome, name, comment } = await insertComment(caller, place, { ...input, id: input.id ?? newId() })
  if (outcome === 'existing') {
    if (!comment) throw new AppError('conflict', 'This id is taken. Send another one')
    return { made: false, comment }
  }
  if (outcome === 'unknown') throw invalid('replyTo', 'The comment that you answer was not found here')
  if (outcome === 'deleted') throw new AppError('conflict', 'The comment that you answer has been deleted')
  if (outcome !== 'made') throw refused(outcome, name, ITEM_NAMES[place.kind])
  if (!comment) throw notFound(ITEM_NAMES[place.kind])
  return { made: true, comment }
}

/** Comments and reactions of an archive, on an own item. Returns how many of them were not here yet. */
export async function importAnswers(
  caller: Answerer & Caller<'item.add'>,
  place: Place,
  given: ImportedAnswers,
): Promise<{ comments: number; reactions: number }> {
  const { outcome, name, comments, reactions } = await insertImported(caller, place, given)
  if (outcome === 'foreign') throw forbidden('You can import comments to your own posts and files, where you may add some')
  if (outcome === 'taken') throw new AppError('conflict', 'An id is that of another comment')
  if (outcome === 'unknown') throw invalid('comments', 'A comment that is referred to was not found here')
  if (outcome !== 'made') throw refused(outcome, name, ITEM_NAMES[place.kind])
  return { comments, reactions }
}

/** Throws 409 with the comment if its version is another by now. */
export async function changeComment(
  caller: Answerer & Caller<'comment.hide'>,
  key: { id: string; version: number | null },
  edit: CommentEdit,
): Promise<Comment> {
  const { outcome, name, comment } = await updateComment(caller, key, edit)
  if (outcome === 'foreign') throw forbidden('Only its author may change what a comment says')
  if (outcome === 'forbidden') throw forbidden('Only admins and the owner may hide comments')
  if (outcome === 'conflict') {
    throw new AppError('conflict', 'Somebody changed this meanwhile. Look at their version first', { detail: { comment } })
  }
  if (outcome !== 'done') throw refused(outcome, name, COMMENT)
  if (!comment) throw notFound(COMMENT)
  return comment
}

/** Returns the id that undoes it, the same for a repeated call. */
export async function removeComment(caller: Caller<'comment.add'>, id: string): Promise<string> {
  const done = await deleteComment(caller, id, newId())
  if (done.outcome === 'missing') throw notFound(COMMENT)
  if (done.outcome === 'foreign') throw forbidden('Only its author may delete a comment. Admins may hide it')
  return done.changeId
}

/** Returns all reactions to the same. */
export async function react(caller: Answerer, target: ReactionTarget, emoji: string): Promise<Reaction[]> {
  const { outcome, name, reactions } = await insertReaction(caller, target, emoji)
  if (outcome === 'full') throw new AppError('conflict', `One person may leave at most ${LIMITS.reactionsPerPerson} reactions here`)
  if (outcome !== 'done') throw refused(outcome, name, nameOf(target))
  return reactions
}

/** Returns the reactions that are left. */
export async function takeBack(caller: Caller<'comment.add'>, target: ReactionTarget, emoji: string): Promise<Reaction[]> {
  const reactions = await deleteReaction(caller, target, emoji)
  if (!reactions) throw notFound(nameOf(target))
  return reactions
}

const nameOf = (target: ReactionTarget) => ('commentId' in target ? COMMENT : ITEM_NAMES[target.kind])

function refused(outcome: AnswerRefusal, collection: string | null, what: string): AppError {
  if (outcome === 'missing') return notFound(what)
  if (outcome === 'off') return forbidden(`Comments and reactions are turned off in “${collection}”`)
  return forbidden(`Your role lets you look, not answer, in “${collection}”`)
}

function invalid(field: string, message: string): AppError {
  return new AppError('invalid', message, { fields: { [field]: message } })
}
