import { t } from '#say'
import { isGuestUser } from '../../contract/links.ts'
import { requireRole, unknownIds } from '../http/access.ts'
import { AppError, databaseError, forbidden, notFound, violates } from '../http/errors.ts'
import { findEdit } from '../queries/edits.ts'
import type { Caller } from '../queries/permissions.ts'
import { undoEdit } from '../queries/undo.ts'
import { undoPerson } from '../queries/undo-person.ts'
import { type Answerer, undoCommentDeletion } from '../queries/write-comments.ts'
import { duplicateFileError } from './trash.ts'

/** `limit` is for comments. */
type UndoCaller = Answerer & Caller<'item.edit' | 'item.remove' | 'people.edit'>

export interface Undone {
  changeId: string
  postIds: string[]
  assetIds: string[]
  personId?: string
  commentId?: string
}

/**
 * Undoes an edit of the caller, all or nothing. Throws 404 for edits of others, 410 after thirty days, 403 if the caller's role no longer
 * permits the edit, and 409 with the fields that were changed since. A repeated call changes nothing.
 */
export async function undoChange(caller: UndoCaller, changeId: string): Promise<Undone> {
  const edit = await findEdit(caller.db, caller.user.id, changeId)
  // Guests have nothing else to undo, and the statements for members are not made for their database.
  if (!edit || (isGuestUser(caller.user.id) && !edit.commentId)) throw notFound(t`The change was not found`)
  if (edit.tooOld) throw new AppError('gone', t`A change can be undone for thirty days`)
  const { undone, postIds, assetIds, personId, commentId } = edit
  if (!undone)
    await (commentId ? undoComment(caller, changeId) : personId ? undoPersonChange(caller, changeId) : undoItems(caller, changeId))
  return { changeId, postIds, assetIds, ...(personId && { personId }), ...(commentId && { commentId }) }
}

async function undoComment(caller: UndoCaller, changeId: string): Promise<void> {
  if (await undoCommentDeletion(caller, changeId)) return
  const again = await findEdit(caller.db, caller.user.id, changeId)
  if (!again?.undone) throw notFound(t`What you commented on was not found`)
}

async function undoItems(caller: UndoCaller, changeId: string): Promise<void> {
  const {
    hidden,
    forbidden: closed,
    differing,
  } = await undoEdit(caller, changeId).catch((error: unknown) => {
    if (violates(error, 'assets_one_per_file')) throw duplicateFileError()
    // A concurrent request has deleted a person or asset that was to be restored.
    if (databaseError(error)?.code === '23503') throw new AppError('conflict', t`Part of what was there before has been deleted meanwhile`)
    throw error
  })
  if (hidden.length > 0) throw unknownIds((ids) => t`What you changed was not found: ${ids}`, 'changeId', hidden)
  if (closed.length > 0) throw forbidden(t`Your role does not let you change this any more: ${{ ids: closed.join(', ') }}`)
  const fields = Object.entries(differing).map(([what, names]) => [what, t`Changed since: ${{ fields: names.join(', ') }}`] as const)
  if (fields.length > 0) {
    throw new AppError('conflict', t`Somebody changed this since. Nothing has been undone`, { fields: Object.fromEntries(fields) })
  }
}

async function undoPersonChange(caller: UndoCaller, changeId: string): Promise<void> {
  const outcome = await undoPerson(caller, changeId)
  if (!outcome) return
  requireRole(outcome.role, caller.checks['people.edit'], t`Your role lets you look. Ask an admin for the right to write`)
  if (outcome.idTaken) throw new AppError('conflict', t`There is a person with this id again`)
  if (outcome.intoGone) throw new AppError('conflict', t`Part of what was there before has been deleted meanwhile`)
  if (outcome.taken) throw new AppError('conflict', t`Their account has been linked to another person since`)
  if (outcome.full) throw new AppError('conflict', t`The collection has as many people as it may have`)
}
