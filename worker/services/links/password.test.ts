import { expect, test } from 'vitest'
import { hashPassword, passwordMatches } from './password.ts'

test('Only the password itself matches its hash, in either normal form, and two hashes of it differ', async () => {
  const [one, other] = [await hashPassword('Café au lait'), await hashPassword('Café au lait')]
  expect(one).not.toBe(other)
  expect(one).not.toContain('Caf')
  expect(await passwordMatches('Cafe\u0301 au lait', one)).toBe(true)
  expect(await passwordMatches('café au lait', one)).toBe(false)
  expect(await passwordMatches('', one)).toBe(false)
})
