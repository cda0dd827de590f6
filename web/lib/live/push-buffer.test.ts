import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LIVE } from '../../../contract/limits.ts'
import { createPushBuffer } from './push-buffer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('Messages sent without a connection wait for the next hello, and never exceed the rate of the room', () => {
  let open = false
  const sent: string[] = []
  const buffer = createPushBuffer(LIVE.pushBuffer, (text) => {
    if (open) sent.push(text)
    return open
  })
  for (let i = 0; i < 130; i++) buffer.push(String(i))
  expect(sent).toEqual([])
  open = true
  buffer.flush()
  vi.advanceTimersByTime(999)
  expect(sent).toEqual(['30', '31', '32', '33'])
  vi.advanceTimersByTime(24_000)
  expect(sent).toHaveLength(100)
})
