import { expect, test } from 'vitest'
import { displayName } from './users.ts'

test.each([
  ['Ada', 'Lovelace', 'Ada Lovelace'],
  ['Ada', null, 'Ada'],
  ['', 'Lovelace', 'Lovelace'],
  [null, '', 'ada@example.org'],
])('a person named %j %j is called %j', (firstName, lastName, name) => {
  expect(displayName({ email: 'ada@example.org', firstName, lastName })).toBe(name)
})
