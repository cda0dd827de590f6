import init, { JxlImage } from 'jxl-oxide-wasm'
import { LIMITS } from '../../../../contract/limits.ts'

/** The first picture of a JPEG XL file, upright. Throws if it is damaged or too large. */
export async function decodeJpegXl(file: Blob): Promise<ImageBitmap> {
  await init()
  const image = new JxlImage()
  try {
    image.forceSrgb = true
    image.feedBytes(new Uint8Array(await file.arrayBuffer()))
    if (!image.tryInit()) throw new Error('There is no picture in the file')
    if ((image.width ?? 0) * (image.height ?? 0) > LIMITS.imagePixels) throw new Error('The picture is too large')
    const frame = image.render()
    try {
      return await createImageBitmap(new Blob([new Uint8Array(frame.encodeToPng())], { type: 'image/png' }))
    } finally {
      frame.free()
    }
  } finally {
    image.free()
  }
}
