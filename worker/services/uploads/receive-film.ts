import { say } from '#language'
import { msg, t } from '#say'
import type { Asset, Upload } from '../../../contract/assets.ts'
import { FILM_GROWTH, type NewFilm } from '../../../contract/films.ts'
import { newId } from '../../../contract/ids.ts'
import { NOT_YOURS_TO_CHANGE } from '../../http/access.ts'
import { AppError, forbidden, notFound } from '../../http/errors.ts'
import { inspectStored } from '../../media/inspect.ts'
import { SNIFF_BYTES, sniff } from '../../media/sniff.ts'
import { filmKey, withStorage } from '../../media/storage.ts'
import { abortMultipart, assemble, WRONG_BYTES } from '../../media/uploads.ts'
import { findAsset } from '../../queries/assets.ts'
import {
  type BegunFilm,
  deleteFilms,
  deleteUnfinishedFilm,
  type FilmObject,
  findUnfinishedFilm,
  insertFilm,
  markFilmReady,
  type UnfinishedFilm,
} from '../../queries/films.ts'
import type { Caller } from '../../queries/permissions.ts'
import { partsRow } from '../../queries/uploads.ts'
import { requireAllParts } from './finish-upload.ts'
import { storeReceived, uploadRestarted } from './receive-part.ts'

type FilmCaller = Caller<'item.edit'> & { bucket: R2Bucket }

/** Throws 404 if it is not the caller's asset, 409 while that is being uploaded, 403, 413 and 415 for what may have no such film. */
export async function beginFilm(caller: FilmCaller, assetId: string, film: NewFilm): Promise<Upload & { complete?: true }> {
  const { outcome, upload, replaced } = await insertFilm(caller, { assetId, id: newId(), film })
  requireBegun(outcome)
  await removeFilms(caller.bucket, replaced)
  if (!upload) throw notFound(t`The film was not found`)
  const { partSize, parts } = upload
  return { partSize, parts, ...(outcome === 'complete' && { complete: true as const }) }
}

function requireBegun(outcome: BegunFilm['outcome']): void {
  switch (outcome) {
    case 'missing':
      throw notFound(t`The asset was not found`)
    case 'unfinished':
      throw new AppError('conflict', t`Finish the upload of the video first`)
    case 'forbidden':
      throw forbidden(say(NOT_ANY_MORE))
    case 'no-video':
      throw new AppError('unsupported_media', t`Only a video has a playable film`)
    case 'too-large':
      throw new AppError('too_large', t`A playable film may be at most ${{ count: FILM_GROWTH }} times as large as its original`)
  }
}

const NOT_ANY_MORE = msg`Your role in this collection no longer lets you change this file`

/** The unfinished film. Throws 404 if there is none or it is not the caller's, and 403 if they may no longer change the asset. */
export async function openFilm(caller: Caller<'item.edit'>, assetId: string): Promise<UnfinishedFilm> {
  const film = await findUnfinishedFilm(caller, assetId)
  if (!film || film === 'none') throw notFound(t`The film was not found`)
  if (!film.mayEdit) throw forbidden(say(NOT_ANY_MORE))
  return film
}

export async function receiveFilmPart(caller: FilmCaller, { id, n }: { id: string; n: string }, request: Request): Promise<number> {
  const film = await openFilm(caller, id)
  const { db, bucket } = caller
  return storeReceived(bucket, { ...film, key: keyOf(film) }, partsRow(db, 'films', film.id), { n, request })
}

const keyOf = ({ assetId, id }: Pick<FilmObject, 'assetId' | 'id'>) => filmKey(assetId, id)

/**
 * Makes the film that of the asset if its size, SHA-256 and type are as declared. Throws 400 and 415 otherwise; then all of it can be sent again. A repeated
 * call returns the same asset.
 */
export async function finishFilm(caller: FilmCaller, assetId: string): Promise<Asset> {
  const found = await findUnfinishedFilm(caller, assetId)
  if (found === 'none') return finished(await findAsset(caller.db, caller.user.id, assetId))
  if (!found) throw notFound(t`The film was not found`)
  if (!found.mayEdit) throw forbidden(say(NOT_ANY_MORE))
  requireAllParts(found)
  const { r2UploadId, received } = found
  const key = keyOf(found)
  if (r2UploadId) await assemble(caller.bucket, { key, r2UploadId }, received)
  const stored = received['1']?.etag === WRONG_BYTES ? null : await inspectStored(caller.bucket, key)
  if (!stored || stored.size !== found.size || stored.sha256 !== found.checksum) throw await restarted(caller, found, differs())
  const type = sniff(stored.start.subarray(0, SNIFF_BYTES), found.type)
  if (type !== found.type)
    throw await restarted(caller, found, new AppError('unsupported_media', t`This is ${type}, not ${{ declared: found.type }}`))
  const done = await markFilmReady(caller, found)
  if (!done) {
    const now = await findUnfinishedFilm(caller, assetId)
    throw now && now !== 'none' && !now.mayEdit ? forbidden(say(NOT_ANY_MORE)) : uploadRestarted()
  }
  await removeFilms(caller.bucket, done.replaced)
  return done.asset
}

/** Discards the unfinished film. Throws as `openFilm`. */
export async function discardFilm(caller: FilmCaller, assetId: string): Promise<void> {
  const film = await openFilm(caller, assetId)
  await removeFilms(caller.bucket, await deleteUnfinishedFilm(caller.db, film))
}

/** Deletes the film, also one that is being sent, and returns the asset without it. Throws 404 and 403. */
export async function deleteFilm(caller: FilmCaller, assetId: string): Promise<Asset> {
  const { outcome, gone, asset } = await deleteFilms(caller, assetId)
  if (outcome === 'forbidden') throw forbidden(say(NOT_YOURS_TO_CHANGE))
  if (!asset || outcome === 'missing') throw notFound(t`The asset was not found`)
  if (gone.length === 0) throw notFound(t`The film was not found`)
  await removeFilms(caller.bucket, gone)
  return asset
}

/** Without an unfinished film, an earlier call has finished it. */
function finished(asset: Asset | null): Asset {
  if (!asset?.renditions.includes('film')) throw notFound(t`The film was not found`)
  return asset
}

const differs = () =>
  new AppError('invalid', t`What arrived is not the film that was declared: its size or SHA-256 differs. Send all parts again`, {
    fields: { checksum: t`The SHA-256 of the parts put together is another` },
  })

/**
 * Only the request that resets the row removes the object, and one of a single part stays unless nobody can finish a film with it: another request may just have
 * stored it anew (finish-upload.ts). Returns the error to throw.
 */
async function restarted({ db, bucket }: FilmCaller, film: UnfinishedFilm, error: AppError): Promise<AppError> {
  const gone = film.r2UploadId !== null || error.code === 'unsupported_media'
  if ((await partsRow(db, 'films', film.id).reset(film.r2UploadId)) && gone) await withStorage(() => bucket.delete(keyOf(film)))
  return error
}

/** Removes objects whose rows are gone. If that fails, compareStorage finds them. */
export async function removeFilms(bucket: R2Bucket, films: readonly FilmObject[]): Promise<void> {
  for (const film of films) {
    if (film.r2UploadId) await abortMultipart(bucket, keyOf(film), film.r2UploadId)
    await withStorage(() => bucket.delete(keyOf(film)))
  }
}
