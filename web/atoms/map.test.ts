import { expect, test } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { isLonger, type LocatedItem } from './map.ts'

const item = (id: string): LocatedItem => ({ kind: 'asset', row: { id, location: { lat: 1, lon: 2 } } as LocatedItem['row'] & Asset })
const [first, second, third, moved] = [item('a'), item('b'), item('c'), item('a')]
/** The lists are made anew, of the same rows. */
const again = ({ row }: LocatedItem) => ({ kind: 'asset', row }) as LocatedItem

test.each<[string, LocatedItem[], LocatedItem[], boolean]>([
  ['with more items', [first, second, third], [first, second], true],
  ['with more items in between', [first, third, second], [first, second], true],
  ['that is the first', [first], [], true],
  ['with the same items', [first, second], [first, second], false],
  ['with one of them moved', [moved, second, third], [first, second], false],
  ['with others', [second, third], [first], false],
  ['with fewer', [first], [first, second], false],
])('A list %s', (_, items, before, longer) => {
  expect(isLonger(items.map(again), before)).toBe(longer)
})
