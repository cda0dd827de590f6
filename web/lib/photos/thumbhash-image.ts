import { thumbHashToApproximateAspectRatio, thumbHashToDataURL } from 'thumbhash'

/** Pixels of the longer side: the finest wave of a hash has three and a half periods, and the browser smooths the enlarged image. */
const SIDE = 16
/** Bytes before the pixels of a bitmap. */
const HEADER = 54

/** One wave of a channel: half periods in each direction, and the amplitude. */
interface Wave {
  x: number
  y: number
  height: number
}

interface Channel {
  mean: number
  waves: Wave[]
}

/**
 * A thumbhash as the data URL of a small bitmap. A screen has dozens, so this takes a tenth of the work of the package's own image of 32
 * pixels, and a quarter of its characters. Throws RangeError if the hash is too short.
 */
export function thumbHashImage(hash: Uint8Array): string {
  if (hash.length < 5) throw new RangeError('Not a thumbhash')
  // No bitmap format with transparency works in every browser.
  if ((hash[2] ?? 0) >> 7) return thumbHashToDataURL(hash)
  const ratio = thumbHashToApproximateAspectRatio(hash)
  const width = Math.max(1, Math.round(ratio > 1 ? SIDE : SIDE * ratio))
  const height = Math.max(1, Math.round(ratio > 1 ? SIDE / ratio : SIDE))
  const [light, yellow, red] = channelsOf(hash).map((channel) => drawn(channel, width, height))
  if (!light || !yellow || !red) throw new RangeError('Not a thumbhash')
  const row = Math.ceil((width * 3) / 4) * 4
  const bytes = bitmap(width, height, row)
  for (let y = 0, i = 0; y < height; y++) {
    // From the bottom up, blue first.
    for (let x = 0, at = HEADER + (height - 1 - y) * row; x < width; x++, i++, at += 3) {
      const l = light[i] ?? 0
      const q = red[i] ?? 0
      const b = l - (2 / 3) * (yellow[i] ?? 0)
      const r = (3 * l - b + q) / 2
      bytes[at] = b * 255
      bytes[at + 1] = (r - q) * 255
      bytes[at + 2] = r * 255
    }
  }
  return `data:image/bmp;base64,${btoa(String.fromCharCode(...bytes))}`
}

/** Lightness, yellow against blue, red against green, as encoded in the hash (evanw.github.io/thumbhash). */
export function channelsOf(hash: Uint8Array): Channel[] {
  const byte = (index: number) => hash[index] ?? 0
  const means = byte(0) | (byte(1) << 8) | (byte(2) << 16)
  const scales = byte(3) | (byte(4) << 8)
  const landscape = scales >> 15
  const counts = [Math.max(3, landscape ? 7 : scales & 7), Math.max(3, landscape ? scales & 7 : 7)] as const
  let at = 0
  const waves = ([across, down]: readonly [number, number], scale: number) => {
    const all: Wave[] = []
    for (let y = 0; y < down; y++)
      for (let x = y ? 0 : 1; x * down < across * (down - y); x++, at++) {
        const height = ((byte(5 + (at >> 1)) >> ((at & 1) << 2)) & 15) / 7.5 - 1
        all.push({ x, y, height: height * scale * 2 })
      }
    return all
  }
  const boosted = (bits: number) => ((bits & 63) / 63) * 1.25
  return [
    { mean: (means & 63) / 63, waves: waves(counts, ((means >> 18) & 31) / 31) },
    { mean: ((means >> 6) & 63) / 31.5 - 1, waves: waves([3, 3], boosted(scales >> 3)) },
    { mean: ((means >> 12) & 63) / 31.5 - 1, waves: waves([3, 3], boosted(scales >> 9)) },
  ]
}

function drawn({ mean, waves }: Channel, width: number, height: number): Float32Array {
  const values = new Float32Array(width * height).fill(mean)
  for (const wave of waves) {
    const across = cosines(width, wave.x)
    const down = cosines(height, wave.y)
    for (let y = 0, i = 0; y < height; y++) {
      const factor = wave.height * (down[y] ?? 0)
      for (let x = 0; x < width; x++, i++) values[i] = (values[i] ?? 0) + factor * (across[x] ?? 0)
    }
  }
  return values
}

const known = new Map<number, Float32Array>()

/** Cosine with this many half periods, sampled at the middle of each pixel. */
function cosines(size: number, halves: number): Float32Array {
  const key = size * 8 + halves
  let values = known.get(key)
  if (!values) {
    values = Float32Array.from({ length: size }, (_, i) => Math.cos((Math.PI / size) * (i + 0.5) * halves))
    known.set(key, values)
  }
  return values
}

/** Black, 24 bits per pixel, `row` bytes per line. */
function bitmap(width: number, height: number, row: number): Uint8ClampedArray {
  const bytes = new Uint8ClampedArray(HEADER + row * height)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, 0x424d)
  view.setUint32(2, bytes.length, true)
  view.setUint32(10, HEADER, true)
  view.setUint32(14, 40, true)
  view.setInt32(18, width, true)
  view.setInt32(22, height, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 24, true)
  return bytes
}
