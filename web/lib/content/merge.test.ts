import { expect, test } from 'vitest'
import { advance, mergeDelta, rowsById } from './merge.ts'

const item = (id: string, date: string | null, zone: string | null = 'UTC', version = 1) => ({ id, date, date_zone: zone, version })

test('A delta replaces, adds in order and removes', () => {
  const list = [item('c', '2025-03-01T00:00:00Z'), item('b', '2025-02-01T00:00:00Z'), item('a', '2025-01-01T00:00:00Z')]
  const moved = item('a', '2025-02-15T00:00:00Z', 'UTC', 2)
  const next = mergeDelta(list, [moved, item('d', '2025-04-01T00:00:00Z')], ['b'])
  expect(next.map(({ id }) => id)).toEqual(['d', 'c', 'a'])
})

test('Repeated and outdated rows change nothing, and the array stays the same', () => {
  const list = [item('a', '2025-01-01T00:00:00Z', 'UTC', 3)]
  expect(mergeDelta(list, [item('a', '2020-01-01T00:00:00Z', 'UTC', 2)])).toBe(list)
  expect(mergeDelta(list, [item('a', '2025-01-01T00:00:00Z', 'UTC', 3)], ['zz'])).toBe(list)
})

test('A row deleted in the same delta does not come back', () => {
  expect(mergeDelta([item('a', null)], [item('a', null, 'UTC', 2)], ['a'])).toEqual([])
})

test('Pages in the order of the server are appended', () => {
  const first = [item('b', '2025-02-01T00:00:00Z')]
  expect(mergeDelta(first, [item('a', '2025-01-01T00:00:00Z')]).map(({ id }) => id)).toEqual(['b', 'a'])
})

test('The index by id follows the list', () => {
  const list = [item('b', '2025-02-01T00:00:00Z'), item('a', '2025-01-01T00:00:00Z')]
  const index = rowsById(list)
  const next = advance(list, [item('c', '2025-03-01T00:00:00Z'), item('a', '2025-04-01T00:00:00Z', 'UTC', 2)], ['b'])
  expect(rowsById(next)).toBe(index)
  expect(next.map(({ id }) => id)).toEqual(['a', 'c'])
  for (const row of next) expect(rowsById(next).get(row.id)).toBe(row)
  expect(rowsById(next).size).toBe(2)
  expect(rowsById(list).get('b')).toBe(list[0])
})

test('A list stays the same array without new rows, and accepts overlapping pages', () => {
  const list = [item('b', '2025-02-01T00:00:00Z')]
  expect(advance(list, [])).toBe(list)
  const more = advance(list, [item('a', '2025-01-01T00:00:00Z')])
  const again = advance(more, [item('b', '2024-01-01T00:00:00Z', 'UTC', 2), item('c', '2023-01-01T00:00:00Z')])
  expect(again.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(rowsById(again).get('b')).toBe(again[1])
})

test('Rows in the opposite order on the server are found as well', () => {
  const list = [item('a', '2025-01-01T00:00:00.0001Z'), item('b', '2025-01-01T00:00:00.0009Z'), item('c', '2024-01-01T00:00:00Z')]
  expect(mergeDelta(list, [], ['a', 'b']).map(({ id }) => id)).toEqual(['c'])
})
