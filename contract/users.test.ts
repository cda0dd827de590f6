import { expect, test } from 'vitest'
import { displayName } from './users.ts'

test.each([
  ['Ada', 'Lovelace', 'Ada Lovelace'],
  ['Ada', null, 'Ada'],
  ['', 'Lovelace', 'Lovelace'],
  [null, '', 'ada@example.org'],
])('displayName of %j %j is %j', (firstName, lastName, name) => {
  expect(displayName({ email: 'ada@example.org', firstName, lastName })).toBe(name)
})
