import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, call } from '../api.ts'
import { openLive } from './live.ts'

vi.mock('../api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

const KYOTO = 'collection:0198b2c4-0000-7000-8000-000000000001'
const tickets = () => vi.mocked(call).mock.calls.length
const down = () => Promise.reject(new ApiError('unavailable', 'Later', { status: 503 }))

/** A socket that the test opens. */
class QuietSocket extends EventTarget {
  static made: QuietSocket[] = []
  readyState = 0
  binaryType = 'blob'
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
    QuietSocket.made.push(this)
  }
  send() {}
  close() {
    this.readyState = 3
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  QuietSocket.made = []
  vi.stubGlobal('WebSocket', Object.assign(QuietSocket, { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 }))
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function follow() {
  const log: string[] = []
  const live = openLive({
    onMessage: (_, { type }) => void log.push(type),
    onStatus: (status) => void log.push(status),
    onEnded: (_, reason) => void log.push(reason),
  })
  live.follow([KYOTO])
  return { log, close: () => live.close() }
}

test('Without tickets there are five retries, and five more at each health check', async () => {
  vi.mocked(call).mockReset().mockImplementation(down)
  const { log, close } = follow()
  await vi.advanceTimersByTimeAsync(0)
  expect(tickets()).toBe(1)
  // 1 + 2 + 4 + 8 + 16 s: the second health check is the first that finds it closed.
  await vi.advanceTimersByTimeAsync(31_500)
  expect(tickets()).toBe(6)
  expect(log.at(-1)).toBe('disconnected')
  await vi.advanceTimersByTimeAsync(28_000)
  expect(tickets()).toBe(6)
  await vi.advanceTimersByTimeAsync(600)
  expect(tickets()).toBe(7)
  expect(log.at(-1)).toBe('reconnecting')
  await vi.advanceTimersByTimeAsync(29_000)
  expect(tickets()).toBeLessThanOrEqual(12)
  close()
  expect(QuietSocket.made).toEqual([])
})

test('A ticket that takes more than 10 s fails the attempt, and opens nothing when it arrives late', async () => {
  const late: ((ticket: object) => void)[] = []
  vi.mocked(call)
    .mockReset()
    .mockImplementation((() => new Promise<object>((resolve) => late.push(resolve))) as typeof call)
  const { close } = follow()
  await vi.advanceTimersByTimeAsync(9_999)
  expect(tickets()).toBe(1)
  await vi.advanceTimersByTimeAsync(1_050)
  expect(tickets()).toBe(2)
  late[0]?.({ url: 'ws://127.0.0.1/parties/room/x', ticket: 'old' })
  await vi.advanceTimersByTimeAsync(0)
  expect(QuietSocket.made).toEqual([])
  late[1]?.({ url: 'ws://127.0.0.1/parties/room/x', ticket: 'new' })
  await vi.advanceTimersByTimeAsync(0)
  expect(QuietSocket.made.map(({ url }) => url)).toEqual([expect.stringContaining('ticket=new')])
  close()
})

test('A room that the server does not know is not retried', async () => {
  vi.mocked(call)
    .mockReset()
    .mockImplementation(() => Promise.reject(new ApiError('not_found', 'The room was not found', { status: 404 })))
  const { log, close } = follow()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(tickets()).toBe(1)
  expect(log).toContain('removed')
  close()
})
