import { rgbaToThumbHash } from 'thumbhash'
import { RENDITIONS, type RenditionName } from '../../contract/limits.ts'
import { connect, type Db } from '../db/client.ts'
import type { Env } from '../env.ts'
import { AppError, describe } from '../http/errors.ts'
import { relayChanges } from '../live/change-relay.ts'
import { draw, type ImageStores, isRefusal, lookUpSize, makeImage, openObject } from '../media/image.ts'
import { webpSize } from '../media/longest-side.ts'
import { decodePng } from '../media/small-png.ts'
import { removeFiles, renditionKey, withStorage } from '../media/storage.ts'
import {
  type ClaimedImage,
  claimMissingRenditions,
  giveUpRenditions,
  type ImageSource,
  type MadeRenditions,
  recordMadeRenditions,
} from '../queries/images.ts'
import { readMetadata } from './read-metadata.ts'

/** As the browser makes them. */
const QUALITY: Record<RenditionName, number> = { preview: 82, thumb: 80 }
const TYPE = 'image/webp'
/** Longest side in pixels of the image from which a thumbhash is made. */
const HASHED = 64

/**
 * Makes the renditions of photos that came without them, such as those of scripts, so that every screen shows them like any other. Does
 * nothing without the Images service: then pages show the originals.
 */
export async function makeMissingRenditions(env: Env): Promise<void> {
  const { IMAGES: images, FILES: bucket } = env
  if (!images) return
  const db = connect(env.DATABASE_URL, env.NEON_PROXY)
  const claimed = await claimMissingRenditions(db)
  for (const asset of claimed) await complete({ db, bucket, images }, asset)
  // Open pages see them now, and not in a minute.
  if (claimed.length > 0) await relayChanges(env)
}

async function complete({ db, ...stores }: ImageStores & { db: Db }, asset: ClaimedImage): Promise<void> {
  try {
    const made = await makeRenditions(stores, asset)
    const recorded = await recordMadeRenditions(db, asset.id, made, asset.unread ? await readMetadata(stores.bucket, asset) : null)
    if (!recorded) await removeFiles(stores.bucket, asset.id)
  } catch (error) {
    // Not thrown: the attempts of the other claimed photos are counted already.
    const hopeless = isRefusal(error) || (error instanceof AppError && error.code === 'unsupported_media')
    const level = hopeless || error instanceof AppError ? 'warn' : 'error'
    console[level](JSON.stringify({ level, what: 'No renditions were made', asset: asset.id, error: describe(error) }))
    if (hopeless) await giveUpRenditions(db, asset.id)
  }
}

async function makeRenditions(stores: ImageStores, asset: ImageSource): Promise<MadeRenditions> {
  const preview = await makeRendition(stores, asset, 'preview')
  // Made from the preview where that is large enough.
  const thumb = await makeRendition(stores, { ...asset, renditions: { ...asset.renditions, preview: TYPE } }, 'thumb')
  const made = thumb ?? preview
  return {
    types: { ...(preview && { preview: TYPE }), ...(thumb && { thumb: TYPE }) },
    ...(made ? await uprightSize(stores, asset, made) : { width: null, height: null }),
    thumbhash: await thumbhashOf(stores.images, await openObject(stores.bucket, renditionKey(asset.id, 'thumb'))),
  }
}

/** Makes and stores a rendition; null if the asset has it already. */
async function makeRendition(stores: ImageStores, asset: ImageSource, name: RenditionName): Promise<Uint8Array | null> {
  if (asset.renditions[name]) return null
  const side = RENDITIONS[name]
  const modifiers = { width: side, height: side, fit: 'inside', quality: QUALITY[name] } as const
  const { bytes } = await makeImage(stores, asset, { modifiers, format: 'webp' })
  await withStorage(() => stores.bucket.put(renditionKey(asset.id, name), bytes, { httpMetadata: { contentType: TYPE } }))
  return bytes
}

/** Size of the original as it is shown: a camera may store a photo on its side, and renditions are upright. */
async function uprightSize(
  stores: ImageStores,
  asset: ImageSource,
  made: Uint8Array,
): Promise<{ width: number | null; height: number | null }> {
  if (asset.width && asset.height) return { width: asset.width, height: asset.height }
  const { width, height } = await lookUpSize(stores, asset.id)
  if (!width || !height) return { width: null, height: null }
  const upright = webpSize(made)
  const turned = width > height !== upright.width > upright.height
  return turned ? { width: height, height: width } : { width, height }
}

async function thumbhashOf(images: ImagesBinding, rendition: ReadableStream<Uint8Array>): Promise<string> {
  const steps = { width: HASHED, height: HASHED, fit: 'scale-down' } as const
  const { width, height, rgba } = await decodePng(await draw(images, rendition, steps, { format: 'image/png' }))
  return btoa(String.fromCharCode(...rgbaToThumbHash(width, height, rgba)))
}
