import { rgbaToThumbHash } from 'thumbhash'
import { expect, test } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import { doubtAbout, keptByDefault } from './keep.ts'

const BLANK = { width: 400, height: 300, date: null, date_precision: 'unknown', thumbhash: null, group: null }
const linked = (...ids: string[]) => ids.map((collection_id) => ({ collection_id, user_id: '', added_at: '' }))

/** Of its own file and size, without a date, in the collection Kyoto alone. */
const photo = (id: string, fields: Partial<Asset> = {}) =>
  ({ ...BLANK, id, checksum: id, collections: linked('kyoto'), ...fields }) as unknown as Asset

const at = (seconds: number): Partial<Asset> => ({
  date: new Date(Date.UTC(2026, 4, 3, 10, 0, 0, seconds * 1000)).toISOString(),
  date_precision: 'minute',
})

const kept = (...set: Asset[]) => [...keptByDefault(set)].join(' ')

/** A bar on top and nothing else, as on the slides of a deck. */
function slideHash(): string {
  const pixels = new Uint8Array(32 * 24 * 4).map((_, n) => (n % 4 === 3 || n < 32 * 5 * 4 ? 255 : 60))
  return Buffer.from(rgbaToThumbHash(32, 24, pixels)).toString('base64')
}

test('Of copies, the best alone is kept', () => {
  expect(kept(photo('best'), photo('b'), photo('c'))).toBe('best')
  expect(doubtAbout([photo('best'), photo('b')])).toBe('')
})

test('What is in a collection in which the best one is not is kept, since the trash takes it out of there as well', () => {
  const both = photo('best', { collections: linked('kyoto', 'nara') })
  const nara = photo('b', { collections: linked('kyoto', 'nara') })
  expect(kept(photo('best'), nara)).toBe('best b')
  expect(kept(both, nara)).toBe('best')
})

test('What has parts is kept', () => {
  const group = { id: 'g', kind: 'raw', cover: 'b' } as const
  expect(kept(photo('best'), photo('b', { group }))).toBe('best b')
})

test('Photos that were taken more than two seconds apart are kept, and not the copies of each', () => {
  const burst = [photo('best', at(0)), photo('copy', at(1.5)), photo('next', at(4)), photo('its copy', at(4)), photo('undated')]
  expect(kept(...burst)).toBe('best next')
  expect(doubtAbout(burst)).toBe('Taken moments apart')
  expect(doubtAbout([photo('best', at(0)), photo('b', at(2))])).toBe('')
  expect(doubtAbout([photo('best', at(0)), photo('b', at(86_400))])).toBe('Taken at different times')
})

test('Of two shots and a better picture without a date all are kept: it may be either', () => {
  expect(kept(photo('best'), photo('b', at(0)), photo('c', at(60)))).toBe('best b c')
})

test('A date without a time is of no moment', () => {
  const day = { date: '2026-05-03T00:00:00Z', date_precision: 'day' } as const
  expect(kept(photo('best', at(0)), photo('b', day))).toBe('best')
})

test('Pictures of one size with little in them are kept, as pages and screens of one layout, unless they are one file or of one moment', () => {
  const slide = { thumbhash: slideHash() }
  const slides = [photo('one', slide), photo('two', slide)]
  expect(kept(...slides)).toBe('one two')
  expect(doubtAbout(slides)).toBe('There is little in them to compare')
  expect(kept(photo('one', slide), photo('two', { ...slide, width: 200, height: 150 }))).toBe('one')
  expect(kept(photo('one', slide), photo('two', { ...slide, checksum: 'one' }))).toBe('one')
  expect(kept(photo('one', { ...slide, ...at(0) }), photo('two', { ...slide, ...at(0) }))).toBe('one')
})
