import { ascii, directory } from './shots.ts'

const RATIONAL = 5
const HEADER = Buffer.from('MM\0*\0\0\0\x08', 'latin1')

/** Big endian. */
export const numbers = (...values: number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value])))

export const box = (name: string, ...content: Uint8Array[]) => {
  const bytes = Buffer.concat(content)
  return Buffer.concat([numbers(bytes.length + 8), Buffer.from(name, 'latin1'), bytes])
}

/** A CR3 as Canon writes it: tags of the camera, of the shot and of its place in boxes of their own, and a JPEG to be shown by. Taken 33.5° S, 70.25° W. */
export function canonRaw(jpeg: Uint8Array, date: string, offset: string): Uint8Array {
  const shown = Buffer.concat([HEADER, directory([ascii(0x010f, 'Canon'), ascii(0x0132, '2022:02:02 02:02:02')], 8)])
  const taken = Buffer.concat([HEADER, directory([ascii(0x9003, date), ascii(0x9011, offset)], 8)])
  const degrees = (whole: number, minutes: number) => numbers(whole, 1, minutes, 1, 0, 1)
  const place = directory([ascii(1, 'S'), [2, RATIONAL, degrees(33, 30)], ascii(3, 'W'), [4, RATIONAL, degrees(70, 15)]], HEADER.length)
  const id = Buffer.from('85c0b687820f11e08111f4ce462b6a48', 'hex')
  const tags = [box('CMT1', shown), box('CMT2', taken), box('CMT4', HEADER, place)]
  return Buffer.concat([box('ftyp', Buffer.from('crx \0\0\0\x01crx isom')), box('moov', box('uuid', id, ...tags)), box('mdat', jpeg)])
}

/** A RAF as Fujifilm writes it: its head tells where the JPEG is, which has the tags. */
export function fujiRaw(jpeg: Uint8Array): Uint8Array {
  const head = Buffer.alloc(160)
  head.write('FUJIFILMCCD-RAW 0201FF383501X-T5')
  head.writeUInt32BE(head.length, 84)
  head.writeUInt32BE(jpeg.length, 88)
  return Buffer.concat([head, jpeg, Buffer.alloc(64)])
}
