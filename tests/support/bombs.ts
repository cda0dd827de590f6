import { crc32, deflateSync } from 'node:zlib'

/**
 * A progressive JPEG of few bytes with this many scans, each of which makes a decoder go over all pixels: after the first scan they refine nothing.
 * `note` makes the file unique.
 */
export function scanBomb(scans: number, { side = 2048, note = '' } = {}): Uint8Array {
  const segment = (marker: number, ...data: number[]) => [0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff, ...data]
  const frame = segment(0xc2, 8, side >> 8, side & 0xff, side >> 8, side & 0xff, 1, 1, 0x11, 0)
  // One code of each table: category 0 for DC, and an end-of-band run of 2¹⁴ blocks for AC.
  const table = (kind: number, symbol: number) => segment(0xc4, kind, 1, ...Array<number>(15).fill(0), symbol)
  const blocks = (side / 8) ** 2
  const scan = (from: number, to: number, bytes: number) => [...segment(0xda, 1, 1, 0x00, from, to, 0x00), ...Array<number>(bytes).fill(0)]
  // A run's code of one bit is followed by 14 bits of its length.
  const ac = scan(1, 63, Math.ceil((Math.ceil(blocks / 2 ** 14) * 15) / 8))
  const start = [
    ...[0xff, 0xd8, ...segment(0xfe, ...Buffer.from(note))],
    ...segment(0xdb, 0, ...Array<number>(64).fill(1)),
    ...[...frame, ...table(0x00, 0), ...table(0x10, 0xe0)],
    ...scan(0, 0, Math.ceil(blocks / 8)),
  ]
  const rest = Array.from({ length: scans - 1 }, () => ac).flat()
  return Uint8Array.from([...start, ...rest, 0xff, 0xd9])
}

/** A small PNG that decodes to this many pixels. */
export function pixelBomb(width: number, height: number, note = ''): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(Math.ceil(width / 8) * 200))
  const parts = [chunk('IHDR', header), chunk('tEXt', Buffer.from(`Comment\0${note}`)), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]
  return new Uint8Array(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]))
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}
