import { expect, test } from 'vitest'
import { z } from '../../contract/zod.ts'
import { packRows, unpackRows } from './device-rows.ts'

const Row = z.object({ id: z.string(), name: z.string().nullable(), people: z.array(z.string()) })
const rows = [
  { id: 'a', name: null, people: [] },
  { id: 'b', name: null, people: ['x'] },
]

test('rows come back as they were, and what they share is kept once', () => {
  const packed = packRows(rows)
  expect(Object.keys(packed.same)).toEqual(['name'])
  expect(unpackRows(structuredClone(packed), Row)).toEqual(rows)
  expect(unpackRows(packRows([]), Row)).toEqual(null)
})

test.each([
  ['nothing', undefined],
  ['another shape', { rows }],
  ['a missing column', { ...packRows(rows), each: { id: ['a', 'b'] } }],
  ['a short column', { ...packRows(rows), each: { ...packRows(rows).each, id: ['a'] } }],
  ['values of another kind', packRows([{ id: 1, name: null, people: [] }])],
])('%s is not taken for rows', (_what, stored) => {
  expect(unpackRows(stored, Row)).toBeNull()
})
