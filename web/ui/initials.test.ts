import { expect, test } from 'vitest'
import { hueOf, initials } from './initials.ts'

test.each([
  ['Ada Lovelace', 'AL'],
  ['ada@example.com', 'A'],
  ['  Anna   Maria  Schmidt ', 'AM'],
  ['Élodie ünal', 'ÉÜ'],
  ['👩‍👩‍👧 Family', '👩‍👩‍👧F'],
  ['Oma (guest)', 'O'],
  ['\u2068Oma\u2069 (ضيف)', 'O'],
  ['山田太郎', '山'],
  ['', ''],
])('the initials of %j are %j', (alt, expected) => {
  expect(initials(alt)).toBe(expected)
})

test('the same name always gets the same colour', () => {
  expect(hueOf('Ada Lovelace')).toBe(hueOf('Ada Lovelace'))
})
