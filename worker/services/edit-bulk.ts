import { say } from '#language'
import { t } from '#say'
import { newId } from '../../contract/ids.ts'
import type { Action } from '../../contract/policy.ts'
import type { Db } from '../db/client.ts'
import { NOT_YOURS_TO_CHANGE, readOnlyMessage, unknownIds } from '../http/access.ts'
import { AppError, fieldError, violates } from '../http/errors.ts'
import type { BulkCall, BulkOutcome } from '../queries/bulk.ts'
import { findEdit } from '../queries/edits.ts'
import type { Caller } from '../queries/permissions.ts'

type Write<A extends Action> = (db: Db, call: BulkCall<A>) => Promise<BulkOutcome>

export interface BulkAnswer {
  ids: string[]
  count: number
  changeId: string
}

type Call = Pick<BulkCall, 'kind' | 'ids' | 'action'>

/**
 * Runs one bulk edit, all or nothing. Throws 404 for ids that the caller does not see, 403 if their role is too low, with `fields` of the body.
 * `changeId` undoes the edit. With an id of the caller's choice (CHANGE_HEADER), an edit that is made already is not made again.
 */
export async function editBulk<A extends Action>(caller: Caller<A>, call: Call, write: Write<A>): Promise<BulkAnswer> {
  return (await run(caller, call, write)).answer
}

/** The same for a removal. `stillIn` are the collections of the caller in which some of the items still are. */
export async function removeBulk(
  caller: Caller<'item.remove'>,
  call: Call,
  write: Write<'item.remove'>,
): Promise<BulkAnswer & { stillIn: string[] }> {
  const { answer, stillIn } = await run(caller, call, write)
  return { ...answer, stillIn }
}

async function run<A extends Action>({ db, user, checks, changeId: chosen }: Caller<A>, { kind, ids, action }: Call, write: Write<A>) {
  const each = [...new Set(ids)]
  const changeId = chosen ?? newId()
  const answer = { ids: each, count: each.length, changeId }
  const outcome = await write(db, { kind, ids: each, action, userId: user.id, changeId, checks }).catch((error: unknown) => {
    if (violates(error, 'edits_pkey')) return null
    throw error
  })
  // Items that the first call has removed are missing by now.
  if (!outcome?.done && chosen && (await findEdit(db, user.id, chosen))) return { answer, stillIn: [] }
  if (!outcome) throw new AppError('conflict', t`This id is taken. Send another one`)
  refuse({ kind, field: action === 'unlink' ? 'collectionId' : 'collectionIds' }, outcome)
  return { answer, stillIn: outcome.stillIn }
}

function refuse(
  { kind, field }: Pick<Call, 'kind'> & { field: string },
  { missing, forbidden, hidden, closed, people, outOfRange }: BulkOutcome,
): void {
  if (missing.length > 0) throw unknownIds(missingItems(kind), 'ids', missing)
  if (hidden.length > 0) throw unknownIds((ids) => t`Collections not found: ${ids}`, field, hidden)
  if (people.length > 0) throw unknownIds((ids) => t`People of their collections not found: ${ids}`, 'add', people)
  if (closed.length > 0) throw fieldError('forbidden', 'collectionIds', readOnlyMessage(closed))
  if (forbidden.length > 0) {
    throw fieldError('forbidden', 'ids', t`${{ rule: say(NOT_YOURS_TO_CHANGE) }}: ${{ ids: forbidden.join(', ') }}`)
  }
  if (outOfRange.length > 0)
    throw fieldError('invalid', 'shift', t`The year must stay between 1 and 9999: ${{ ids: outOfRange.join(', ') }}`)
}

/** The message for ids of posts or assets that are not there. */
export const missingItems = (kind: Call['kind']) => (ids: string) =>
  kind === 'post' ? t`Posts not found: ${ids}` : t`Assets not found: ${ids}`
