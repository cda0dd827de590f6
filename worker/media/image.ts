import { type Fit, FORMATS, type Format, type Modifiers } from '../../contract/images.ts'
import { RENDITIONS, type RenditionName } from '../../contract/limits.ts'
import { AppError, unavailable } from '../http/errors.ts'
import type { ImageSource } from '../queries/images.ts'
import { originalKey, renditionKey, withStorage } from './storage.ts'
import { stripMetadata } from './strip-metadata.ts'

/** Originals that are tried. SVG is never drawn: it could hold anything. */
const DECODABLE = /^image\/(jpeg|png|gif|webp|avif|heic|heif)$/
/** What the Images service takes, and what a decoder makes room for. */
const MAX_SOURCE = { bytes: 64 * 1024 ** 2, pixels: 100_000_000 }

const FIT: Record<Fit, NonNullable<ImageTransform['fit']>> = { cover: 'cover', contain: 'contain', inside: 'scale-down' }

/** The format that is sent: the one asked for, else the smallest that the browser says it can show. */
export function formatFor({ format }: Modifiers, accept: string | undefined): Format {
  if (format && format !== 'auto') return format
  const accepted = (accept ?? '').split(',').filter((range) => !/;\s*q=0(\.0*)?\s*$/.test(range))
  return FORMATS.find((name) => accepted.some((range) => range.split(';')[0]?.trim() === `image/${name}`)) ?? 'jpeg'
}

/** Width and height with the fit that is meant when none is named. */
export function fitOf({ fit, width, height }: Modifiers): Fit {
  return fit ?? (width && height ? 'cover' : 'inside')
}

export function isDecodable({ type, size }: Pick<ImageSource, 'type' | 'size'>): boolean {
  return DECODABLE.test(type) && size <= MAX_SOURCE.bytes
}

type Source = 'original' | 'preview'

/** Sources to try. The preview is small and its size was checked, so it comes first wherever nothing would be lost by it. */
function sourcesOf(asset: ImageSource, modifiers: Modifiers): Source[] {
  const original: Source[] = isDecodable(asset) ? ['original'] : []
  if (!asset.renditions.preview) return original
  return previewIsEnough(asset, modifiers) ? ['preview', ...original] : [...original, 'preview']
}

function previewIsEnough(asset: ImageSource, { width = 0, height = 0 }: Modifiers): boolean {
  // Without a size nobody could decode the original.
  if (!asset.width || !asset.height) return true
  const scale = RENDITIONS.preview / Math.max(asset.width, asset.height)
  return scale >= 1 || (width <= Math.round(asset.width * scale) && height <= Math.round(asset.height * scale))
}

export interface ImageStores {
  bucket: R2Bucket
  images: ImagesBinding
}

/** A picture as it is sent. `cacheable` unless it is a substitute for one that could not be made this time. */
export interface MadeImage {
  bytes: Uint8Array
  cacheable: boolean
}

/** Makes the picture without any metadata. Throws `unsupported_media` where no source can be decoded. */
export async function makeImage(
  stores: ImageStores,
  asset: ImageSource,
  wanted: { modifiers: Modifiers; format: Format },
): Promise<MadeImage> {
  let cacheable = true
  for (const source of sourcesOf(asset, wanted.modifiers)) {
    if (source === 'original' && !(await isMeasurable(stores, asset.id))) continue
    try {
      return { bytes: await transform(stores, sourceKey(asset.id, source), wanted), cacheable }
    } catch (error) {
      if (!isRefusal(error)) throw error
      cacheable = false
    }
  }
  throw new AppError('unsupported_media', 'No smaller picture can be made of this file. Download the original instead')
}

const sourceKey = (id: string, source: Source) => (source === 'original' ? originalKey(id) : renditionKey(id, source))

/** The sizes in the row are a claim. What the file itself says is read before anything is unfolded: a bomb is refused here. */
async function isMeasurable(stores: ImageStores, id: string): Promise<boolean> {
  const { width, height } = await lookUpSize(stores, id)
  return width > 0 && height > 0 && width * height <= MAX_SOURCE.pixels
}

/** What the original itself says of its size, in pixels; all zero where it says nothing that the service understands (spec §8). */
export async function lookUpSize({ bucket, images }: ImageStores, id: string): Promise<{ width: number; height: number; ratio: number }> {
  try {
    const info = await images.info(await open(bucket, originalKey(id)))
    if ('width' in info && info.width > 0 && info.height > 0)
      return { width: info.width, height: info.height, ratio: info.width / info.height }
  } catch (error) {
    if (!isRefusal(error)) throw error instanceof AppError ? error : unavailable('The picture service', error)
  }
  return { width: 0, height: 0, ratio: 0 }
}

async function transform(
  { bucket, images }: ImageStores,
  key: string,
  wanted: { modifiers: Modifiers; format: Format },
): Promise<Uint8Array> {
  const { modifiers, format } = wanted
  const { width, height, quality, blur } = modifiers
  const type = `image/${format}` as const
  const size = { ...(width && { width }), ...(height && { height }) }
  const input = await open(bucket, key)
  try {
    const result = await images
      .input(input)
      .transform({ ...size, fit: FIT[fitOf(modifiers)], ...(blur && { blur }) })
      .output({ format: type, anim: false, ...(quality && { quality }) })
    return stripMetadata(new Uint8Array(await new Response(result.image()).arrayBuffer()), type)
  } catch (error) {
    throw isRefusal(error) ? error : unavailable('The picture service', error)
  }
}

async function open(bucket: R2Bucket, key: string): Promise<ReadableStream<Uint8Array>> {
  const object = await withStorage(() => bucket.get(key))
  if (!object) throw new Refusal(`There is no ${key}`)
  return object.body
}

class Refusal extends Error {}

/** Whether these bytes are refused, by the service (its errors have a number) or by us, rather than nobody answering. */
function isRefusal(error: unknown): boolean {
  if (error instanceof Refusal || (error instanceof AppError && error.code === 'invalid')) return true
  return error instanceof Error && 'code' in error && typeof error.code === 'number'
}

/** The rendition that is closest to what was asked for, for sites without the Images service. */
export function nearestRendition(asset: ImageSource, { width = 0, height = 0 }: Modifiers): RenditionName | null {
  const names = Math.max(width, height) <= RENDITIONS.thumb ? (['thumb', 'preview'] as const) : (['preview', 'thumb'] as const)
  return names.find((name) => asset.renditions[name]) ?? null
}
