import { decode, decodeImage, toRGBA8 } from 'utif2'
import { LIMITS } from '../../../../contract/limits.ts'
import { keepOnly, pagesOf } from './tiff-directory.ts'
import { turned } from './turned.ts'

/** The largest page of a TIFF. Throws if it is damaged or too large. */
export async function decodeTiff(file: Blob, orientation: number): Promise<ImageBitmap> {
  const bytes = await file.arrayBuffer()
  const view = new DataView(bytes)
  const [largest] = pagesOf(view).toSorted((a, b) => b.width * b.height - a.width * a.height)
  const pixels = (largest?.width ?? 0) * (largest?.height ?? 0)
  if (!largest || pixels === 0 || pixels > LIMITS.imagePixels) throw new Error('There is no picture of a size that can be shown')
  keepOnly(view, largest)
  const [page] = decode(bytes)
  if (!page) throw new Error('The picture cannot be decoded')
  decodeImage(bytes, page)
  const rgba = new Uint8ClampedArray(withWindow(() => toRGBA8(page)))
  return turned(await createImageBitmap(new ImageData(rgba, page.width, page.height)), orientation)
}

/** The decoder asks the window for a converter of CMYK, and there is no window in a worker. Only for so long: other decoders take it for a page. */
function withWindow<T>(run: () => T): T {
  if ('window' in globalThis) return run()
  Object.assign(globalThis, { window: globalThis })
  try {
    return run()
  } finally {
    Reflect.deleteProperty(globalThis, 'window')
  }
}
