import { t } from '#say'
import { RENDITIONS, type RenditionName } from '../../contract/limits.ts'
import { AppError } from '../http/errors.ts'
import { draw, isRefusal } from './image.ts'
import { brokenImage } from './image-bytes.ts'
import { longestSide } from './longest-side.ts'
import { type RenditionType, stripMetadata } from './strip-metadata.ts'

/** The same as in the renditions that browsers make. */
const QUALITY = 82

/**
 * Returns a rendition that is safe to show to everyone: without metadata, with one frame and few scans, and within its size. A small file can
 * decode to an image large enough to crash the browser of every viewer. An AVIF's boxes may state another size than its pixels have, so an AVIF
 * is drawn again, as WebP. Throws `invalid` for a damaged or malicious picture.
 */
export async function acceptRendition(
  images: ImagesBinding | undefined,
  sent: { bytes: Uint8Array; type: RenditionType },
  name: RenditionName,
): Promise<{ bytes: Uint8Array; type: RenditionType }> {
  const { type } = sent
  const bytes = stripMetadata(sent.bytes, type)
  const longest = RENDITIONS[name]
  if (longestSide(bytes, type) > longest)
    throw new AppError('invalid', t`A ${{ rendition: name }} is at most ${{ length: String(longest) }} pixels wide and high`)
  if (type !== 'image/avif') return { bytes, type }
  if (!images) throw new AppError('unsupported_media', t`Send this rendition as WebP or JPEG: this site cannot check AVIF`)
  return { bytes: await drawnAgain(images, bytes, longest), type: 'image/webp' }
}

async function drawnAgain(images: ImagesBinding, bytes: Uint8Array, longest: number): Promise<Uint8Array> {
  const steps = { width: longest, height: longest, fit: 'scale-down' } as const
  try {
    // A copy, because bytes may be part of a larger buffer.
    return stripMetadata(
      await draw(images, new Blob([bytes.slice()]).stream(), steps, { format: 'image/webp', quality: QUALITY }),
      'image/webp',
    )
  } catch (error) {
    throw !(error instanceof AppError) && isRefusal(error) ? brokenImage() : error
  }
}
