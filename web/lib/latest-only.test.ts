import { expect, test } from 'vitest'
import { latestOnly } from './latest-only.ts'

test('A response is dropped if and only if a later request was answered before it', () => {
  const requests = latestOnly()
  const [first, second, third] = [requests.begin(), requests.begin(), requests.begin()]
  expect(first.accept()).toBe(true)
  expect(third.accept()).toBe(true)
  expect([second.isCurrent(), second.accept()]).toEqual([false, false])
  expect(third.isCurrent()).toBe(true)
})

test('Dropping all responses leaves only requests that begin afterwards', () => {
  const requests = latestOnly()
  const before = requests.begin()
  requests.dropAll()
  expect([before.isCurrent(), requests.begin().accept()]).toEqual([false, true])
})
