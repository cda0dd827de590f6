import createLibheif from 'libheif-js/libheif-wasm/libheif.js'
import wasmUrl from 'libheif-js/libheif-wasm/libheif.wasm?url'
import { LIMITS } from '../../../../contract/limits.ts'
import { orNotLoaded } from '../not-loaded.ts'

/** What is used of libheif; its own types describe the functions below it. */
interface Libheif {
  HeifDecoder: new () => HeifDecoder
  heif_context_free(context: unknown): void
}

interface HeifDecoder {
  /** The memory of the file, once one was decoded. Libheif frees it only when it decodes another. */
  decoder: unknown
  decode(bytes: ArrayBuffer): HeifImage[]
}

interface HeifImage {
  get_width(): number
  get_height(): number
  is_primary(): boolean
  /** Null if the picture cannot be decoded. */
  display(target: ImageData, done: (shown: ImageData | null) => void): void
  free(): void
}

let libheif: Libheif | null = null

async function loadLibheif(): Promise<Libheif> {
  const answer = await fetch(wasmUrl)
  if (!answer.ok) throw new Error(`The decoder was not found: ${answer.status}`)
  return createLibheif({ wasmBinary: await answer.arrayBuffer() }) as unknown as Libheif
}

/** The main picture of a HEIC or HEIF file, upright. Throws if it is damaged or too large, and NotLoaded. */
export async function decodeHeic(file: Blob): Promise<ImageBitmap> {
  libheif ??= await orNotLoaded(loadLibheif())
  try {
    return await decodeWith(libheif, file)
  } catch (error) {
    // A program that was aborted stays so.
    libheif = null
    throw error
  }
}

async function decodeWith({ HeifDecoder, heif_context_free }: Libheif, file: Blob): Promise<ImageBitmap> {
  const decoder = new HeifDecoder()
  const images = decoder.decode(await file.arrayBuffer())
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
    if (decoder.decoder) heif_context_free(decoder.decoder)
  }
}
