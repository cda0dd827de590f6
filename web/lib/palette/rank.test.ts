import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FIT, fitOf, rank } from './rank.ts'

test.each([
  ['Media', 'media', FIT.exact],
  ['Media', 'me', FIT.start],
  ['New collection', 'collection new', FIT.words],
  ['Dark', 'theme', FIT.otherWords],
  ['Timeline', 'line', FIT.inside],
  ['New collection', 'nc', FIT.letters],
  ['New collection', 'necol', FIT.letters],
  ['Žofín', 'zofin', FIT.exact],
  ['Media', 'dm', FIT.none],
  ['Media', 'x', FIT.none],
])('%s matches %j with the right tier', (label, query, fit) => {
  expect(fitOf(query, label, 'theme appearance')).toBe(fit)
})

test('Better matches come first, among equals the most recently used', () => {
  const items = ['Kyoto', 'Kyoto 2024', 'Old Kyoto', 'Tokyo'].map((label) => ({ id: label, label }))
  const labels = (recent: string[]) => rank('kyo', items, recent).map(({ item }) => item.label)
  expect(labels([])).toEqual(['Kyoto', 'Kyoto 2024', 'Old Kyoto', 'Tokyo'])
  expect(labels(['Tokyo', 'Kyoto 2024'])).toEqual(['Kyoto 2024', 'Kyoto', 'Old Kyoto', 'Tokyo'])
})

test('Every name is found by itself and by each of its beginnings, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string({ unit: 'binary' }), (label, query) => {
      fitOf(query, label)
      expect(fitOf(label.trim(), label.trim())).toBe(FIT.exact)
    }),
  )
})
