import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, MovOutputFormat, Output } from 'mediabunny'
import { expect, test } from 'vitest'
import { readFilm } from './film.ts'

const FILMS = path.resolve(import.meta.dirname, '../../../tests/fixtures/films')
const film = async (name: string) => new Blob([await readFile(path.join(FILMS, name))])
const read = (file: Blob) => readFilm(file, { zone: 'Europe/Zurich', withFrame: false })

const NOTHING = {
  ...{ date: null, dateZone: null, datePrecision: 'unknown', location: null, words: null, contentId: null, frame: null },
  ...{ width: null, height: null, duration: null, codec: null, plays: null },
}
const SHOT = {
  ...NOTHING,
  ...{ date: '2022-09-30T19:20:00+02:00', dateZone: 'Europe/Zurich', datePrecision: 'minute', isMoment: true },
  ...{ width: 96, height: 64, duration: 2, codec: 'avc', plays: 'widely' },
}

test('A film of an iPhone has date with offset, location, description and the identifier of its photo', async () => {
  expect(await read(await film('iphone.mov'))).toEqual({
    ...SHOT,
    ...{ date: '2020-12-20T00:14:27+01:00', dateZone: '+01:00', isMoment: undefined, location: { lat: 47.5, lon: 9.25 } },
    ...{ words: 'Fog over the lake', contentId: '7A1C8E0B-5A0E-4D2C-9C55-0A6B5B1E2F3D' },
  })
})

test.each([
  ['phone.mp4', {}],
  ['fragments.mp4', {}],
  ['rotated.mov', { width: 64, height: 96 }],
  ['location.mov', { location: { lat: 1.5515, lon: 110.3584 } }],
  ['location.3gp', { location: { lat: -33.84999, lon: 151.2 } }],
  ['hevc.mov', { codec: 'hevc', plays: 'seldom' }],
  ['mpeg4.mp4', { codec: 'mp4v', plays: 'seldom' }],
  ['vp9.mkv', { codec: 'vp9', plays: 'makeable', words: 'Boats', location: { lat: 47.5, lon: 9.25 } }],
  ['vp8.webm', { codec: 'vp8' }],
  ['camcorder.m2ts', { plays: 'makeable', date: null, dateZone: null, datePrecision: 'unknown', isMoment: undefined }],
  ['old.avi', { date: null, dateZone: null, datePrecision: 'unknown', isMoment: undefined, codec: 'FMP4', plays: 'seldom' }],
  ['unset.mp4', { date: null, dateZone: null, datePrecision: 'unknown', isMoment: undefined }],
])('%s is dated, placed and measured', async (name, different) => {
  expect(await read(await film(name))).toEqual({ ...SHOT, ...different })
})

test('VP9 in MOV, as no camera writes it, is read', async () => {
  const output = new Output({ format: new MovOutputFormat(), target: new BufferTarget() })
  const source = new EncodedVideoPacketSource('vp9')
  output.addVideoTrack(source, { rotation: 270 })
  output.setMetadataTags({ raw: { 'com.apple.quicktime.creationdate': '2024-02-29T12:00:00-0330' } })
  await output.start()
  const config = { codec: 'vp09.00.10.08', codedWidth: 320, codedHeight: 180 }
  await source.add(new EncodedPacket(new Uint8Array(8), 'key', 0, 1.5), { decoderConfig: config })
  await output.finalize()
  expect(await read(new Blob([output.target.buffer ?? '']))).toMatchObject({ width: 180, height: 320, duration: 1.5, codec: 'vp9' })
})

test('What is no film, and a film that ends too early, have no values in place of an error', async () => {
  expect(await read(new Blob(['Not a film']))).toEqual(NOTHING)
  expect(await read(new Blob([]))).toEqual(NOTHING)
  const whole = await film('phone.mp4')
  expect(await read(whole.slice(0, 2_000))).toEqual(NOTHING)
})

test.each(['stts', 'ctts', 'stsc'])(
  'A film whose %s says that it has billions of pictures is dated and measured, and not decoded',
  async (table) => {
    const bytes = new Uint8Array(await (await film('phone.mp4')).arrayBuffer())
    const at = new TextDecoder('latin1').decode(bytes).lastIndexOf(table)
    // After name, version and number of entries; in `stsc` the first number is that of a chunk.
    bytes[at + (table === 'stsc' ? 16 : 12)] = 0xff
    expect(await read(new Blob([bytes]))).toEqual({ ...SHOT, plays: null })
  },
)

test('Only headers are read of a film of 4 GB', async () => {
  const small = await film('phone.mp4')
  const asked: number[] = []
  const large = withHole(await small.arrayBuffer(), 4 * 2 ** 30, (bytes) => asked.push(bytes))
  expect(await read(large)).toMatchObject({ date: SHOT.date, width: 96, duration: 2 })
  expect(asked.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(2 ** 24)
})

/** The film with so many bytes of nothing before its header, where a long film has its pictures. */
function withHole(film: ArrayBuffer, hole: number, onRead: (bytes: number) => void): Blob {
  const bytes = new Uint8Array(film)
  const ftyp = new DataView(film).getUint32(0)
  const free = new Uint8Array(16)
  const view = new DataView(free.buffer)
  view.setUint32(0, 1)
  free.set(new TextEncoder().encode('free'), 4)
  view.setBigUint64(8, BigInt(hole))
  const parts = [
    { at: 0, bytes: bytes.subarray(0, ftyp) },
    { at: ftyp, bytes: free },
    { at: ftyp + hole, bytes: bytes.subarray(ftyp) },
  ]
  const size = bytes.length + hole
  class Sparse extends Blob {
    override get size() {
      return size
    }
    override slice(from = 0, to = size) {
      const piece = new Uint8Array(Math.min(to, size) - from)
      onRead(piece.length)
      for (const part of parts) {
        const start = Math.max(from, part.at)
        const end = Math.min(to, part.at + part.bytes.length)
        if (start < end) piece.set(part.bytes.subarray(start - part.at, end - part.at), start - from)
      }
      return new Blob([piece])
    }
  }
  return new Sparse()
}
