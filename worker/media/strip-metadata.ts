import { checkAvif } from './strip-avif.ts'
import { stripJpeg } from './strip-jpeg.ts'
import { stripWebp } from './strip-webp.ts'

export const RENDITION_TYPES = ['image/webp', 'image/avif', 'image/jpeg'] as const
export type RenditionType = (typeof RENDITION_TYPES)[number]

/**
 * Removes metadata, such as location and serial numbers, from a rendition. Keeps the data needed to draw it, including the colour profile.
 * Throws `invalid` if the file is truncated or its metadata cannot be removed.
 */
export function stripMetadata(bytes: Uint8Array, type: RenditionType): Uint8Array {
  switch (type) {
    case 'image/jpeg':
      return stripJpeg(bytes)
    case 'image/webp':
      return stripWebp(bytes)
    case 'image/avif':
      return checkAvif(bytes)
  }
}
