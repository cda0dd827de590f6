import { t } from '#say'
import type { Collection } from '../../contract/collections.ts'
import { requireRole } from '../http/access.ts'
import { AppError } from '../http/errors.ts'
import { transferCollection } from '../queries/collections.ts'
import type { Caller } from '../queries/permissions.ts'

/** Transfers the collection to another member. The old owner becomes an admin. */
export async function transferOwnership(
  caller: Caller<'collection.transfer'>,
  collectionId: string,
  newOwner: string,
): Promise<Collection> {
  const { role, target, done, collection } = await transferCollection(caller, collectionId, newOwner)
  requireRole(role, caller.checks['collection.transfer'], t`Only the owner may give the collection away`)
  if (!target) throw new AppError('not_found', t`Choose a member of the collection`, { fields: { userId: t`This is no member` } })
  if (!done || !collection) throw new AppError('conflict', t`This member owns the collection already`)
  return collection
}
