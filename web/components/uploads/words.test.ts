import { expect, test } from 'vitest'
import { summarize } from '../../lib/uploads/items.ts'
import { headline, subline } from './words.ts'

const words = (counts: Partial<ReturnType<typeof summarize>>) => {
  const summary = { ...summarize([]), ...counts }
  return [headline(summary), subline(summary)]
}

test('the upload headline does not count duplicates as added', () => {
  expect(words({ total: 20, added: 8, duplicates: 12 })).toEqual(['8 added', '12 already here'])
  expect(words({ total: 5, duplicates: 5 })).toEqual(['All 5 were already here', ''])
  expect(words({ total: 1, duplicates: 1 })).toEqual(['It was already here', ''])
  expect(words({ total: 1, added: 1 })).toEqual(['1 added', ''])
})
