import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from '../../../contract/zod.ts'
import { packRows, unpackRows } from './rows.ts'

const Row = z.object({
  id: z.string(),
  name: z.string().nullable(),
  kind: z.string().nullable(),
  people: z.array(z.string()),
  links: z.array(z.object({ to: z.string(), by: z.string() })),
})
type Row = z.infer<typeof Row>

const rows = Array.from(
  { length: 40 },
  (_, n): Row => ({
    id: `row ${n}`,
    name: null,
    kind: n % 2 ? 'event' : null,
    people: n === 3 ? ['x', 'y'] : [],
    links: Array.from({ length: n % 3 }, (_, nth) => ({ to: `${n}, ${nth}`, by: 'Ana' })),
  }),
)
const read = (packed: unknown, schema: z.ZodObject = Row) => unpackRows(structuredClone(packed), schema)

test('Rows are unpacked unchanged, and shared values are stored once', () => {
  const packed = packRows(rows)
  expect([packed.same, packed.few, packed.lists, packed.each].map((part) => Object.keys(part))).toEqual([
    ['name'],
    ['kind', 'people'],
    ['links'],
    ['id'],
  ])
  expect(Object.keys(packed.lists.links?.rows.same ?? {})).toEqual(['by'])
  const back = read(packed)
  expect(back).toEqual(rows)
  expect(back?.[4]?.people).toBe(back?.[5]?.people)
  expect(read(packRows([]))).toBeNull()
})

test('A string that looks like the JSON of a list stays a string', () => {
  const Mixed = z.object({ id: z.string(), what: z.unknown() })
  const mixed = [['a'], '["a"]', '[["a"]]', 1, '1', null, 'null', {}, '{}'].map((what, n) => ({ id: `${n}`, what }))
  expect(read(packRows(mixed), Mixed)).toEqual(mixed)
})

test('Rows are unpacked unchanged where the first ones lack a column', () => {
  const mixed = rows.map((row, n) => (n < 2 ? row : { ...row, group: n % 2 ? null : 'a group' }))
  expect(read(packRows(mixed), Row.extend({ group: z.string().nullish() }))).toEqual(mixed)
})

test('Any rows are unpacked unchanged', () => {
  const text = fc.oneof(fc.constantFrom('a', 'b', ''), fc.string())
  const row = fc.record({
    id: text,
    name: fc.option(text),
    kind: fc.option(text),
    people: fc.array(text, { maxLength: 3 }),
    links: fc.array(fc.record({ to: text, by: text }, { noNullPrototype: true }), { maxLength: 3 }),
  })
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 60 }), (any) => {
      expect(read(packRows(any))).toEqual(any)
    }),
  )
})

const packed = packRows(rows)
test.each([
  ['A missing record', undefined],
  ['A record of another shape', { rows }],
  ['A record of an older app', { count: 1, same: rows[0], each: {} }],
  ['A record without a column', { ...packed, each: {} }],
  ['A record with a short column', { ...packed, each: { id: ['a'] } }],
  [
    'A column with an index beyond its values',
    { ...packed, few: { ...packed.few, kind: { values: ['event'], which: rows.map(() => 1) } } },
  ],
  ['A short column of few values', { ...packed, few: { ...packed.few, kind: { values: ['event'], which: [0] } } }],
  ['A column with more lists than rows', { ...packed, lists: { links: { ...packed.lists.links, counts: rows.map(() => 9) } } }],
  ['A column of lists without rows', { ...packed, lists: { links: { counts: rows.map(() => 0), rows: null } } }],
  ['A record with values of another type', packRows([{ ...rows[0], id: 1 }])],
])('%s is not unpacked as rows', (_what, stored) => {
  expect(unpackRows(stored, Row)).toBeNull()
})
