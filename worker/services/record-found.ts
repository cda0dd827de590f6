import { t } from '#say'
import { LIMITS } from '../../contract/limits.ts'
import type { FoundInFile } from '../../contract/unread.ts'
import { forbidden, notFound } from '../http/errors.ts'
import { isStoredWithinLimits } from '../media/measure-original.ts'
import { recordFound as record } from '../queries/metadata.ts'
import type { Caller } from '../queries/permissions.ts'
import { mayAddRendition } from '../queries/uploads.ts'

type FoundCaller = Caller<'item.add' | 'item.edit'> & { bucket: R2Bucket }

/** Records what a device has found in the file of the caller's asset. Throws 404 and 403. */
export async function recordFound(caller: FoundCaller, id: string, found: FoundInFile): Promise<void> {
  const allowed = await mayAddRendition(caller, id)
  if (allowed === null) throw notFound(t`The asset was not found`)
  if (!allowed) throw forbidden(t`Your role in this collection no longer lets you change this file`)
  const { width, height, ...rest } = found
  const sized = await isSizeSafe(caller.bucket, id, found)
  if (!(await record(caller, id, sized ? found : rest))) throw notFound(t`The asset was not found`)
}

/** As at the end of an upload: browsers show originals whose size is known and within the limit, so it is not taken from the client where the file says otherwise. */
async function isSizeSafe(bucket: R2Bucket, id: string, { width, height }: FoundInFile): Promise<boolean> {
  if (!width || !height) return false
  return width * height > LIMITS.imagePixels || isStoredWithinLimits(bucket, id)
}
