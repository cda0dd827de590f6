import type { ImageHeader } from '../../../../contract/image-header.ts'
import { LIMITS, RENDITIONS } from '../../../../contract/limits.ts'
import { fitWithin, type Size } from '../renditions.ts'
import { DecoderMissing } from './decoder-missing.ts'
import { embeddedPreview } from './embedded-preview.ts'

/** A picture ready to be drawn, upright. `width` and `height` are those of the original as displayed, which may be larger. */
export interface Decoded {
  bitmap: ImageBitmap
  width: number
  height: number
}

/**
 * Decodes with the browser where it can, else with a decoder that is loaded when the first such file is met, else shows the preview that is
 * in the file. Null if nothing can show it. Throws DecoderMissing. `orientation` is that of EXIF, 1 to 8.
 */
export async function decodePicture(file: Blob, header: ImageHeader, orientation: number): Promise<Decoded | null> {
  if (pixelsOf(header) > LIMITS.imagePixels) return decodeHuge(file, header, orientation)
  try {
    // The EXIF orientation is applied here, so width and height are those displayed.
    return show(await createImageBitmap(file, { imageOrientation: 'from-image' }))
  } catch {
    return decodeOther(file, header.type, orientation)
  }
}

export const pixelsOf = ({ width, height }: Pick<ImageHeader, 'width' | 'height'>) => (width ?? 0) * (height ?? 0)

const show = <B extends ImageBitmap | null>(bitmap: B) => bitmap && { bitmap, width: bitmap.width, height: bitmap.height }

async function decodeOther(file: Blob, type: string, orientation: number): Promise<Decoded | null> {
  try {
    switch (type) {
      case 'image/heic':
        return show(await (await load(import('./heic.ts'))).decodeHeic(file))
      case 'image/jxl':
        return show(await (await load(import('./jpeg-xl.ts'))).decodeJpegXl(file))
      case 'image/tiff':
        // Most raw files are TIFFs, too.
        return show(await embeddedPreview(file, orientation)) ?? show(await (await load(import('./tiff.ts'))).decodeTiff(file, orientation))
      default:
        return type.startsWith('image/x-') ? show(await embeddedPreview(file, orientation)) : null
    }
  } catch (error) {
    if (error instanceof DecoderMissing) throw error
    return null
  }
}

async function load<T>(module: Promise<T>): Promise<T> {
  try {
    return await module
  } catch {
    throw new DecoderMissing()
  }
}

/**
 * All pixels of 200 megapixels would take 800 MB, so they are never decoded at once: the browser scales a JPEG while it decodes, or the file
 * has a preview.
 */
async function decodeHuge(file: Blob, header: ImageHeader, orientation: number): Promise<Decoded | null> {
  const size =
    orientation >= 5 ? { width: header.height ?? 0, height: header.width ?? 0 } : { width: header.width ?? 0, height: header.height ?? 0 }
  const bitmap = (header.type === 'image/jpeg' ? await decodeScaled(file, header) : null) ?? (await embeddedPreview(file, orientation))
  return bitmap && { bitmap, ...size }
}

/** Null if this browser does not scale while it decodes. */
async function decodeScaled(file: Blob, header: ImageHeader): Promise<ImageBitmap | null> {
  if (!(await scalesWhileDecoding())) return null
  const frame = await decodeFrame(file, fitWithin({ width: header.width ?? 1, height: header.height ?? 1 }, RENDITIONS.preview))
  try {
    return await createImageBitmap(frame)
  } finally {
    frame.close()
  }
}

async function decodeFrame(file: Blob, { width, height }: Size): Promise<VideoFrame> {
  const decoder = new ImageDecoder({ data: await file.arrayBuffer(), type: 'image/jpeg', desiredWidth: width, desiredHeight: height })
  try {
    return (await decoder.decode()).image
  } finally {
    decoder.close()
  }
}

let scales: Promise<boolean> | undefined

/** Asks for an eighth of a small JPEG: a browser that ignores the wish would take all the memory for a large one. */
function scalesWhileDecoding(): Promise<boolean> {
  scales ??= (async () => {
    if (typeof ImageDecoder === 'undefined') return false
    const canvas = new OffscreenCanvas(64, 64)
    canvas.getContext('2d')
    const frame = await decodeFrame(await canvas.convertToBlob({ type: 'image/jpeg' }), { width: 8, height: 8 })
    frame.close()
    return frame.codedWidth < 64
  })().catch(() => false)
  return scales
}
