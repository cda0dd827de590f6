import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { paced } from './paced.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what is asked for together is done once', async () => {
  const work = vi.fn(async () => {})
  const { ask } = paced(work, { delay: 50, gap: 1_000 })
  for (let i = 0; i < 500; i++) ask()
  await vi.advanceTimersByTimeAsync(50)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(work).toHaveBeenCalledTimes(1)
})

test('five seconds of steady asking are six times at most, and the last asking is heard', async () => {
  const work = vi.fn(async () => {})
  const { ask } = paced(work, { delay: 50, gap: 1_000 })
  for (let i = 0; i < 500; i++) {
    ask()
    await vi.advanceTimersByTimeAsync(10)
  }
  const sofar = work.mock.calls.length
  expect(sofar).toBeLessThanOrEqual(6)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(work.mock.calls.length - sofar).toBe(1)
})

test('never twice at once: asked for during slow work, it is done again after it', async () => {
  const slow = Promise.withResolvers<void>()
  const work = vi.fn(() => slow.promise)
  const { ask } = paced(work, { delay: 0, gap: 0 })
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

test('cancelled, nothing is done', async () => {
  const work = vi.fn(async () => {})
  const { ask, cancel } = paced(work, { delay: 50, gap: 0 })
  ask()
  cancel()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(work).not.toHaveBeenCalled()
})

test('work that never ends, because whoever asked has gone, is forgotten by cancelling', async () => {
  const first = Promise.withResolvers<void>()
  const work = vi.fn(() => first.promise)
  const { ask, cancel } = paced(work, { delay: 0, gap: 0 })
  ask()
  await vi.advanceTimersByTimeAsync(1)
  cancel()
  work.mockImplementation(async () => {})
  ask()
  await vi.advanceTimersByTimeAsync(1)
  expect(work).toHaveBeenCalledTimes(2)
  // Its late end changes nothing.
  first.resolve()
  await vi.advanceTimersByTimeAsync(10)
  expect(work).toHaveBeenCalledTimes(2)
})
