import fc from 'fast-check'
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { readPhotoTags } from '../../../contract/photos/photo-tags.ts'
import { type PlacedFile, placedFiles, tracesIn } from '../../../tests/support/placed-files.ts'
import { sniff } from '../sniff.ts'
import { placePatches } from './clean.ts'
import { patched, patcher } from './patches.ts'
import { inBlocks, inMemory, Uncleanable } from './source.ts'

const FILES = await placedFiles()
const cleaned = async ({ bytes, type }: PlacedFile) => patcher(await placePatches(inMemory(bytes), type))(bytes.slice())

describe.each(FILES)('$name', (file) => {
  let clean: Uint8Array
  beforeAll(async () => {
    clean = await cleaned(file)
  })

  test('no trace of the place is left, and the length is the same', () => {
    expect(sniff(file.bytes.subarray(0, 4096), '')).toBe(file.type)
    expect(tracesIn(file.bytes).length).toBeGreaterThan(0)
    expect(tracesIn(clean)).toEqual([])
    expect(clean.length).toBe(file.bytes.length)
    expect(sniff(clean.subarray(0, 4096), '')).toBe(file.type)
  })

  test('a cleaned file is cleaned to the same bytes', async () => {
    expect(await cleaned({ ...file, bytes: clean })).toEqual(clean)
  })

  test('each range of the stream is that of the whole', async () => {
    const patches = await placePatches(inMemory(file.bytes), file.type)
    const pieces = fc.tuple(fc.nat(file.bytes.length - 1), fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 12 }))
    await fc.assert(
      fc.asyncProperty(pieces, async ([start, lengths]) => {
        let end = start
        const chunks = lengths.map((length) => {
          end += length
          return file.bytes.slice(end - length, end)
        })
        const body = patched(new Blob(chunks).stream(), patches, start)
        expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(clean.slice(start, end))
      }),
      { numRuns: 30 },
    )
  })

  test('a file read in blocks gets the same patches', async () => {
    const source = inBlocks(file.bytes.length, async (offset, length) => file.bytes.slice(offset, offset + length))
    expect(await placePatches(source, file.type)).toEqual(await placePatches(inMemory(file.bytes), file.type))
  })

  test('altered bytes are cleaned or refused', async () => {
    const change = fc.tuple(fc.nat(file.bytes.length - 1), fc.integer({ min: 0, max: 255 }))
    const run = fc.asyncProperty(fc.array(change, { maxLength: 10 }), fc.nat(file.bytes.length), async (changes, length) => {
      const bytes = file.bytes.slice(0, Math.max(length, file.bytes.length >> 1))
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
      try {
        const patches = await placePatches(inMemory(bytes), file.type)
        expect(patches.every(({ offset, length: size }) => offset >= 0 && offset + size <= bytes.length)).toBe(true)
      } catch (error) {
        if (!(error instanceof Uncleanable)) throw error
      }
    })
    await fc.assert(run, { numRuns: 150 })
  })
})

const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer()

test.each(FILES.filter(({ type }) => /jpeg|png|webp|avif|gif/.test(type)))('$name keeps its pixels', async (file) => {
  expect(await pixels(await cleaned(file))).toEqual(await pixels(file.bytes))
})

async function packetsOf(bytes: Uint8Array): Promise<unknown[]> {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) })
  const packets = []
  for (const track of await input.getTracks()) {
    if (track.type !== 'video' && track.type !== 'audio') continue
    for await (const { timestamp, data } of new EncodedPacketSink(track).packets()) packets.push([track.type, timestamp, data])
  }
  return packets
}

test.each(FILES.filter(({ type }) => /^video/.test(type)))('$name keeps its pictures and sound', async (file) => {
  const packets = await packetsOf(file.bytes)
  expect(packets.length).toBeGreaterThan(1)
  expect(await packetsOf(await cleaned(file))).toEqual(packets)
})

test.each(FILES.filter(({ type }) => /jpeg|png|webp|avif/.test(type)))('$name keeps camera and date', async (file) => {
  const { tags } = await readPhotoTags(new Uint8Array(await cleaned(file)).buffer)
  expect(tags).toMatchObject({
    DateTimeOriginal: '2024:05:03 10:00:00',
    OffsetTimeOriginal: '+02:00',
    captions: expect.not.arrayContaining([/./]),
  })
  expect([tags.latitude, tags.longitude, tags.xmp?.location ?? null]).toEqual([undefined, undefined, null])
})

test('Of segments and boxes that are kept, only what a decoder reads is left', async () => {
  const plain = Buffer.from(
    await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer(),
  )
  const segment = (marker: number, text: string) => {
    const content = Buffer.from(text, 'latin1')
    return Buffer.concat([Buffer.from([0xff, marker, 0, content.length + 2]), content])
  }
  const list = 'MPF\0MM\0*\0\0\0\x08\0\x02\xb0\0\0\x07\0\0\0\x040100\xb0\x03\0\x02\0\0\0\x0a\0\0\0\x26\0\0\0\0Hallstatt\0Hallstatt'
  const bytes = Buffer.concat([
    plain.subarray(0, 2),
    segment(0xee, 'Adobe\0d\0\0\0\0\x01Hallstatt'),
    segment(0xe2, list),
    plain.subarray(2),
  ])
  const clean = Buffer.from(await cleaned({ name: 'a.jpg', type: 'image/jpeg', bytes: new Uint8Array(bytes) }))
  expect(tracesIn(clean)).toEqual([])
  expect(clean.includes('Adobe\0d\0\0\0\0\x01')).toBe(true)
  expect(clean.includes('MPF\0MM\0*\0\0\0\x08\0\x01\xb0\0', 0, 'latin1')).toBe(true)
  for (const name of ['phone.mov', 'telemetry.mp4']) {
    const film = FILES.find((file) => file.name === name)
    expect(Buffer.from(film?.bytes ?? []).includes('VideoHandler')).toBe(true)
    expect(Buffer.from(film ? await cleaned(film) : 'VideoHandler').includes('VideoHandler')).toBe(false)
  }
})

test.each([
  'image/tiff',
  'image/x-canon-cr3',
  'image/jxl',
  'application/gpx+xml',
  'application/pdf',
  'text/plain',
  'video/mp2t',
  'application/octet-stream',
])('%s is refused', async (type) => {
  await expect(placePatches(inMemory(new Uint8Array(100)), type)).rejects.toThrow(Uncleanable)
})
