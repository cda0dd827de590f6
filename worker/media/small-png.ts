import { joinBytes } from '../../contract/bytes.ts'
import { brokenImage, fourCc, view } from './image-bytes.ts'

/** Bytes per pixel by colour type: grey, RGB, grey with alpha, RGBA. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 4: 2, 6: 4 }

interface Pixels {
  width: number
  height: number
  rgba: Uint8Array
}

/** Width and height of a PNG, from its header. */
export function pngSize(bytes: Uint8Array): { width: number; height: number } {
  const data = view(bytes)
  return { width: data.getUint32(16), height: data.getUint32(20) }
}

/** Decodes a PNG of 8 bits per channel without palette and interlacing, as the image service writes them. Throws `invalid` for any other. */
export async function decodePng(bytes: Uint8Array): Promise<Pixels> {
  const { width, height } = pngSize(bytes)
  const channels = CHANNELS[bytes[25] ?? -1]
  if (!channels || bytes[24] !== 8 || bytes[28] !== 0) throw brokenImage()
  const stream = new Blob([joinBytes(dataOf(bytes))]).stream().pipeThrough(new DecompressionStream('deflate'))
  const lines = new Uint8Array(await new Response(stream).arrayBuffer())
  if (lines.length !== height * (1 + width * channels)) throw brokenImage()
  unfilter(lines, height, width * channels, channels)
  const rgba = new Uint8Array(width * height * 4)
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++, to += 4) {
      const at = y * (1 + width * channels) + 1 + x * channels
      const grey = channels < 3
      for (let c = 0; c < 3; c++) rgba[to + c] = lines[at + (grey ? 0 : c)] ?? 0
      rgba[to + 3] = channels % 2 === 0 ? (lines[at + channels - 1] ?? 0) : 255
    }
  return { width, height, rgba }
}

function dataOf(bytes: Uint8Array): Uint8Array<ArrayBuffer>[] {
  const data = view(bytes)
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let at = 8; at + 12 <= bytes.length; at += 12 + data.getUint32(at))
    if (fourCc(bytes, at + 4) === 'IDAT') parts.push(new Uint8Array(bytes.subarray(at + 8, at + 8 + data.getUint32(at))))
  return parts
}

/** Adds to each byte what its line's filter predicts from the bytes to the left (a), above (b) and above the left one (c). */
function unfilter(lines: Uint8Array, height: number, width: number, channels: number): void {
  for (let y = 0; y < height; y++) {
    const start = y * (width + 1)
    const filter = lines[start]
    for (let x = 0; x < width; x++) {
      const at = start + 1 + x
      const a = x < channels ? 0 : (lines[at - channels] ?? 0)
      const b = y === 0 ? 0 : (lines[at - width - 1] ?? 0)
      const c = x < channels || y === 0 ? 0 : (lines[at - width - 1 - channels] ?? 0)
      const predicted = filter === 1 ? a : filter === 2 ? b : filter === 3 ? (a + b) >> 1 : filter === 4 ? paeth(a, b, c) : 0
      lines[at] = (lines[at] ?? 0) + predicted
    }
  }
}

function paeth(a: number, b: number, c: number): number {
  const [toA, toB, toC] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)]
  return toA <= toB && toA <= toC ? a : toB <= toC ? b : c
}
