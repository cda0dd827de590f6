import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { throttle } from './throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('Requests at the same time run the work once', async () => {
  const work = vi.fn(async () => {})
  const { ask } = throttle(work, { delay: 50, gap: 1_000 })
  for (let i = 0; i < 500; i++) ask()
  await vi.advanceTimersByTimeAsync(50)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(work).toHaveBeenCalledTimes(1)
})

test('Five seconds of steady requests run the work at most six times, and once more after the last', async () => {
  const work = vi.fn(async () => {})
  const { ask } = throttle(work, { delay: 50, gap: 1_000 })
  for (let i = 0; i < 500; i++) {
    ask()
    await vi.advanceTimersByTimeAsync(10)
  }
  const sofar = work.mock.calls.length
  expect(sofar).toBeLessThanOrEqual(6)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(work.mock.calls.length - sofar).toBe(1)
})

test('A request during slow work runs it again afterwards, never twice at once', async () => {
  const slow = Promise.withResolvers<void>()
  const work = vi.fn(() => slow.promise)
  const { ask } = throttle(work, { delay: 0, gap: 0 })
  ask()
  await vi.advanceTimersByTimeAsync(1)
  ask()
  ask()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(work).toHaveBeenCalledTimes(1)
  slow.resolve()
  await vi.advanceTimersByTimeAsync(10)
  expect(work).toHaveBeenCalledTimes(2)
})

test('Cancelling before the delay has passed runs nothing', async () => {
  const work = vi.fn(async () => {})
  const { ask, cancel } = throttle(work, { delay: 50, gap: 0 })
  ask()
  cancel()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(work).not.toHaveBeenCalled()
})

test('Cancelling forgets work that never ends, so that the next request runs', async () => {
  const first = Promise.withResolvers<void>()
  const work = vi.fn(() => first.promise)
  const { ask, cancel } = throttle(work, { delay: 0, gap: 0 })
  ask()
  await vi.advanceTimersByTimeAsync(1)
  cancel()
  work.mockImplementation(async () => {})
  ask()
  await vi.advanceTimersByTimeAsync(1)
  expect(work).toHaveBeenCalledTimes(2)
  // A late end of the forgotten run changes nothing.
  first.resolve()
  await vi.advanceTimersByTimeAsync(10)
  expect(work).toHaveBeenCalledTimes(2)
})
