import { t } from '#say'
import type { Collection, NewCollection } from '../../contract/collections.ts'
import { newId } from '../../contract/ids.ts'
import type { AppEnv } from '../context.ts'
import { AppError } from '../http/errors.ts'
import { insertCollection } from '../queries/collections.ts'

type Caller = Pick<AppEnv['Variables'], 'db' | 'user'>

/** Creates a collection with the caller as owner. A repeated call with the same id returns the existing collection (`made` is false). */
export async function createCollection({ db, user }: Caller, input: NewCollection): Promise<{ made: boolean; collection: Collection }> {
  const { made, collection } = await insertCollection(db, user.id, { ...input, id: input.id ?? newId() })
  if (!collection) throw new AppError('conflict', t`This id is taken. Send another one`)
  return { made, collection }
}
