import { expect, test } from 'vitest'
import { advance, mergeDelta, rowsById } from './merge.ts'

const item = (id: string, date: string | null, zone: string | null = 'UTC', version = 1) => ({ id, date, date_zone: zone, version })

test('a delta replaces, adds in order and removes', () => {
  const list = [item('c', '2025-03-01T00:00:00Z'), item('b', '2025-02-01T00:00:00Z'), item('a', '2025-01-01T00:00:00Z')]
  const moved = item('a', '2025-02-15T00:00:00Z', 'UTC', 2)
  const next = mergeDelta(list, [moved, item('d', '2025-04-01T00:00:00Z')], ['b'])
  expect(next.map(({ id }) => id)).toEqual(['d', 'c', 'a'])
})

test('repeated and outdated rows change nothing, not even the array', () => {
  const list = [item('a', '2025-01-01T00:00:00Z', 'UTC', 3)]
  expect(mergeDelta(list, [item('a', '2020-01-01T00:00:00Z', 'UTC', 2)])).toBe(list)
  expect(mergeDelta(list, [item('a', '2025-01-01T00:00:00Z', 'UTC', 3)], ['zz'])).toBe(list)
})

test('what is deleted in the same delta does not come back', () => {
  expect(mergeDelta([item('a', null)], [item('a', null, 'UTC', 2)], ['a'])).toEqual([])
})

test('pages come in the order of the server and are simply appended', () => {
  const first = [item('b', '2025-02-01T00:00:00Z')]
  expect(mergeDelta(first, [item('a', '2025-01-01T00:00:00Z')]).map(({ id }) => id)).toEqual(['b', 'a'])
})

test('what finds rows by their ids follows the list', () => {
  const list = [item('b', '2025-02-01T00:00:00Z'), item('a', '2025-01-01T00:00:00Z')]
  const index = rowsById(list)
  const next = advance(list, [item('c', '2025-03-01T00:00:00Z'), item('a', '2025-04-01T00:00:00Z', 'UTC', 2)], ['b'])
  expect(rowsById(next)).toBe(index)
  expect(next.map(({ id }) => id)).toEqual(['a', 'c'])
  for (const row of next) expect(rowsById(next).get(row.id)).toBe(row)
  expect(rowsById(next).size).toBe(2)
  expect(rowsById(list).get('b')).toBe(list[0])
})

test('a list stays the same array while nothing comes, and follows pages that overlap', () => {
  const list = [item('b', '2025-02-01T00:00:00Z')]
  expect(advance(list, [])).toBe(list)
  const more = advance(list, [item('a', '2025-01-01T00:00:00Z')])
  const again = advance(more, [item('b', '2024-01-01T00:00:00Z', 'UTC', 2), item('c', '2023-01-01T00:00:00Z')])
  expect(again.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(rowsById(again).get('b')).toBe(again[1])
})

test('rows that the server has the other way round are found as well', () => {
  const list = [item('a', '2025-01-01T00:00:00.0001Z'), item('b', '2025-01-01T00:00:00.0009Z'), item('c', '2024-01-01T00:00:00Z')]
  expect(mergeDelta(list, [], ['a', 'b']).map(({ id }) => id)).toEqual(['c'])
})
