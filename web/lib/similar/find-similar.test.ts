import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { expect, test } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import { bestFirst, missingIn } from './best.ts'
import { differenceIn } from './different.ts'
import { findSimilar } from './find-similar.ts'

const PICTURES = path.resolve(import.meta.dirname, '../../../dev/demo/pictures')
/** Of many kinds: much sky, little contrast, all one texture, few colours. */
const NAMES = [
  'altiplano-salt-lake',
  'ama-dablam-above-the-clouds',
  'bowls-of-spices',
  'city-lights-from-the-pier',
  'dandelion-clocks-at-sunset',
  'grass-at-pitch-level',
  'jetty-in-the-fog',
  'kingfisher-on-a-branch',
]

async function thumbhashOf(picture: Sharp): Promise<string> {
  const small = picture.resize(100, 100, { fit: 'inside' }).toColourspace('srgb').ensureAlpha()
  const { data, info } = await small.raw().toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}

const BLANK = {
  name: 'photo.jpg',
  type: 'image/jpeg',
  status: 'ready',
  size: 1000,
  date: null,
  location: null,
  alt: null,
  people: [],
  group: null,
}

const photo = (id: string, fields: Partial<Asset>) =>
  ({ ...BLANK, id, width: 400, height: 300, created_at: '2026-01-01T00:00:00Z', ...fields }) as unknown as Asset

async function picture(name: string, change: (original: Sharp) => Sharp = (original) => original): Promise<Asset> {
  const bytes = await change(sharp(await readFile(path.join(PICTURES, `${name}.jpg`)))).toBuffer()
  const { width = 0, height = 0 } = await sharp(bytes).metadata()
  return photo(name, { width, height, size: bytes.length, thumbhash: await thumbhashOf(sharp(bytes)) })
}

