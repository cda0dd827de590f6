import { expect, test } from 'vitest'
import { backOff, nextAttempt } from './back-off.ts'

test('Delays double from one second to half a minute', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map((failures) => backOff(failures, 0))).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
})

test('Chance adds up to one second to a delay', () => {
  expect(backOff(1, 0.5)).toBe(1_500)
  expect(backOff(9, 1)).toBe(31_000)
})

test('A server that asks for a longer wait gets it', () => {
  const moment = { now: 5_000, random: 0 }
  expect(nextAttempt(1, moment, 60)).toBe(65_000)
  expect(nextAttempt(3, moment, 1)).toBe(9_000)
  expect(nextAttempt(1, moment, null)).toBe(6_000)
})
