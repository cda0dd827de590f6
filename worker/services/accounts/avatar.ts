import { t } from '#say'
import { LIMITS } from '../../../contract/limits.ts'
import type { Profile } from '../../../contract/users.ts'
import type { Db } from '../../db/client.ts'
import { AppError, notFound } from '../../http/errors.ts'
import { readBytes } from '../../http/read-body.ts'
import { makeAvatar } from '../../media/avatar.ts'
import { noneMatch } from '../../media/conditions.ts'
import { imageCacheControl, SAFE } from '../../media/file-response.ts'
import { avatarKey, withStorage } from '../../media/storage.ts'
import { findAvatar, updateAvatar } from '../../queries/users.ts'

interface AvatarStores {
  db: Db
  bucket: R2Bucket
}

/** Stores the body as the user's picture, and removes the one before. `crop` is `x,y,size`. */
export async function setAvatar(
  { db, bucket, images }: AvatarStores & { images: ImagesBinding | undefined },
  userId: string,
  { request, crop }: { request: Request; crop: string | undefined },
): Promise<Profile> {
  if (!images) throw new AppError('unsupported_media', t`This site cannot store pictures of people`)
  const [x = 0, y = 0, size = 0] = crop?.split(',').map(Number) ?? []
  const avatar = await makeAvatar(images, await readBytes(request, LIMITS.avatarSize), crop === undefined ? null : { x, y, size })
  // A new one each time: its URL is cached for ever, also the URL of a picture that comes back.
  const version = crypto.randomUUID().slice(0, 8)
  await withStorage(() => bucket.put(avatarKey(userId, version), avatar, { httpMetadata: { contentType: 'image/webp' } }))
  return replace({ db, bucket }, userId, version)
}

export function removeAvatar(stores: AvatarStores, userId: string): Promise<Profile> {
  return replace(stores, userId, null)
}

async function replace({ db, bucket }: AvatarStores, userId: string, version: string | null): Promise<Profile> {
  const written = await updateAvatar(db, userId, version)
  const unused = written ? written.before : version
  if (unused) await withStorage(() => bucket.delete(avatarKey(userId, unused)))
  if (!written) throw notFound(t`Your profile was not found`)
  return written.profile
}

/** The picture of a user who shares a collection with the caller. */
export async function serveAvatar(
  { db, bucket }: AvatarStores,
  callerId: string,
  { userId, request }: { userId: string; request: Request },
) {
  const version = await findAvatar(db, callerId, userId)
  if (!version) throw notFound(t`The picture was not found`)
  const etag = `"${version}"`
  const headers = new Headers({
    ...SAFE,
    etag,
    'cache-control': imageCacheControl(request, { version }),
    'content-type': 'image/webp',
  })
  if (noneMatch(request.headers.get('if-none-match') ?? undefined, etag)) return new Response(null, { status: 304, headers })
  const object = await withStorage(() => bucket.get(avatarKey(userId, version)))
  if (!object) throw notFound(t`The picture was not found`)
  headers.set('content-length', String(object.size))
  return new Response(object.body, { headers })
}
