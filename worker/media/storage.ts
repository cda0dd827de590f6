import { t } from '#say'
import type { RenditionName } from '../../contract/limits.ts'
import { AppError, unavailable } from '../http/errors.ts'

/** All objects of an asset have this prefix and are removed with it. */
export const ASSETS_PREFIX = 'assets/'
const prefixOf = (id: string) => `${ASSETS_PREFIX}${id}/`
export const originalKey = (id: string) => `${prefixOf(id)}original`
export const renditionKey = (id: string, name: RenditionName) => `${prefixOf(id)}${name}`
/** A playable film of the asset. */
export const filmKey = (id: string, filmId: string) => `${prefixOf(id)}films/${filmId}`
export const imagesPrefix = (id: string) => `${prefixOf(id)}images/`
/** A generated image of the asset. `name` begins with the asset's version. */
export const imageKey = (id: string, name: string) => `${imagesPrefix(id)}${name}`

/** Empty object. Its metadata has the version of the asset whose images are stored. */
export const imagesMarkKey = (id: string) => `${prefixOf(id)}images-of`

/** Ids come from the sign-in service and may contain any characters. */
const avatarsPrefix = (userId: string) => `avatars/${encodeURIComponent(userId)}/`
export const avatarKey = (userId: string, version: string) => `${avatarsPrefix(userId)}${version}`

/** The kind of a refusal by R2, from the code at the end of its message. Null for an outage. */
export function refusalOf(error: unknown): 'bad-digest' | 'upload-lost' | null {
  const code = error instanceof Error ? /\((\d+)\)\s*$/.exec(error.message)?.[1] : undefined
  if (code === '10037') return 'bad-digest'
  // No such upload; a part is missing or differs; parts are too small or of unequal size.
  return ['10024', '10025', '10011', '10048'].includes(code ?? '') ? 'upload-lost' : null
}

/** Runs calls of object storage. Turns errors into 503 with Retry-After, except AppErrors and those that `refusalOf` recognises. */
export async function withStorage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (refusalOf(error) || error instanceof AppError) throw error
    throw unavailable(t`The storage does not answer just now. Try again in a moment`, error)
  }
}

/** Copies one asset's original, and the renditions with these names. */
export async function copyFiles(bucket: R2Bucket, [from, to]: [from: string, to: string], renditions: RenditionName[]): Promise<void> {
  await copyObject(bucket, originalKey(from), originalKey(to))
  for (const name of renditions) await copyObject(bucket, renditionKey(from, name), renditionKey(to, name))
}

export async function copyObject(bucket: R2Bucket, from: string, to: string): Promise<void> {
  const object = await withStorage(() => bucket.get(from))
  if (!object) throw unavailable(t`The storage does not answer just now. Try again in a moment`, new Error(`It has no ${from}`))
  const { httpMetadata = {} } = object
  await withStorage(() => bucket.put(to, object.body, { httpMetadata }))
}

/** Removes the original, its renditions, films and all generated images. */
export function removeFiles(bucket: R2Bucket, id: string): Promise<void> {
  return removeAll(bucket, prefixOf(id))
}

export function removeAvatars(bucket: R2Bucket, userId: string): Promise<void> {
  return removeAll(bucket, avatarsPrefix(userId))
}

async function removeAll(bucket: R2Bucket, prefix: string): Promise<void> {
  for (;;) {
    const { objects, truncated } = await bucket.list({ prefix })
    if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key))
    if (!truncated) return
  }
}
