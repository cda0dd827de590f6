import { describe, expect, test } from 'vitest'
import { splitName } from './ensure-user.ts'
import { attemptKey, network } from './limit-attempts.ts'

describe('limits by caller', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2::9', '2001:db8:1:2'],
    ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::', 'fe80:0:0:0'],
  ])('the address %s is counted as %s', (address, counted) => {
    expect(network(address)).toBe(counted)
  })

  test('the key of an attempt is a hash that differs by action', async () => {
    expect(await attemptKey('signIn', 'email:ada@example.org')).toMatch(/^[0-9a-f]{64}$/)
    expect(await attemptKey('signIn', 'email:ada@example.org')).not.toBe(await attemptKey('reset', 'email:ada@example.org'))
  })
})

test.each([
  ['Ada Lovelace', { firstName: 'Ada', lastName: 'Lovelace' }],
  ['  Mary  Ann Evans ', { firstName: 'Mary Ann', lastName: 'Evans' }],
  ['Plato', { firstName: 'Plato', lastName: undefined }],
  ['山田 太郎', { firstName: '太郎', lastName: '山田' }],
  ['김 민수', { firstName: '민수', lastName: '김' }],
  ['ジョン スミス', { firstName: 'ジョン', lastName: 'スミス' }],
  ['', { firstName: '', lastName: undefined }],
  ['Ada@Example.org', {}],
])('splitName splits %j into first and last name', (name, names) => {
  expect(splitName(name, 'ada@example.org')).toEqual(names)
})
