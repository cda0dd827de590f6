import ExifReader from 'exifreader'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanExif } from './exif.ts'

// Latitude and longitude as numbers that nothing else has.
const PLACE = [4711, 101, 4712, 103, 4713, 107]
const SECRET = 'Hallstatt'
const [BYTE, ASCII, SHORT, LONG, RATIONAL, UNDEFINED] = [1, 2, 3, 4, 5, 7]

interface Tag {
  tag: number
  type: number
  count: number
  value: Uint8Array | Directory
}
interface Directory {
  tags: Tag[]
  next?: Directory
}
interface Layout {
  little: boolean
  /** Decide, one after another, which of the parts that are left comes next. */
  order: number[]
  /** Bytes of nothing between the parts. */
  padding: number[]
}

/** A TIFF whose directories and values are in any order. */
function tiffOf(main: Directory, { little, order, padding }: Layout): Uint8Array {
  const parts: { size: number; at: number; owner: Directory | Tag }[] = []
  const collect = (directory: Directory): void => {
    parts.push({ size: 6 + 12 * directory.tags.length, at: 0, owner: directory })
    for (const tag of directory.tags) {
      if (!(tag.value instanceof Uint8Array)) collect(tag.value)
      else if (tag.value.length > 4) parts.push({ size: tag.value.length, at: 0, owner: tag })
    }
    if (directory.next) collect(directory.next)
  }
  collect(main)
  let end = 8
  const left = [...parts]
  for (let nth = 0; left.length > 0; nth++) {
    const [part] = left.splice((order[nth % order.length] ?? 0) % left.length, 1)
    if (!part) break
    part.at = end + (padding[nth % padding.length] ?? 0)
    end = part.at + part.size
  }
  const bytes = new Uint8Array(end).fill(0)
  const view = new DataView(bytes.buffer)
  const at = (owner: Directory | Tag) => parts.find((part) => part.owner === owner)?.at ?? 0
  view.setUint16(0, little ? 0x4949 : 0x4d4d)
  view.setUint16(2, 42, little)
  view.setUint32(4, at(main), little)
  for (const { owner, at: start } of parts) {
    if (!('tags' in owner)) {
      if (owner.value instanceof Uint8Array) bytes.set(owner.value, start)
      continue
    }
    view.setUint16(start, owner.tags.length, little)
    for (const [nth, tag] of owner.tags.entries()) {
      const entry = start + 2 + 12 * nth
      view.setUint16(entry, tag.tag, little)
      view.setUint16(entry + 2, tag.type, little)
      view.setUint32(entry + 4, tag.count, little)
      if (!(tag.value instanceof Uint8Array)) view.setUint32(entry + 8, at(tag.value), little)
      else if (tag.value.length > 4) view.setUint32(entry + 8, at(tag), little)
      else bytes.set(tag.value, entry + 8)
    }
    view.setUint32(start + 2 + 12 * owner.tags.length, owner.next ? at(owner.next) : 0, little)
  }
  return bytes
}

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const text = (tag: number, value: string): Tag => ({ tag, type: ASCII, count: value.length + 1, value: bytesOf(`${value}\0`) })
const pointer = (tag: number, value: Directory): Tag => ({ tag, type: LONG, count: 1, value })

function numbers(values: number[], little: boolean, width: 2 | 4 = 4): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * width))
  for (const [nth, value] of values.entries()) width === 4 ? view.setUint32(4 * nth, value, little) : view.setUint16(2 * nth, value, little)
  return new Uint8Array(view.buffer)
}

