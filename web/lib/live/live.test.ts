import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ServerMessage } from '../../../contract/live.ts'
import { openLive } from './live.ts'
import type { LineHandlers } from './socket.ts'

vi.mock('./socket.ts')

const ME = 'user:ada'
const KYOTO = 'collection:0198b2c4-0000-7000-8000-000000000001'
const OSLO = 'collection:0198b2c4-0000-7000-8000-000000000002'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A network whose connections the test controls. */
function network() {
  const lines: { room: string; handlers: LineHandlers; said: string[]; closed: boolean }[] = []
  const told: string[] = []
  const window = new EventTarget()
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  const live = openLive(
    {
      onMessage: (room, message) => void told.push(`${room} ${message.type}`),
      onStatus: (status) => void told.push(status),
      onEnded: (room, reason) => void told.push(`${room} ${reason}`),
    },
    (room, handlers) => {
      const line = { room, handlers, said: [] as string[], closed: false }
      lines.push(line)
      return {
        send: (text) => void line.said.push(text),
        close() {
          line.closed = true
        },
      }
    },
  )
  const line = (room: string) => {
    const found = lines.findLast((candidate) => candidate.room === room)
    if (!found) throw new Error(`No line to ${room}`)
    return found
  }
  const say = (room: string, message: ServerMessage) => {
    line(room).handlers.onHeard()
    line(room).handlers.onMessage(message)
  }
  const hello = (room: string) => say(room, { type: 'hello', room, revision: 1, present: [] })
  return { live, lines, told, line, say, hello, window }
}

test('Rooms are joined once, and left when they are no longer followed', () => {
  const { live, lines } = network()
  live.follow([ME])
  live.follow([ME, KYOTO])
  live.follow([ME, OSLO])
  expect(lines.map(({ room, closed }) => [room, closed])).toEqual([
    [ME, false],
    [KYOTO, true],
    [OSLO, false],
  ])
  live.follow([])
  expect(lines.every(({ closed }) => closed)).toBe(true)
})

test('The status is connected once every room has sent hello', () => {
  const { live, hello, told } = network()
  live.follow([ME, KYOTO])
  hello(ME)
  expect(told).toEqual(['reconnecting', `${ME} hello`])
  hello(KYOTO)
  expect(told.slice(2)).toEqual(['connected', `${KYOTO} hello`])
})

test('Every attempt opens a new connection, and after five retries only the health check reconnects', () => {
  const { live, lines, line, told } = network()
  live.follow([KYOTO])
  for (const delay of [1_000, 2_000, 4_000, 8_000, 16_000]) {
    line(KYOTO).handlers.onLost()
    expect(lines.filter(({ closed }) => !closed)).toEqual([])
    vi.advanceTimersByTime(delay)
  }
  expect(lines).toHaveLength(6)
  line(KYOTO).handlers.onLost()
  expect(told.at(-1)).toBe('disconnected')
  vi.advanceTimersByTime(30_000)
  expect(lines).toHaveLength(7)
  expect(told.at(-1)).toBe('reconnecting')
})

test('A silent connection is pinged after 25 s and dropped 10 s later', () => {
  const { live, hello, line } = network()
  live.follow([KYOTO])
  hello(KYOTO)
  vi.advanceTimersByTime(25_000)
  expect(line(KYOTO).said).toEqual(['ping'])
  vi.advanceTimersByTime(10_000)
  expect(line(KYOTO).closed).toBe(true)
})

test('One second after the browser is back online, every room reconnects', () => {
  const { live, hello, lines, window } = network()
  live.follow([ME, KYOTO])
  hello(ME)
  hello(KYOTO)
  window.dispatchEvent(new Event('online'))
  vi.advanceTimersByTime(999)
  expect(lines).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(lines.map(({ closed }) => closed)).toEqual([true, true, false, false])
})

test('After a removal the connection is closed at once and never opened again', () => {
  const { live, hello, say, lines, told } = network()
  live.follow([KYOTO])
  hello(KYOTO)
  say(KYOTO, { type: 'bye', reason: 'removed' })
  expect(lines[0]?.closed).toBe(true)
  expect(told).toContain(`${KYOTO} removed`)
  vi.advanceTimersByTime(120_000)
  expect(lines).toHaveLength(1)
})

test('A room left while its connection is being dropped stays left', () => {
  const { live, hello, say, lines } = network()
  live.follow([KYOTO])
  hello(KYOTO)
  vi.advanceTimersByTime(20_000)
  say(KYOTO, { type: 'bye', reason: 'expired' })
  expect(lines).toHaveLength(2)
  live.close()
  lines[1]?.handlers.onLost()
  vi.advanceTimersByTime(120_000)
  expect(lines).toHaveLength(2)
})

test('Messages sent without a connection wait for the next hello, and never exceed the rate of the room', () => {
  const { live, hello, line } = network()
  live.follow([KYOTO])
  for (let i = 0; i < 130; i++) live.say(KYOTO, { type: 'presence', view: String(i) })
  expect(line(KYOTO).said).toEqual([])
  hello(KYOTO)
  vi.advanceTimersByTime(999)
  expect(line(KYOTO).said.map((text) => JSON.parse(text).view)).toEqual(['30', '31', '32', '33'])
  vi.advanceTimersByTime(24_000)
  expect(line(KYOTO).said.filter((text) => text !== 'ping')).toHaveLength(100)
})
