import type { ImageHeader } from '../../../../contract/image-header.ts'
import { LIMITS, RENDITIONS } from '../../../../contract/limits.ts'
import { NotLoaded, orNotLoaded } from '../not-loaded.ts'
import { fitWithin, type Size } from '../renditions.ts'
import { embeddedPreview } from './embedded-preview.ts'

/** A picture ready to be drawn, upright. `width` and `height` are those of the original as displayed, which may be larger. */
export interface Decoded {
  bitmap: ImageBitmap
  width: number
  height: number
}

/** The picture as the tags of its file describe it. `orientation` is that of EXIF, 1 to 8; `size` is in pixels before it is turned. */
export interface TaggedPicture {
  orientation: number
  size: Size | null
}

/** Formats whose size is not in their first bytes: their own decoders check it before they decode. */
const UNSIZED = /^image\/(?:jxl|tiff|x-.*)$/

/**
 * Decodes with the browser where it can, else with a decoder that is loaded when the first such file is met, else shows the preview that is
 * in the file. Null if nothing can show it. Throws NotLoaded.
 */
export async function decodePicture(file: Blob, header: ImageHeader, tagged: TaggedPicture): Promise<Decoded | null> {
  if (pixelsOf(header) > LIMITS.imagePixels) return decodeHuge(file, header, tagged)
  if (UNSIZED.test(header.type)) return decodeOther(file, header.type, tagged)
  try {
    // The EXIF orientation is applied here, so width and height are those displayed.
    return show(await createImageBitmap(file, { imageOrientation: 'from-image' }))
  } catch {
    return decodeOther(file, header.type, tagged)
  }
}

export const pixelsOf = ({ width, height }: Pick<ImageHeader, 'width' | 'height'>) => (width ?? 0) * (height ?? 0)

const show = (bitmap: ImageBitmap): Decoded => ({ bitmap, width: bitmap.width, height: bitmap.height })

async function decodeOther(file: Blob, type: string, tagged: TaggedPicture): Promise<Decoded | null> {
  try {
    if (type === 'image/heic') return show(await (await orNotLoaded(import('./heic.ts'))).decodeHeic(file))
    if (type === 'image/jxl') return show(await (await orNotLoaded(import('./jpeg-xl.ts'))).decodeJpegXl(file))
    if (type !== 'image/tiff' && !type.startsWith('image/x-')) return null
    // Most raw files are TIFFs, too.
    const preview = await embeddedPreview(file, tagged.orientation)
    if (preview) return { bitmap: preview, ...sizeBehind(preview, tagged) }
    return type === 'image/tiff' ? show(await (await orNotLoaded(import('./tiff.ts'))).decodeTiff(file, tagged.orientation)) : null
  } catch (error) {
    if (error instanceof NotLoaded) throw error
    return null
  }
}

/** The size of a raw file, if its tags have one of the preview's shape: some makers have that of a thumbnail there, or of bare pixels. */
function sizeBehind(preview: ImageBitmap, { orientation, size }: TaggedPicture): Size {
  if (!size || size.width < preview.width) return { width: preview.width, height: preview.height }
  const upright = orientation >= 5 ? { width: size.height, height: size.width } : size
  const shapes = (upright.width / upright.height) * (preview.height / preview.width)
  return Math.abs(shapes - 1) < 0.03 ? upright : { width: preview.width, height: preview.height }
}

/**
 * All pixels of 200 megapixels would take 800 MB, so they are never decoded at once: the browser scales a JPEG while it decodes, or the file
 * has a preview.
 */
async function decodeHuge(file: Blob, header: ImageHeader, { orientation }: TaggedPicture): Promise<Decoded | null> {
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
