import { say } from '#language'
import { msg, t } from '#say'
import type { Asset } from '../../contract/assets.ts'
import { newId } from '../../contract/ids.ts'
import type { RenditionName } from '../../contract/limits.ts'
import type { Post } from '../../contract/posts.ts'
import { forbidden, notFound } from '../http/errors.ts'
import { copyFiles, copyObject, filmKey } from '../media/storage.ts'
import { findAsset, findFile } from '../queries/assets.ts'
import { findFilm, insertCopiedFilm } from '../queries/films.ts'
import type { Caller } from '../queries/permissions.ts'
import { findPost, listOwnAssets } from '../queries/posts.ts'
import { markReady } from '../queries/uploads.ts'
import { beginUpload } from './uploads/begin-upload.ts'
import { discardAsset } from './uploads/discard-asset.ts'
import { createPost } from './write-post.ts'

type CopyCaller = Caller<'item.add' | 'item.remove'> & { bucket: R2Bucket }
const ONLY_OWN = msg`Only its author may copy this`

/**
 * Copies the caller's own asset with its file, without people. An asset that the caller may still link is not copied but linked to the
 * collections, as when the same file is uploaded again.
 */
export async function copyAsset(caller: CopyCaller, id: string, collectionIds: string[]): Promise<{ made: boolean; asset: Asset }> {
  const { db, user, bucket } = caller
  const [asset, file] = await Promise.all([findAsset(db, user.id, id), findFile(db, user.id, id)])
  if (!asset || !file) throw notFound(t`The asset was not found`)
  if (asset.user_id !== user.id) throw forbidden(say(ONLY_OWN))
  const { made, begun } = await beginUpload(caller, { ...fieldsOf(asset), id: newId(), collectionIds })
  if (!made) return { made, asset: begun.asset }
  const copy = begun.asset.id
  try {
    const { film, ...pictures } = file.renditions
    await copyFiles(bucket, [id, copy], Object.keys(pictures) as RenditionName[])
    const filmed = film !== undefined && (await copyFilm(caller, id, copy))
    const stored = { id: copy, r2UploadId: null, type: asset.type, renditions: filmed ? file.renditions : pictures }
    const ready = await markReady(caller, { ...stored, drawable: false, showable: true })
    if (!ready) throw notFound(t`The copy was not found`)
    return { made, asset: ready }
  } catch (error) {
    // If this fails too, the sweep discards the unfinished copy.
    await discardAsset(caller, copy).catch(() => undefined)
    throw error
  }
}

/** False if there is none any more. */
async function copyFilm({ db, user, bucket }: CopyCaller, from: string, to: string): Promise<boolean> {
  const film = await findFilm(db, user.id, from)
  if (!film) return false
  const id = newId()
  // First the row, which may exceed a quota.
  await insertCopiedFilm({ db, user }, { id, assetId: to, film })
  await copyObject(bucket, filmKey(from, film.id), filmKey(to, id))
  return true
}

function fieldsOf({
  name,
  type,
  size,
  checksum,
  width,
  height,
  duration,
  thumbhash,
  alt,
  original_author,
  content_id,
  date,
  date_zone,
  date_precision,
  location,
  place,
}: Asset) {
  const when = { date, dateZone: date_zone, datePrecision: date_precision }
  return {
    name,
    type,
    size,
    checksum,
    width,
    height,
    duration,
    thumbhash,
    alt,
    originalAuthor: original_author,
    contentId: content_id,
    ...when,
    location,
    placeHidden: place?.hidden,
  }
}

/**
 * Copies the caller's own post with those of its assets that are their own, without people. The assets get into collections together with the
 * post: if that is refused, nobody else sees them, and a repeated call finds them as duplicates.
 */
export async function copyPost(caller: CopyCaller, id: string, collectionIds: string[]): Promise<Post> {
  const found = await findPost(caller.db, caller.user.id, id)
  if (!found) throw notFound(t`The post was not found`)
  if (found.user_id !== caller.user.id) throw forbidden(say(ONLY_OWN))
  const existingAssetIds: string[] = []
  for (const assetId of await listOwnAssets(caller.db, caller.user.id, id)) {
    existingAssetIds.push((await copyAsset(caller, assetId, [])).asset.id)
  }
  const { type, kind, title, body, original_author, date, date_zone, date_precision, ends_at, location, place } = found
  const when = { date, dateZone: date_zone, datePrecision: date_precision, endsAt: ends_at }
  return (
    await createPost(caller, {
      type,
      kind,
      title,
      body,
      originalAuthor: original_author,
      ...when,
      location,
      placeHidden: place?.hidden,
      collectionIds,
      existingAssetIds,
    })
  ).post
}
