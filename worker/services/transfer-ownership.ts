import type { Collection } from '../../contract/collections.ts'
import type { AppEnv } from '../context.ts'
import { requireRole } from '../http/access.ts'
import { AppError } from '../http/errors.ts'
import { transferCollection } from '../queries/collections.ts'

type Caller = Pick<AppEnv['Variables'], 'db' | 'user'>

/** Gives the collection to another member; the old owner becomes an admin of it. */
export async function transferOwnership({ db, user }: Caller, collectionId: string, newOwner: string): Promise<Collection> {
  const { role, target, done, collection } = await transferCollection(db, user.id, collectionId, newOwner)
  requireRole(role, 'collection.transfer', 'Only the owner may give the collection away')
  if (!target) throw new AppError('not_found', 'Choose a member of the collection', { fields: { userId: 'This is no member' } })
  if (!done || !collection) throw new AppError('conflict', 'This member owns the collection already')
  return collection
}
