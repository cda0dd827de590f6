import { newId } from '../../../contract/ids.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { isSettled } from './machine.ts'
import { cleanName, typeOf } from './names.ts'
import type { Overrides, UploadItem } from './types.ts'

/** What is known of a file that enters the queue: the asset's id, where somebody has chosen it, and what they know of it. */
export interface Coming {
  id?: string | undefined
  given?: Overrides | undefined
}

/** A file as it enters the queue. What can never be stored is refused here, with the reason. */
export function newItem(
  userId: string,
  collectionId: string,
  file: File,
  now: number,
  { id = newId(now), given }: Coming = {},
): UploadItem {
  const refused = file.size === 0 ? 'The file is empty' : file.size > LIMITS.fileSize ? 'A file may have at most 5 GiB' : null
  return {
    id,
    userId,
    collectionId,
    name: cleanName(file.name),
    type: typeOf(file),
    size: file.size,
    addedAt: now,
    state: refused ? 'failed' : 'waiting',
    sent: 0,
    attempts: 0,
    retryAt: null,
    message: refused,
    code: refused ? 'invalid' : null,
    final: refused !== null,
    keep: 'saving',
    begun: false,
    meta: null,
    ...(given && { given }),
  }
}

/** Another item of the queue that is bringing the same bytes into the same collection. What has become of one that has arrived only the server knows. */
export function twinOf(items: Iterable<UploadItem>, id: string, collectionId: string, checksum: string): UploadItem | undefined {
  for (const other of items) {
    if (other.id !== id && !isSettled(other) && other.collectionId === collectionId && other.meta?.checksum === checksum) return other
  }
  return undefined
}

/** The asset that an upload has become or will become: the same bytes may have been here before. */
export function assetIdOf(id: string, items: readonly UploadItem[]): string {
  const item = items.find((other) => other.id === id)
  return item?.sameAs && item.sameAs !== id ? assetIdOf(item.sameAs, items) : id
}

/** Those of several pictures, each of them once. */
export const assetIdsOf = (ids: readonly string[], items: readonly UploadItem[]) => [...new Set(ids.map((id) => assetIdOf(id, items)))]
