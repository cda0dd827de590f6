import { expect, test } from 'vitest'
import { displayName } from './users.ts'

test.each([
  ['Ada', 'Lovelace', 'Ada Lovelace'],
  ['Ada', null, 'Ada'],
  ['', 'Lovelace', 'Lovelace'],
  ['太郎', '山田', '山田太郎'],
  ['さくら', '佐々木', '佐々木さくら'],
  ['小明', '王', '王小明'],
  ['민수', '김', '김민수'],
  ['ジョン', 'スミス', 'ジョン スミス'],
  ['Tarō', '山田', 'Tarō 山田'],
  ['太郎', null, '太郎'],
  [null, '', 'ada@example.org'],
])('displayName of %j %j is %j', (firstName, lastName, name) => {
  expect(displayName({ email: 'ada@example.org', firstName, lastName })).toBe(name)
})
