import { checkAvif } from './strip-avif.ts'
import { stripJpeg } from './strip-jpeg.ts'
import { stripWebp } from './strip-webp.ts'

export const RENDITION_TYPES = ['image/webp', 'image/avif', 'image/jpeg'] as const
export type RenditionType = (typeof RENDITION_TYPES)[number]

/**
 * A rendition without place, serial numbers or any other text about the picture: only what is needed to draw it stays, colour
 * profile included. Throws `invalid` for a picture that is cut off or built in a way we cannot clean.
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
