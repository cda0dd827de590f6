import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { filmInChunks } from './film-chunks.ts'
import { readFilmHeaders } from './film-headers.ts'

const FILMS = path.resolve(import.meta.dirname, '../../tests/fixtures/films')
const MIB = 1024 * 1024
const NOTHING = {
  ...{ date: null, dateZone: null, datePrecision: 'unknown', location: null, words: null, contentId: null },
  ...{ width: null, height: null, duration: null, codec: null },
}
const DATE = { date: '2022-09-30T19:20:00+02:00', dateZone: 'Europe/Zurich', datePrecision: 'minute', isMoment: true }

type Load = (from: number, to: number) => Promise<ArrayBuffer>

/** As the server reads a film of `size` bytes, and how many it has loaded. */
async function read(size: number, load: Load) {
  let loaded = 0
  const counted: Load = async (from, to) => {
    loaded += to - from
    return load(from, to)
  }
  const headers = await readFilmHeaders(filmInChunks({ size, most: 16, load: counted }), 'Europe/Zurich')
  return { headers, loaded }
}

const readBytes = (bytes: Buffer) => read(bytes.length, async (from, to) => Uint8Array.from(bytes.subarray(from, to)).buffer)

/** With `size` bytes in all, of which those behind `bytes` are zeros. */
const readPadded = (bytes: Buffer, size: number) =>
  read(size, async (from, to) => {
    const part = new Uint8Array(to - from)
    part.set(bytes.subarray(from, to))
    return part.buffer
  })

const phone = await readFile(path.join(FILMS, 'phone.mp4'))

function box(name: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** A box that claims to have `size` bytes, in the 64 bits that large boxes have. */
function largeBox(name: string, size: bigint): Buffer {
  const head = Buffer.alloc(16)
  head.writeUInt32BE(1)
  head.write(name, 4, 'latin1')
  head.writeBigUInt64BE(size, 8)
  return head
}

const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0isom'))
const moov = phone.subarray(phone.indexOf('moov') - 4)
/** Version, then made on 2022-09-30 at 17:20 UTC. */
const mvhd = box('mvhd', Buffer.alloc(4), Buffer.from([0xdf, 0x5c, 0xd5, 0xc0]), Buffer.alloc(96))

test.each([
  ['phone.mp4', {}],
  ['fragments.mp4', { duration: null }],
  ['rotated.mov', { width: 64, height: 96 }],
  ['location.mov', { location: { lat: 1.5515, lon: 110.3584 } }],
  ['hevc.mov', { codec: 'hevc' }],
  ['vp9.mkv', { codec: 'vp9', words: 'Boats', location: { lat: 47.5, lon: 9.25 } }],
  ['vp8.webm', { codec: 'vp8' }],
  ['old.avi', { date: null, dateZone: null, datePrecision: 'unknown', isMoment: undefined, codec: 'FMP4' }],
])('The headers of %s say when it was made and how large it is', async (name, different) => {
  const { headers } = await readBytes(await readFile(path.join(FILMS, name)))
  expect(headers).toEqual({ ...NOTHING, ...DATE, ...{ width: 96, height: 64, duration: 2, codec: 'avc' }, ...different })
})

test('Of a film of 4 GiB with its headers at the end, three chunks are loaded', async () => {
  const start = phone.subarray(0, phone.indexOf('moov') - 4)
  const gap = 4 * 1024 * MIB
  const end = start.length + gap
  const first = Buffer.concat([start, largeBox('free', BigInt(gap))])
  const { headers, loaded } = await read(end + moov.length, async (from, to) => {
    const part = Buffer.alloc(to - from)
    part.set(first.subarray(from, to))
    if (to > end) part.set(moov.subarray(Math.max(0, from - end)), Math.max(0, end - from))
    return Uint8Array.from(part).buffer
  })
  expect(headers).toMatchObject({ ...DATE, width: 96, duration: 2 })
  expect(loaded).toBeLessThanOrEqual(3 * MIB)
})

const nested = (levels: number) => {
  const bytes = Buffer.alloc(levels * 8)
  for (let level = 0; level < levels; level++) {
    bytes.writeUInt32BE((levels - level) * 8, level * 8)
    bytes.write('trak', level * 8 + 4)
  }
  return bytes
}

test.each([
  ['ends in its header', phone.subarray(0, phone.indexOf('mvhd') + 8), {}],
  ['ends in its tables', phone.subarray(0, -200), { ...DATE, duration: 2 }],
  ['has a box of no size', Buffer.concat([ftyp, Buffer.from([0, 0, 0, 4]), Buffer.from('free'), moov]), {}],
  ['has a box to the end of the file', Buffer.concat([ftyp, Buffer.from([0, 0, 0, 0]), Buffer.from('free'), moov]), {}],
  ['has a box of 16 EiB', Buffer.concat([ftyp, largeBox('free', 2n ** 64n - 1n), moov]), {}],
  ['has a box of 64 bits with no size', Buffer.concat([ftyp, largeBox('free', 0n), moov]), {}],
  ['has tracks in tracks, 20,000 deep', Buffer.concat([ftyp, box('moov', mvhd, nested(20_000))]), DATE],
  ['has a million empty boxes', Buffer.concat([ftyp, ...Array(1_000_000).fill(box('free')), moov]), {}],
])('A film that %s keeps what came before', async (_what, bytes, kept) => {
  const { headers } = await readBytes(Buffer.from(bytes))
  expect(headers).toEqual({ ...NOTHING, ...kept })
})

test('A header of 100 MiB is not taken into memory: its film has a date, if that comes first', async () => {
  const head = Buffer.from(box('moov', mvhd))
  head.writeUInt32BE(100 * MIB)
  const { headers, loaded } = await readPadded(Buffer.concat([ftyp, head]), 100 * MIB + ftyp.length)
  expect(headers).toEqual({ ...NOTHING, ...DATE })
  expect(loaded).toBeLessThanOrEqual(16 * MIB)
})

test('Whatever bytes of a film are damaged, it is read without an error', async () => {
  for (const name of ['iphone.mov', 'vp9.mkv', 'fragments.mp4', 'location.3gp']) {
    const film = await readFile(path.join(FILMS, name))
    for (let nth = 0; nth < 60; nth++) {
      const damaged = Buffer.from(film)
      for (let i = 0; i < 8; i++) damaged[((nth * 8 + i) * 7919) % film.length] = (nth * 37 + i * 101) % 256
      expect(await readBytes(damaged)).toHaveProperty('headers.date')
    }
  }
})
