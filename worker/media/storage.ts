import type { RenditionName } from '../../contract/limits.ts'
import { AppError, unavailable } from '../http/errors.ts'

/** Everything that belongs to an asset lies under this prefix and goes with it. */
export const ASSETS_PREFIX = 'assets/'
const prefixOf = (id: string) => `${ASSETS_PREFIX}${id}/`
export const originalKey = (id: string) => `${prefixOf(id)}original`
export const renditionKey = (id: string, name: RenditionName) => `${prefixOf(id)}${name}`
export const imagesPrefix = (id: string) => `${prefixOf(id)}images/`
/** A picture that was made of the asset; `name` begins with the asset's version. */
export const imageKey = (id: string, name: string) => `${imagesPrefix(id)}${name}`

/** Empty; its metadata say of which version of the asset pictures are kept. */
export const imagesMarkKey = (id: string) => `${prefixOf(id)}images-of`

/** What R2 says of a failed call, from the number at the end of its message. Null for an outage. */
export function refusalOf(error: unknown): 'bad-digest' | 'upload-lost' | null {
  const code = error instanceof Error ? /\((\d+)\)\s*$/.exec(error.message)?.[1] : undefined
  if (code === '10037') return 'bad-digest'
  // No such upload; a part of it is missing or another; parts too small or of unequal size.
  return ['10024', '10025', '10011', '10048'].includes(code ?? '') ? 'upload-lost' : null
}

/** Runs calls of object storage: what fails is an outage, 503 with Retry-After, unless it is an answer that `refusalOf` names. */
export async function withStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (refusalOf(error) || error instanceof AppError) throw error
    throw unavailable('The storage', error)
  }
}

/** Removes the original, its renditions and whatever was derived from it. */
export async function removeFiles(bucket: R2Bucket, id: string): Promise<void> {
  for (;;) {
    const { objects, truncated } = await bucket.list({ prefix: prefixOf(id) })
    if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key))
    if (!truncated) return
  }
}
