import type { z } from 'zod'
import type { TrashRestore } from '../../contract/trash.ts'
import { unknownIds } from '../http/access.ts'
import { AppError, violates } from '../http/errors.ts'
import type { Caller } from '../queries/permissions.ts'
import { restoreItems } from '../queries/trash.ts'

const FIELDS = { post: 'postIds', asset: 'assetIds' } as const
const distinct = (ids: readonly string[] = []) => [...new Set(ids.map((id) => id.toLowerCase()))]

/**
 * Restores items from the trash with their links, tags and assets, all or nothing. Throws 404 and 403 with ids, and 409 with assets whose author
 * has uploaded the same file again.
 */
export async function restoreTrash(
  caller: Caller<'item.remove'>,
  input: z.infer<typeof TrashRestore>,
): Promise<{ postIds: string[]; assetIds: string[] }> {
  const ids = { post: distinct(input.postIds), asset: distinct(input.assetIds) }
  const { missing, forbidden, duplicates } = await restoreItems(caller, ids).catch((error: unknown) => {
    throw violates(error, 'assets_one_per_file') ? duplicateFileError('') : error
  })
  for (const kind of ['post', 'asset'] as const) {
    if (missing[kind].length > 0) throw unknownIds(kind === 'post' ? 'Posts' : 'Assets', FIELDS[kind], missing[kind])
  }
  for (const kind of ['post', 'asset'] as const) {
    if (forbidden[kind].length === 0) continue
    const message = `Only their authors, and admins of their collections, may restore ${forbidden[kind].join(', ')}`
    throw new AppError('forbidden', message, { fields: { [FIELDS[kind]]: message } })
  }
  if (duplicates.length > 0) throw duplicateFileError(`: ${duplicates.join(', ')}`)
  return { postIds: ids.post, assetIds: ids.asset }
}

export function duplicateFileError(which: string): AppError {
  const message = `The same file has been uploaded again meanwhile, and is there${which}`
  return new AppError('conflict', message, { fields: { assetIds: message } })
}
