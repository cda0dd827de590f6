import { t } from '#say'
import type { TrashSelection } from '../../contract/trash.ts'
import { unknownIds } from '../http/access.ts'
import { type AppError, fieldError, violates } from '../http/errors.ts'
import { removeFiles } from '../media/storage.ts'
import type { Caller } from '../queries/permissions.ts'
import { deleteItems, type Refused, restoreItems } from '../queries/trash.ts'
import { missingItems } from './edit-bulk.ts'

const FIELDS = { post: 'postIds', asset: 'assetIds' } as const
const KINDS = ['post', 'asset'] as const
const distinct = (ids: readonly string[] = []) => [...new Set(ids)]
const idsOf = ({ postIds, assetIds }: TrashSelection) => ({ post: distinct(postIds), asset: distinct(assetIds) })

/**
 * Restores items from the trash with their links, tags and assets, all or nothing. Throws 404 and 403 with ids, and 409 with assets whose author
 * has uploaded the same file again.
 */
export async function restoreTrash(
  caller: Caller<'item.remove'>,
  input: TrashSelection,
): Promise<{ postIds: string[]; assetIds: string[] }> {
  const ids = idsOf(input)
  const { duplicates, ...refused } = await restoreItems(caller, ids).catch((error: unknown) => {
    throw violates(error, 'assets_one_per_file') ? duplicateFileError() : error
  })
  requireAll(refused, (ids) => t`Only their authors, and admins of their collections, may restore ${ids}`)
  if (duplicates.length > 0) throw duplicateFileError(duplicates)
  return { postIds: ids.post, assetIds: ids.asset }
}

/**
 * Deletes the caller's own items in the trash, all or nothing. Throws 404 and 403 with ids. Returns the removal of their files; if it fails,
 * compareStorage finds them.
 */
export async function deleteFromTrash(
  { bucket, ...caller }: Caller<'item.remove'> & { bucket: R2Bucket },
  input: TrashSelection,
): Promise<{ filesRemoved: Promise<unknown> }> {
  const { deleted, ...refused } = await deleteItems(caller, idsOf(input))
  requireAll(refused, (ids) => t`Only authors who may remove them from all of their collections may permanently delete ${ids}`)
  return { filesRemoved: Promise.all(deleted.map((id) => removeFiles(bucket, id))) }
}

function requireAll({ missing, forbidden }: Refused, rule: (ids: string) => string): void {
  for (const kind of KINDS) {
    if (missing[kind].length > 0) throw unknownIds(missingItems(kind), FIELDS[kind], missing[kind])
  }
  for (const kind of KINDS) {
    if (forbidden[kind].length === 0) continue
    throw fieldError('forbidden', FIELDS[kind], rule(forbidden[kind].join(', ')))
  }
}

/** `ids` are of the assets, if they are known. */
export function duplicateFileError(ids?: string[]): AppError {
  const message = ids
    ? t`The same file has been uploaded again meanwhile, and is there: ${{ ids: ids.join(', ') }}`
    : t`The same file has been uploaded again meanwhile, and is there`
  return fieldError('conflict', 'assetIds', message)
}
