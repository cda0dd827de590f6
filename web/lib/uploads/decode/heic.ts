import createLibheif from 'libheif-js/libheif-wasm/libheif.js'
import wasmUrl from 'libheif-js/libheif-wasm/libheif.wasm?url'
import { LIMITS } from '../../../../contract/limits.ts'

/** What is used of libheif; its own types describe the functions below it. */
interface Libheif {
  HeifDecoder: new () => { decode(bytes: ArrayBuffer): HeifImage[] }
}

interface HeifImage {
  get_width(): number
  get_height(): number
  is_primary(): boolean
  /** Null if the picture cannot be decoded. */
  display(target: ImageData, done: (shown: ImageData | null) => void): void
  free(): void
}

let libheif: Promise<Libheif> | undefined

async function loadLibheif(): Promise<Libheif> {
  const wasmBinary = await (await fetch(wasmUrl)).arrayBuffer()
  return createLibheif({ wasmBinary }) as unknown as Libheif
}

/** The main picture of a HEIC or HEIF file, upright. Throws if it is damaged or too large. */
export async function decodeHeic(file: Blob): Promise<ImageBitmap> {
  libheif ??= loadLibheif()
  const { HeifDecoder } = await libheif
  const images = new HeifDecoder().decode(await file.arrayBuffer())
  try {
    const image = images.find((one) => one.is_primary()) ?? images[0]
    if (!image) throw new Error('There is no picture in the file')
    const [width, height] = [image.get_width(), image.get_height()]
    if (width * height > LIMITS.imagePixels) throw new Error('The picture is too large')
    const { promise, resolve } = Promise.withResolvers<ImageData | null>()
    image.display(new ImageData(width, height), resolve)
    const shown = await promise
    if (!shown) throw new Error('The picture cannot be decoded')
    return await createImageBitmap(shown)
  } finally {
    for (const image of images) image.free()
  }
}
