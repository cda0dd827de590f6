/** What a camera writes into a photo. */
interface Shot {
  /** `2020:12:20 00:14:27` as EXIF has it. */
  date: string
  /** Digits after the decimal point of its seconds. */
  fraction?: string
  /** Of a Live Photo. */
  contentId?: string
  burstId?: string
}

type Entry = [tag: number, type: number, value: Buffer]
const [ASCII, UNDEFINED] = [2, 7]
/** Bytes of one value, of types that have several. */
const SIZES: Record<number, number> = { 4: 4, 5: 8 }
export const ascii = (tag: number, value: string): Entry => [tag, ASCII, Buffer.from(`${value}\0`, 'latin1')]
const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A directory of EXIF that begins at `at`, with its values after it. Its tags have to be in order. */
export function directory(entries: Entry[], at: number): Buffer {
  const head = Buffer.alloc(2 + 12 * entries.length + 4)
  head.writeUInt16BE(entries.length)
  const values: Buffer[] = []
  let end = at + head.length
  for (const [nth, [tag, type, value]] of entries.entries()) {
    const entry = 2 + 12 * nth
    head.writeUInt16BE(tag, entry)
    head.writeUInt16BE(type, entry + 2)
    head.writeUInt32BE(value.length / (SIZES[type] ?? 1), entry + 4)
    if (value.length <= 4) value.copy(head, entry + 8)
    else {
      head.writeUInt32BE(end, entry + 8)
      values.push(value)
      end += value.length
    }
  }
  return Buffer.concat([head, ...values])
}

/** The JPEG with EXIF as an iPhone writes it, in the time zone +01:00. */
export function shot(jpeg: Uint8Array, { date, fraction, contentId, burstId }: Shot): Uint8Array<ArrayBuffer> {
  const ids: Entry[] = [...(burstId ? [ascii(0x0b, burstId)] : []), ...(contentId ? [ascii(0x11, contentId)] : [])]
  const start = Buffer.from('Apple iOS\0\0\x01MM', 'latin1')
  const note = Buffer.concat([start, directory(ids, start.length)])
  const taken = [ascii(0x9003, date), ascii(0x9011, '+01:00'), [0x927c, UNDEFINED, note] as Entry]
  const exif = directory([...taken, ...(fraction ? [ascii(0x9291, fraction)] : [])], 26)
  const tiff = Buffer.concat([Buffer.from('MM\0*\0\0\0\x08', 'latin1'), directory([[0x8769, 4, long(26)]], 8), exif])
  const segment = Buffer.concat([Buffer.from('\xff\xe1\0\0Exif\0\0', 'latin1'), tiff])
  segment.writeUInt16BE(segment.length - 2, 2)
  return new Uint8Array(Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]))
}

/** The JPEG with a colour profile of this many bytes ahead of everything else, in as many segments as it takes. */
export function behindProfile(jpeg: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const most = 65_519
  const count = Math.ceil(size / most)
  const segments = Array.from({ length: count }, (_, nth) => {
    const length = Math.min(most, size - nth * most)
    const segment = Buffer.concat([Buffer.from('\xff\xe2\0\0ICC_PROFILE\0', 'latin1'), Buffer.of(nth + 1, count), Buffer.alloc(length)])
    segment.writeUInt16BE(segment.length - 2, 2)
    return segment
  })
  return new Uint8Array(Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]))
}
