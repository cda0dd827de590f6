import { expect, test } from 'vitest'
import { burstsOf, partsWith, type Shot } from './shots.ts'

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
const groupOf = (...assetIds: string[]) => ({ group: { id: 'g', kind: 'live' as const, cover: assetIds[0] ?? '', assetIds } })

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
  ['a photo that is in a group already', asset('b.mov', { ...id, ...cy }), [asset('a.jpg', { ...id, ...groupOf('a.jpg', 'x') })], null],
  ['a photo that is stacked with others', asset('P.dng'), [asset('P.jpg', groupOf('P.jpg', 'x'))], null],
])('%s', (_, arrived, others, expected) => {
  const parts = partsWith(arrived, [arrived, ...others])
  expect(parts?.assetIds ?? null).toEqual(expected)
  if (parts) expect(parts.cover).toMatch(/\.jpg$/)
})

test('A burst is what says so, of one author, and complete', () => {
  const [one, two, three] = [asset('1.jpg', { ...id, after: 300 }), asset('2.jpg', id), asset('3.jpg', id)] as const
  expect(burstsOf([one, two], [three, asset('4.jpg', { ...id, ...cy }), asset('5.jpg')])).toEqual([
    { assetIds: ['3.jpg', '1.jpg', '2.jpg'], cover: '2.jpg' },
  ])
  expect(burstsOf([one], [])).toEqual([])
  const grouped = groupOf('2.jpg', '1.jpg')
  expect(
    burstsOf(
      [
        { ...one, ...grouped },
        { ...two, ...grouped },
      ],
      [],
    ),
  ).toEqual([])
})
