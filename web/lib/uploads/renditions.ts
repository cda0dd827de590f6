import { rgbaToThumbHash } from 'thumbhash'
import { LIMITS, RENDITIONS } from '../../../contract/limits.ts'

export interface Size {
  width: number
  height: number
}

export interface MadeRenditions {
  thumb: Blob
  preview: Blob
  /** base64 */
  thumbhash: string
}

/** The size with its longest side at most `longest`, never enlarged. */
export function fitWithin({ width, height }: Size, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(width, height, 1))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** Makes both renditions and the thumbhash. A canvas writes no EXIF, so neither location nor serial number can leak. */
export async function makeRenditions(bitmap: ImageBitmap): Promise<MadeRenditions> {
  const large = draw(bitmap, fitWithin(bitmap, RENDITIONS.preview))
  const small = draw(large, fitWithin(large, RENDITIONS.thumb))
  const [preview, thumb] = [await encode(large, 0.82), await encode(small, 0.8)]
  return { thumb, preview, thumbhash: thumbhashOf(small) }
}

/** The image with its longest side at most `longest`, without metadata. */
export async function shrink(bitmap: ImageBitmap, longest: number): Promise<Size & { blob: Blob }> {
  const canvas = draw(bitmap, fitWithin(bitmap, longest))
  return { width: canvas.width, height: canvas.height, blob: await encode(canvas, 0.9) }
}

function draw(source: CanvasImageSource, { width, height }: Size): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height)
  const context = contextOf(canvas)
  context.imageSmoothingQuality = 'high'
  context.drawImage(source, 0, 0, width, height)
  return canvas
}

/**
 * WebP, or JPEG on white if the browser cannot write WebP (it returns PNG then). Lowers the quality until the server's size limit is met.
 */
async function encode(canvas: OffscreenCanvas, quality: number): Promise<Blob> {
  let blob = await canvas.convertToBlob({ type: 'image/webp', quality })
  if (blob.type !== 'image/webp') blob = await flattened(canvas).convertToBlob({ type: 'image/jpeg', quality })
  return blob.size <= LIMITS.renditionSize || quality < 0.3 ? blob : encode(canvas, quality - 0.2)
}

function flattened(canvas: OffscreenCanvas): OffscreenCanvas {
  const flat = new OffscreenCanvas(canvas.width, canvas.height)
  const context = contextOf(flat)
  context.fillStyle = 'white'
  context.fillRect(0, 0, flat.width, flat.height)
  context.drawImage(canvas, 0, 0)
  return flat
}

function thumbhashOf(source: OffscreenCanvas): string {
  // The algorithm accepts at most 100 × 100 pixels.
  const { width, height } = fitWithin(source, 100)
  const pixels = contextOf(draw(source, { width, height })).getImageData(0, 0, width, height)
  return btoa(String.fromCharCode(...rgbaToThumbHash(width, height, pixels.data)))
}

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser cannot draw pictures now')
  return context
}