function photo(little: boolean): Directory {
  const degrees = (tag: number): Tag => ({ tag, type: RATIONAL, count: 3, value: numbers(PLACE, little) })
  const gps = {
    tags: [text(1, 'N'), degrees(2), text(3, 'E'), degrees(4), { tag: 5, type: BYTE, count: 1, value: bytesOf('\0') }, text(0x1c, SECRET)],
  }
  const note = bytesOf(`Maker\0${SECRET}`)
  const shot = {
    tags: [
      ...[text(0x9003, '2024:05:03 10:00:00'), { tag: 0x927c, type: UNDEFINED, count: note.length, value: note }],
      ...[{ tag: 0x9286, type: UNDEFINED, count: 17, value: bytesOf(`ASCII\0\0\0${SECRET}`) }, text(0xa434, 'A lens of some length')],
    ],
  }
  return {
    tags: [
      ...[text(0x010e, SECRET), text(0x010f, 'Canon'), { tag: 0x0112, type: SHORT, count: 1, value: numbers([6, 0], little, 2) }],
      ...[
        { tag: 0x02bc, type: BYTE, count: SECRET.length, value: bytesOf(SECRET) },
        text(0x9c9b, SECRET),
        pointer(0x8769, shot),
        pointer(0x8825, gps),
      ],
    ],
    next: { tags: [text(0x010e, SECRET), text(0x0132, '2024:05:03 10:00:00')] },
  }
}

const layouts = fc.record({
  little: fc.boolean(),
  order: fc.array(fc.nat(30), { minLength: 1, maxLength: 12 }),
  padding: fc.array(fc.nat(9), { minLength: 1, maxLength: 6 }),
})
const noThumbnail = async () => null
const includes = (bytes: Uint8Array, part: Uint8Array) => Buffer.from(bytes).includes(part)

test('EXIF of any layout and order of bytes keeps camera, shot and orientation, and nothing of the place', async () => {
  await fc.assert(
    fc.asyncProperty(layouts, async (layout) => {
      const tiff = tiffOf(photo(layout.little), layout)
      expect(ExifReader.load(new Uint8Array(tiff).buffer, { expanded: true }).gps?.Latitude).toBeGreaterThan(4711 / 101)
      const clean = await cleanExif(tiff, noThumbnail)
      expect(clean.length).toBe(tiff.length)
      const { exif = {}, gps } = ExifReader.load(new Uint8Array(clean).buffer, { expanded: true })
      expect(gps).toBeUndefined()
      expect(
        Object.fromEntries(Object.entries(exif).map(([name, tag]) => [name, (tag as { description: string }).description])),
      ).toMatchObject({
        ...{ Make: 'Canon', DateTimeOriginal: '2024:05:03 10:00:00', LensModel: 'A lens of some length', Orientation: 'right-top' },
      })
      expect(includes(clean, bytesOf(SECRET))).toBe(false)
      for (const number of PLACE.filter((value) => value > 4000)) expect(includes(clean, numbers([number], layout.little))).toBe(false)
    }),
    { numRuns: 200 },
  )
})

test('EXIF that a loop, an overlap or a wrong number makes unreadable becomes zero as a whole', async () => {
  const tiff = tiffOf(photo(false), { little: false, order: [0], padding: [0] })
  const view = new DataView(tiff.buffer)
  const entry = (tag: number) => {
    for (let at = 10; ; at += 12) if (view.getUint16(at) === tag) return at
  }
  const broken = [
    // The directory of the shot is the main one.
    [entry(0x8769) + 8, 8],
    // The place is where the maker's name is.
    [entry(0x8825) + 8, view.getUint32(entry(0x010f) + 8)],
    [entry(0x8825) + 8, 0xffff_fff0],
    [4, 0xffff_ffff],
    [4, 0],
  ]
  for (const [at = 0, value = 0] of broken) {
    const copy = tiff.slice()
    new DataView(copy.buffer).setUint32(at, value)
    expect((await cleanExif(copy, noThumbnail)).every((byte) => byte === 0)).toBe(true)
  }
})

test('EXIF of any bytes ends soon', async () => {
  const tiff = tiffOf(photo(true), { little: true, order: [3, 1], padding: [1] })
  const change = fc.tuple(fc.nat(tiff.length - 1), fc.integer({ min: 0, max: 255 }))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 20 }), fc.nat(tiff.length), async (changes, length) => {
      const bytes = tiff.slice(0, length)
      for (const [at, value] of changes) if (at < length) bytes[at] = value
      expect((await cleanExif(bytes, noThumbnail)).length).toBe(length)
    }),
    { numRuns: 500 },
  )
})
