import { joined } from '#language'
import { t } from '#say'
import type { AccountEnd } from '../../../contract/account.ts'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../http/errors.ts'
import { deleteAccountRow } from '../../queries/accounts.ts'

/** Deletes the account with its memberships, tokens, calendar links and invitations. Throws 409 if it owns a collection that `deleteCollections` does not name. */
export async function deleteAccount(db: Db, userId: string, end: Pick<AccountEnd, 'items' | 'deleteCollections'>): Promise<void> {
  const { unnamed } = await deleteAccountRow(db, userId, end)
  if (unnamed.length === 0) return
  const names = joined(unnamed.map(({ name }) => t`“${name}”`))
  throw new AppError('conflict', t`You own ${{ collections: names }}. Transfer them to another member, or choose to delete them`, {
    fields: { deleteCollections: names },
  })
}
