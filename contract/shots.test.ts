import { expect, test } from 'vitest'
import { burstId } from './parts.ts'
import { partsWith, type Shot } from './shots.ts'

const NOON = Date.parse('2026-05-01T12:00:00Z')

function asset(name: string, more: Partial<Shot> & { after?: number } = {}): Shot {
  const { after = 0, ...fields } = more
  const type = /\.(mov|mp4)$/i.test(name) ? 'video/mp4' : 'image/jpeg'
  const date = new Date(NOON + after).toISOString()
  const base = { id: name, name, type, user_id: 'ada', date, date_precision: 'minute', content_id: null, group: null }
  return { ...base, ...fields } as Shot
}

const cy = { user_id: 'cy' }
const id = { content_id: 'ID' }
const groupOf = (...assetIds: string[]) => ({ group: { id: 'g', parts: assetIds.length } })

test.each<[string, Shot, Shot[], string[] | null]>([
  ['one identifier, of two authors', asset('a.jpg', id), [asset('b.mov', { ...id, ...cy })], ['a.jpg', 'b.mov']],
  ['its own author first', asset('a.jpg', id), [asset('b.mov', { ...id, ...cy }), asset('c.mov', id)], ['a.jpg', 'c.mov']],
  ['a film that comes last', asset('b.mov', id), [asset('a.jpg', id)], ['b.mov', 'a.jpg']],
  ['one name and time', asset('I.mov', { after: 1_500 }), [asset('I.jpg')], ['I.mov', 'I.jpg']],
  ['one name in other letters', asset('i.MOV'), [asset('I.jpg')], ['i.MOV', 'I.jpg']],
  ['a raw file', asset('P.dng'), [asset('P.jpg')], ['P.dng', 'P.jpg']],
  [
    'a raw file beside a pair',
    asset('P.dng'),
    [asset('P.jpg', groupOf('P.jpg', 'P.mov')), asset('P.mov', groupOf('P.jpg', 'P.mov'))],
    ['P.dng', 'P.jpg', 'P.mov'],
  ],
  ['one name, three seconds apart', asset('I.mov', { after: 3_000 }), [asset('I.jpg')], null],
  ['one name, of two authors', asset('I.mov'), [asset('I.jpg', cy)], null],
  ['one name, and two identifiers', asset('I.mov', id), [asset('I.jpg', { content_id: 'OTHER' })], null],
  ['two photos of one name', asset('I.jpg'), [asset('I.png')], null],
  ['two photos of one name with a film', asset('I.mov'), [asset('I.jpg'), asset('I.png')], null],
  ['dates of which only the day is known', asset('I.mov', { date_precision: 'day' }), [asset('I.jpg')], null],
  [
    'a photo, and not its edited copy',
    asset('IMG_1.mov', id),
    [asset('IMG_E1.jpg', id), asset('IMG_1.jpg', id)],
    ['IMG_1.mov', 'IMG_1.jpg'],
  ],
  ['an edited copy has no film', asset('IMG_E1.jpg', id), [asset('IMG_1.mov', id)], null],
  ['two photos with the identifier of one shot', asset('IMG_E1.jpg', id), [asset('IMG_1.jpg', id)], null],
  ['the film of the same name, of several', asset('b.jpg', id), [asset('a.mov', id), asset('b.mov', id)], ['b.jpg', 'b.mov']],
  ['a photo, a raw file and a film', asset('P.dng'), [asset('P.mov', id), asset('P.jpg', id)], ['P.dng', 'P.mov', 'P.jpg']],
  [
    "a raw file with somebody else's film",
    asset('P.jpg', id),
    [asset('P.dng'), asset('f.mov', { ...id, ...cy })],
    ['P.jpg', 'P.dng', 'f.mov'],
  ],
  [
    'names of Pixels',
    asset('PXL_1.RAW-02.ORIGINAL.dng'),
    [asset('PXL_1.RAW-01.COVER.jpg')],
    ['PXL_1.RAW-02.ORIGINAL.dng', 'PXL_1.RAW-01.COVER.jpg'],
  ],
  ['a photo that is in a group already', asset('b.mov', { ...id, ...cy }), [asset('a.jpg', { ...id, ...groupOf('a.jpg', 'x') })], null],
  ['a photo that is stacked with others', asset('P.dng'), [asset('P.jpg', groupOf('P.jpg', 'x'))], null],
])('%s', (_, arrived, others, expected) => {
  const parts = partsWith(arrived, [arrived, ...others])
  expect(parts?.assetIds ?? null).toEqual(expected)
  if (parts) expect(parts.cover).toMatch(/\.jpg$/)
})

test('A raw file is the cover where there is no other photo', () => {
  expect(partsWith(asset('P.mov', id), [asset('P.dng', id)])).toEqual({ assetIds: ['P.mov', 'P.dng'], cover: 'P.dng' })
})

test('A burst is what says so, of one author, the oldest on top', () => {
  const burst = { content_id: burstId('B') }
  const [one, two, three] = [asset('1.jpg', { ...burst, after: 300 }), asset('2.jpg', burst), asset('3.jpg', burst)] as const
  const others = [two, three, asset('4.jpg', { ...burst, ...cy }), asset('5.jpg'), asset('6.jpg', id)]
  expect(partsWith(one, others)).toEqual({ assetIds: ['2.jpg', '3.jpg', '1.jpg'], cover: '2.jpg' })
  expect(partsWith(one, [])).toBe(null)
  const known = groupOf('2.jpg', '3.jpg')
  expect(partsWith({ ...one, ...groupOf('1.jpg') }, others)?.assetIds).toHaveLength(3)
  expect(
    partsWith(one, [
      { ...two, ...known },
      { ...three, ...known },
    ])?.assetIds,
  ).toHaveLength(3)
  expect(partsWith(one, [{ ...two, ...groupOf('2.jpg', 'x') }])).toBe(null)
})
