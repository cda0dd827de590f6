import { decode, decodeImage, type IFD, toRGBA8 } from 'utif2'
import { LIMITS } from '../../../../contract/limits.ts'
import { turned } from './turned.ts'

const WIDTH = 't256'
const HEIGHT = 't257'

/** The largest page of a TIFF. Throws if it is damaged or too large. */
export async function decodeTiff(file: Blob, orientation: number): Promise<ImageBitmap> {
  const bytes = await file.arrayBuffer()
  const [page] = decode(bytes).toSorted((a, b) => pixelsOf(b) - pixelsOf(a))
  if (!page || pixelsOf(page) === 0 || pixelsOf(page) > LIMITS.imagePixels)
    throw new Error('There is no picture of a size that can be shown')
  decodeImage(bytes, page)
  const pixels = new Uint8ClampedArray(toRGBA8(page))
  return turned(await createImageBitmap(new ImageData(pixels, page.width, page.height)), orientation)
}

function pixelsOf(page: IFD): number {
  const first = (tag: string) => Number((page[tag] as number[] | undefined)?.[0] ?? 0)
  return first(WIDTH) * first(HEIGHT)
}
