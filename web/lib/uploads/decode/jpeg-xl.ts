import init, { JxlImage } from 'jxl-oxide-wasm'
import { LIMITS } from '../../../../contract/limits.ts'
import { orNotLoaded } from '../not-loaded.ts'

/** The first picture of a JPEG XL file, upright. Throws if it is damaged or too large, and NotLoaded. */
export async function decodeJpegXl(file: Blob): Promise<ImageBitmap> {
  await orNotLoaded(init())
  const image = new JxlImage()
  try {
    image.forceSrgb = true
    image.feedBytes(new Uint8Array(await file.arrayBuffer()))
    if (!image.tryInit()) throw new Error('There is no picture in the file')
    if ((image.width ?? 0) * (image.height ?? 0) > LIMITS.imagePixels) throw new Error('The picture is too large')
    // Encoding frees the frame.
    const png = new Uint8Array(image.render().encodeToPng())
    return await createImageBitmap(new Blob([png], { type: 'image/png' }))
  } finally {
    image.free()
  }
}
