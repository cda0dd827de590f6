import { expect, test } from 'vitest'
import { latestOnly } from './latest-only.ts'

test('an answer is dropped when a later request was answered before it, and only then', () => {
  const requests = latestOnly()
  const [first, second, third] = [requests.begin(), requests.begin(), requests.begin()]
  expect(first.accept()).toBe(true)
  expect(third.accept()).toBe(true)
  expect([second.isCurrent(), second.accept()]).toEqual([false, false])
  expect(third.isCurrent()).toBe(true)
})

test('dropping all leaves only requests that begin afterwards', () => {
  const requests = latestOnly()
  const before = requests.begin()
  requests.dropAll()
  expect([before.isCurrent(), requests.begin().accept()]).toEqual([false, true])
})
