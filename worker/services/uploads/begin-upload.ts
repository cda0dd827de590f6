import type { Asset, NewAsset, Upload } from '../../../contract/assets.ts'
import { newId } from '../../../contract/ids.ts'
import { unknownIds } from '../../http/access.ts'
import { AppError, forbidden } from '../../http/errors.ts'
import { insertUpload } from '../../queries/begin-upload.ts'
import type { Caller } from '../../queries/permissions.ts'
import type { AttemptLimit } from '../../queries/rate-limits.ts'

export interface BegunUpload {
  asset: Asset
  upload?: Upload
  duplicate?: true
  linked?: string[]
}

/** Begins an upload, or returns the existing one. Object storage is not called before the first part arrives. Throws 429 at the `limit`. */
export async function beginUpload(
  caller: Caller<'item.add'>,
  input: NewAsset,
  limit?: AttemptLimit,
): Promise<{ made: boolean; begun: BegunUpload }> {
  const wanted = { ...input, id: (input.id ?? newId()).toLowerCase() }
  const first = await insertUpload(caller, wanted, limit)
  const { outcome, foreign, asset, linked, upload } = first.outcome === 'again' ? await insertUpload(caller, wanted, limit) : first
  switch (outcome) {
    case 'foreign-collections':
      throw unknownIds('Collections', 'collectionIds', foreign)
    case 'foreign-people':
      throw unknownIds('People of these collections', 'peopleIds', foreign)
    case 'forbidden':
      throw forbidden('You may look at this collection, but not add to it. Ask an admin for the role write')
  }
  if (outcome === 'taken' || !asset) throw new AppError('conflict', 'This id is taken. Send another one')
  const begun = { asset, ...(upload && { upload }), ...(outcome === 'duplicate' && { duplicate: true as const, linked }) }
  return { made: outcome === 'begun', begun }
}
