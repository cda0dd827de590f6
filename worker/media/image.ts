import { t } from '#say'
import { type Fit, FORMATS, type Format, type Modifiers } from '../../contract/images.ts'
import { RENDITIONS, type RenditionName } from '../../contract/limits.ts'
import { AppError, unavailable } from '../http/errors.ts'
import type { ImageSource } from '../queries/images.ts'
import { isStoredWithinLimits } from './measure-original.ts'
import { originalKey, renditionKey, withStorage } from './storage.ts'
import { stripMetadata } from './strip-metadata.ts'

/** Types of originals to decode. Not SVG, which can contain scripts and links. */
const DECODABLE = /^image\/(jpeg|png|gif|webp|avif|heic|heif)$/
/** Limits of the Images service, and of the memory of a decoder. */
const MAX_SOURCE = { bytes: 64 * 1024 ** 2, pixels: 100_000_000 }

const FIT: Record<Fit, NonNullable<ImageTransform['fit']>> = { cover: 'cover', contain: 'contain', inside: 'scale-down' }

/** The requested format, else the smallest one in the Accept header. */
export function formatFor({ format }: Modifiers, accept: string | undefined): Format {
  if (format && format !== 'auto') return format
  const accepted = (accept ?? '').split(',').filter((range) => !/;\s*q=0(\.0*)?\s*$/.test(range))
  return FORMATS.find((name) => accepted.some((range) => range.split(';')[0]?.trim() === `image/${name}`)) ?? 'jpeg'
}

/** The fit, or the default for these sides. */
export function fitOf({ fit, width, height }: Modifiers): Fit {
  return fit ?? (width && height ? 'cover' : 'inside')
}

export function isDecodable({ type, size }: Pick<ImageSource, 'type' | 'size'>): boolean {
  return DECODABLE.test(type) && size <= MAX_SOURCE.bytes
}

type Source = 'original' | 'preview'

/** Sources in the order to try. The preview is small and its size was checked, so it comes first if it is large enough. */
function sourcesOf(asset: ImageSource, modifiers: Modifiers): Source[] {
  const original: Source[] = isDecodable(asset) ? ['original'] : []
  if (!asset.renditions.preview) return original
  return previewIsEnough(asset, modifiers) ? ['preview', ...original] : [...original, 'preview']
}

function previewIsEnough(asset: ImageSource, { width = 0, height = 0 }: Modifiers): boolean {
  // No declared size: the browser could not decode the original.
  if (!asset.width || !asset.height) return true
  const scale = RENDITIONS.preview / Math.max(asset.width, asset.height)
  return scale >= 1 || (width <= Math.round(asset.width * scale) && height <= Math.round(asset.height * scale))
}

export interface ImageStores {
  bucket: R2Bucket
  images: ImagesBinding
}

/** `cacheable` is false for a substitute, made because the first source failed. */
export interface MadeImage {
  bytes: Uint8Array
  cacheable: boolean
}

/** Makes an image without metadata. Throws `unsupported_media` if no source can be decoded. */
export async function makeImage(
  stores: ImageStores,
  asset: ImageSource,
  wanted: { modifiers: Modifiers; format: Format },
): Promise<MadeImage> {
  let cacheable = true
  for (const source of sourcesOf(asset, wanted.modifiers)) {
    if (source === 'original' && !(await mayDecode(stores, asset.id))) continue
    try {
      return { bytes: await transform(stores, sourceKey(asset.id, source), wanted), cacheable }
    } catch (error) {
      if (!isRefusal(error)) throw error
      cacheable = false
    }
  }
  throw new AppError('unsupported_media', t`No smaller picture can be made of this file. Download the original instead`)
}

const sourceKey = (id: string, source: Source) => (source === 'original' ? originalKey(id) : renditionKey(id, source))

/** Reads size and scans from the file before it is decoded, to refuse decompression bombs: the size in the row is only declared. */
async function mayDecode(stores: ImageStores, id: string): Promise<boolean> {
  if (!(await isStoredWithinLimits(stores.bucket, id))) return false
  const { width, height } = await lookUpSize(stores, id)
  return width > 0 && height > 0 && width * height <= MAX_SOURCE.pixels
}

/** Size of the original in pixels, from the file itself, before it is rotated; all zero if the service cannot read it. */
export async function lookUpSize({ bucket, images }: ImageStores, id: string): Promise<ImageSize> {
  try {
    return await sizeOf(images, await openObject(bucket, originalKey(id)))
  } catch (error) {
    if (!isRefusal(error)) throw error
    return NO_SIZE
  }
}

interface ImageSize {
  width: number
  height: number
  ratio: number
}
const NO_SIZE: ImageSize = { width: 0, height: 0, ratio: 0 }

/** The same for a file that is not stored. */
export async function sizeOf(images: ImagesBinding, input: ReadableStream<Uint8Array>): Promise<ImageSize> {
  try {
    const info = await images.info(input)
    if ('width' in info && info.width > 0 && info.height > 0)
      return { width: info.width, height: info.height, ratio: info.width / info.height }
  } catch (error) {
    if (!isRefusal(error))
      throw error instanceof AppError ? error : unavailable(t`The picture service does not answer just now. Try again in a moment`, error)
  }
  return NO_SIZE
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
  const steps = { ...size, fit: FIT[fitOf(modifiers)], ...(blur && { blur }) }
  const bytes = await draw(images, await openObject(bucket, key), steps, { format: type, ...(quality && { quality }) })
  return stripMetadata(bytes, type)
}

/** One image of the service. Throws an error that `isRefusal` recognises for a file that cannot be decoded, and 503 for an outage. */
export async function draw(
  images: ImagesBinding,
  input: ReadableStream<Uint8Array>,
  steps: ImageTransform,
  output: ImageOutputOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const result = await images
      .input(input)
      .transform(steps)
      .output({ anim: false, ...output })
    return new Uint8Array(await new Response(result.image()).arrayBuffer())
  } catch (error) {
    throw isRefusal(error) ? error : unavailable(t`The picture service does not answer just now. Try again in a moment`, error)
  }
}

export async function openObject(bucket: R2Bucket, key: string): Promise<ReadableStream<Uint8Array>> {
  const object = await withStorage(() => bucket.get(key))
  if (!object) throw new Refusal(`There is no ${key}`)
  return object.body
}

class Refusal extends Error {}

/** True if the service (its errors have a numeric code) or our own checks refuse the file. False for an outage. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof Refusal || (error instanceof AppError && error.code === 'invalid')) return true
  return error instanceof Error && 'code' in error && typeof error.code === 'number'
}

/** The rendition nearest to the requested size, for sites without the Images service. */
export function nearestRendition(asset: ImageSource, { width = 0, height = 0 }: Modifiers): RenditionName | null {
  const names = Math.max(width, height) <= RENDITIONS.thumb ? (['thumb', 'preview'] as const) : (['preview', 'thumb'] as const)
  return names.find((name) => asset.renditions[name]) ?? null
}
