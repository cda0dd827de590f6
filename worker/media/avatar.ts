import { t } from '#say'
import { AVATARS, DENSITIES } from '../../contract/images.ts'
import { AppError, fieldError } from '../http/errors.ts'
import { draw, isDecodable, isRefusal, sizeOf } from './image.ts'
import { isScanBomb, tooManyScans } from './jpeg-walk.ts'
import { pngSize } from './small-png.ts'
import { binaryType } from './sniff-binary.ts'
import { stripMetadata } from './strip-metadata.ts'

/** Pixels: the largest avatar at the highest density, which is small enough for all others. */
const SIDE = Math.max(...Object.values(AVATARS)) * Math.max(...DENSITIES)
/** Pixels of a picture. Two megabytes can decode to far more. */
const MAX_PIXELS = 50_000_000
/** Longest side in pixels from which the square is cut. */
const WORKING = 1_024

/** A square of the upright picture, in its pixels. */
export interface Crop {
  x: number
  y: number
  size: number
}

/** The picture of a person as a small square WebP without metadata. Without a crop, the middle. Throws 415 if it cannot be decoded. */
export async function makeAvatar(images: ImagesBinding, bytes: Uint8Array<ArrayBuffer>, crop: Crop | null): Promise<Uint8Array> {
  if (!isDecodable({ type: binaryType(bytes) ?? '', size: bytes.length })) throw unreadable()
  try {
    const stored = await sizeOf(images, streamOf(bytes))
    if (stored.width * stored.height === 0) throw unreadable()
    if (isScanBomb(bytes)) throw tooManyScans()
    if (stored.width * stored.height > MAX_PIXELS)
      throw new AppError('too_large', t`This picture has too many pixels. Make it smaller first`)
    const upright = await draw(images, streamOf(bytes), { width: WORKING, height: WORKING, fit: 'scale-down' }, { format: 'image/png' })
    const square = crop ? await cut(images, upright, scaled(crop, stored, pngSize(upright))) : upright
    const avatar = await draw(images, streamOf(square), { width: SIDE, height: SIDE, fit: 'cover' }, { format: 'image/webp', quality: 80 })
    return stripMetadata(avatar, 'image/webp')
  } catch (error) {
    throw !(error instanceof AppError) && isRefusal(error) ? unreadable() : error
  }
}

const streamOf = (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes]).stream()

const unreadable = () => new AppError('unsupported_media', t`This picture could not be read. Choose a JPEG, PNG, WebP, AVIF or GIF`)

interface Size {
  width: number
  height: number
}

/** The crop in pixels of the smaller upright image. A camera may store a picture on its side. */
function scaled({ x, y, size }: Crop, stored: Size, upright: Size): Crop {
  const turned = stored.width > stored.height !== upright.width > upright.height
  const [width, height] = turned ? [stored.height, stored.width] : [stored.width, stored.height]
  if (x + size > width || y + size > height) {
    const message = t`The crop leaves the picture, which is ${{ width: String(width) }} × ${{ height: String(height) }} pixels`
    throw fieldError('invalid', 'crop', message)
  }
  const scale = upright.width / width
  const side = Math.max(1, Math.min(Math.round(size * scale), upright.width, upright.height))
  return {
    x: Math.min(Math.round(x * scale), upright.width - side),
    y: Math.min(Math.round(y * scale), upright.height - side),
    size: side,
  }
}

/** Cuts off one edge after the other: the service can only cut towards an edge or the middle. */
async function cut(images: ImagesBinding, png: Uint8Array<ArrayBuffer>, { x, y, size }: Crop): Promise<Uint8Array<ArrayBuffer>> {
  const { height } = pngSize(png)
  const edges = [
    { width: x + size, height, gravity: 'left' },
    { width: size, height, gravity: 'right' },
    { width: size, height: y + size, gravity: 'top' },
    { width: size, height: size, gravity: 'bottom' },
  ] as const
  let rest = png
  for (const edge of edges) {
    const now = pngSize(rest)
    if (now.width === edge.width && now.height === edge.height) continue
    rest = await draw(images, streamOf(rest), { ...edge, fit: 'crop' }, { format: 'image/png' })
  }
  return rest
}
