import { t } from '#say'
import type { Asset, NewAsset, Upload } from '../../../contract/assets.ts'
import type { Refusal } from '../../../contract/errors.ts'
import { newId } from '../../../contract/ids.ts'
import { unknownIds } from '../../http/access.ts'
import { AppError, forbidden, refusalOf } from '../../http/errors.ts'
import { type Begun, insertUploads } from '../../queries/begin-upload.ts'
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
  const wanted = named([input])
  const insert = async () => (await insertUploads(caller, wanted, limit))[0] as Begun
  const first = await insert()
  const found = first.outcome === 'again' ? await insert() : first
  return { made: found.outcome === 'begun', begun: accepted(found) }
}

/**
 * The same for several files. One that is refused changes nothing for the others. Throws 429 at the `limit`, and 413 if not all of them fit: then
 * none is begun.
 */
export async function beginUploads(
  caller: Caller<'item.add'>,
  inputs: readonly NewAsset[],
  limit: AttemptLimit,
): Promise<BegunOrRefused[]> {
  const found = await insertUploads(caller, named(inputs), limit)
  return found.map((each): BegunOrRefused => {
    try {
      return accepted(each)
    } catch (error) {
      if (error instanceof AppError) return { error: refusalOf(error) }
      throw error
    }
  })
}

type BegunOrRefused = BegunUpload | { error: Refusal }

const named = (inputs: readonly NewAsset[]) => inputs.map((input) => ({ ...input, id: input.id ?? newId() }))

function accepted({ outcome, foreign, asset, linked, upload }: Begun): BegunUpload {
  switch (outcome) {
    case 'foreign-collections':
      throw unknownIds((ids) => t`Collections not found: ${ids}`, 'collectionIds', foreign)
    case 'foreign-people':
      throw unknownIds((ids) => t`People of these collections not found: ${ids}`, 'peopleIds', foreign)
    case 'forbidden':
      throw forbidden(t`You may look at this collection, but not add to it. Ask an admin for the role write`)
  }
  if (outcome === 'taken' || !asset) throw new AppError('conflict', t`This id is taken. Send another one`)
  return { asset, ...(upload && { upload }), ...(outcome === 'duplicate' && { duplicate: true as const, linked }) }
}