const svg = (width: number, height: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="white"/>${content}</svg>`

/** In its own size first: drawn smaller, its edges would be transparent. */
const drawn = async (picture: string) => sharp(await sharp(Buffer.from(picture)).png().toBuffer())

/** Some length from `from` to `to`, the same for the same numbers. Bars stand for words, so that no font is needed. */
const some = (from: number, to: number, ...of: number[]) =>
  from + Math.round((to - from) * Math.abs(Math.sin(of.reduce((sum, n) => sum * 31 + n, 7))))

function page(n: number): string {
  const words = Array.from({ length: 48 }, (_line, line) =>
    Array.from(
      { length: 8 },
      (_word, word) => `<rect x="${80 + word * 80}" y="${90 + line * 20}" width="${some(30, 74, n, line, word)}" height="6"/>`,
    ),
  )
  return words.flat().join('')
}

function chat(n: number): string {
  const bubbles = Array.from({ length: 9 }, (_, at) => {
    const width = some(80, 280, n, at)
    const own = some(0, 1, n, at, 5) === 1
    return `<rect x="${own ? 380 - width : 10}" y="${130 + at * 70}" width="${width}" height="${some(34, 60, n, at, 2)}" rx="8" fill="${own ? '#d9fdd3' : '#fff'}"/>`
  })
  return `<rect width="390" height="844" fill="#efeae2"/><rect width="390" height="110" fill="#008069"/>${bubbles.join('')}`
}

function slide(n: number): string {
  const lines = Array.from(
    { length: some(2, 6, n) },
    (_, at) => `<rect x="100" y="${260 + at * 70}" width="${some(200, 800, n, at)}" height="20"/>`,
  )
  return `<rect width="1280" height="130" fill="#1f4e79"/><rect x="60" y="58" width="${some(200, 900, n)}" height="14" fill="#fff" opacity=".5"/>${lines.join('')}`
}

const idsOf = (sets: Asset[][] | null) => sets?.map((set) => set.map(({ id }) => id).sort())

async function find(assets: Asset[], different: string[][] = []) {
  return idsOf(await findSimilar(assets, { areDifferent: differenceIn(different), signal: new AbortController().signal }))
}

test.each<[string, (original: Sharp) => Sharp]>([
  ['smaller and in lower quality', (original) => original.resize(800, 800, { fit: 'inside' }).jpeg({ quality: 60 })],
  ['as small as a messenger sends it', (original) => original.resize(480, 480, { fit: 'inside' }).jpeg({ quality: 40 })],
  ['in another format', (original) => original.webp({ quality: 50 })],
  ['a little lighter', (original) => original.linear(1.02, 1).jpeg()],
])('A copy that is %s is found for each picture, and nothing else', async (_, change) => {
  const originals = await Promise.all(NAMES.map((name) => picture(name)))
  const copies = await Promise.all(NAMES.map(async (name) => ({ ...(await picture(name, change)), id: `${name} again` })))
  expect(await find([...originals, ...copies])).toEqual(NAMES.map((name) => [name, `${name} again`]))
})

test('Blank pages, pictures with transparency, films and pictures of another shape are in no set', async () => {
  const { thumbhash } = await picture('bowls-of-spices')
  const blank = await thumbhashOf(sharp({ create: { width: 400, height: 300, channels: 3, background: '#eeeeee' } }))
  const clear = await thumbhashOf(sharp(await sharp(path.join(PICTURES, 'bowls-of-spices.jpg')).ensureAlpha(0.5).png().toBuffer()))
  expect(await find([photo('a', { thumbhash: blank }), photo('b', { thumbhash: blank })])).toEqual([])
  expect(await find([photo('a', { thumbhash: clear }), photo('b', { thumbhash: clear })])).toEqual([])
  expect(await find([photo('a', { thumbhash }), photo('b', { thumbhash: 'AAA' }), photo('c', { thumbhash: null })])).toEqual([])
  expect(await find([photo('a', { thumbhash }), photo('b', { thumbhash, width: 450 })])).toEqual([])
  expect(await find([photo('a', { thumbhash }), photo('b', { thumbhash, type: 'video/mp4' })])).toEqual([])
  expect(await find([photo('a', { thumbhash }), photo('b', { thumbhash })])).toEqual([['a', 'b']])
})

test('What is more than its picture is not compared: raw files, pictures that move, motion photos', async () => {
  const { thumbhash } = await picture('bowls-of-spices')
  const alone = photo('a', { thumbhash })
  const moreThanThat = [
    { name: 'IMG_1.CR3', type: 'image/x-canon-cr3' },
    { name: 'IMG_1.dng', type: 'image/tiff' },
    { type: 'image/gif' },
    { type: 'image/webp', duration: 2 },
    { type: 'image/avif', duration: 2 },
    { type: 'image/jpeg', duration: 1.5 },
    { type: 'image/heic', duration: 1.5 },
  ]
  for (const fields of moreThanThat) expect(await find([alone, photo('b', { thumbhash, ...fields })]), JSON.stringify(fields)).toEqual([])
  expect(await find([alone, photo('b', { thumbhash, name: 'IMG_1.webp', type: 'image/webp', duration: null })])).toEqual([['a', 'b']])
})

test.each([
  ['a page of text', 800, 1131, page],
  ['a chat', 390, 844, chat],
  ['a slide', 1280, 720, slide],
])('Two screens or pages that have only their layout in common are no set: %s', async (_, width, height, draw) => {
  const pages = await Promise.all(
    [1, 2, 3, 4].map(async (n) =>
      photo(String(n), { width, height, thumbhash: await thumbhashOf(await drawn(svg(width, height, draw(n)))) }),
    ),
  )
  expect(await find(pages)).toEqual([])
})

test('A set of more photos than a call takes arguments is found beside another', async () => {
  const { thumbhash } = await picture('bowls-of-spices')
  const kingfisher = await picture('kingfisher-on-a-branch')
  const many = new Array<Asset>(200_000).fill(photo('a', { thumbhash }))
  const pair = [kingfisher, { ...kingfisher, id: 'b' }]
  const sets = await findSimilar([...pair, ...many], { areDifferent: () => false, signal: new AbortController().signal })
  expect(sets?.map(({ length }) => length)).toEqual([2, many.length])
})

test('Photos that were called different are not in one set any more, and may be in sets with others', async () => {
  const { thumbhash } = await picture('kingfisher-on-a-branch')
  const photos = ['a', 'b', 'c'].map((id) => photo(id, { thumbhash }))
  expect(await find(photos, [['a', 'b', 'c']])).toEqual([])
  expect(await find(photos, [['a', 'b']])).toEqual([['a', 'c']])
})

test('The best has most pixels, then date and place, then the larger file, then it was here first', () => {
  const place = { lat: 1, lon: 1 }
  const best = [
    photo('pixels', { width: 800, size: 1 }),
    photo('both', { date: '2026-01-01T00:00:00Z', location: place }),
    photo('place', { location: place }),
    photo('bytes', { size: 2000 }),
    photo('first', { created_at: '2025-01-01T00:00:00Z' }),
    photo('later', {}),
  ]
  expect(best.toReversed().sort(bestFirst)).toEqual(best)
})

test('It is told what those that go have and the others lack', () => {
  const plain = photo('plain', {})
  const rich = photo('rich', { alt: 'A lake', date: '2026-01-01T00:00:00Z', location: { lat: 1, lon: 1 }, people: ['p', 'q'] })
  expect(missingIn([plain], [rich])).toBe('a description, a date, a place and 2 people')
  expect(missingIn([rich], [plain])).toBe('')
  expect(missingIn([rich], [photo('other', { alt: 'Another lake', people: ['r'] })])).toBe('a description and 1 person')
})
