import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ServerMessage } from '../../../contract/live.ts'
import { openLive } from './live.ts'
import type { SocketHandlers } from './socket.ts'

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
  const sockets: { room: string; handlers: SocketHandlers; sent: string[]; closed: boolean }[] = []
  const log: string[] = []
  const window = new EventTarget()
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  const live = openLive(
    {
      onMessage: (room, message) => void log.push(`${room} ${message.type}`),
      onStatus: (status) => void log.push(status),
      onEnded: (room, reason) => void log.push(`${room} ${reason}`),
    },
    (room, handlers) => {
      const socket = { room, handlers, sent: [] as string[], closed: false }
      sockets.push(socket)
      return {
        send: (text) => void socket.sent.push(text),
        close() {
          socket.closed = true
        },
      }
    },
  )
  const socket = (room: string) => {
    const found = sockets.findLast((candidate) => candidate.room === room)
    if (!found) throw new Error(`No socket to ${room}`)
    return found
  }
  const say = (room: string, message: ServerMessage) => {
    socket(room).handlers.onReceived()
    socket(room).handlers.onMessage(message)
  }
  const hello = (room: string) => say(room, { type: 'hello', room, revision: 1, present: [] })
  return { live, sockets, log, socket, say, hello, window }
}

test('Rooms are joined once, and left when they are no longer followed', () => {
  const { live, sockets } = network()
  live.follow([ME])
  live.follow([ME, KYOTO])
  live.follow([ME, OSLO])
  expect(sockets.map(({ room, closed }) => [room, closed])).toEqual([
    [ME, false],
    [KYOTO, true],
    [OSLO, false],
  ])
  live.follow([])
  expect(sockets.every(({ closed }) => closed)).toBe(true)
})

test('The status is connected once every room has sent hello', () => {
  const { live, hello, log } = network()
  live.follow([ME, KYOTO])
  hello(ME)
  expect(log).toEqual(['reconnecting', `${ME} hello`])
  hello(KYOTO)
  expect(log.slice(2)).toEqual(['connected', `${KYOTO} hello`])
})

test('Every attempt opens a new connection, and after five retries only the health check reconnects', () => {
  const { live, sockets, socket, log } = network()
  live.follow([KYOTO])
  for (const delay of [1_000, 2_000, 4_000, 8_000, 16_000]) {
    socket(KYOTO).handlers.onLost()
    expect(sockets.filter(({ closed }) => !closed)).toEqual([])
    vi.advanceTimersByTime(delay)
  }
  expect(sockets).toHaveLength(6)
  socket(KYOTO).handlers.onLost()
  expect(log.at(-1)).toBe('disconnected')
  vi.advanceTimersByTime(30_000)
  expect(sockets).toHaveLength(7)
  expect(log.at(-1)).toBe('reconnecting')
})

test('A silent connection is pinged after 25 s and dropped 10 s later', () => {
  const { live, hello, socket } = network()
  live.follow([KYOTO])
  hello(KYOTO)
  vi.advanceTimersByTime(25_000)
  expect(socket(KYOTO).sent).toEqual(['ping'])
  vi.advanceTimersByTime(10_000)
  expect(socket(KYOTO).closed).toBe(true)
})

test('One second after the browser is back online, every room reconnects', () => {
  const { live, hello, sockets, window } = network()
  live.follow([ME, KYOTO])
  hello(ME)
  hello(KYOTO)
  window.dispatchEvent(new Event('online'))
  vi.advanceTimersByTime(999)
  expect(sockets).toHaveLength(2)
  vi.advanceTimersByTime(1)
  expect(sockets.map(({ closed }) => closed)).toEqual([true, true, false, false])
})

test('After a removal the connection is closed at once and never opened again', () => {
  const { live, hello, say, sockets, log } = network()
  live.follow([KYOTO])
  hello(KYOTO)
  say(KYOTO, { type: 'bye', reason: 'removed' })
  expect(sockets[0]?.closed).toBe(true)
  expect(log).toContain(`${KYOTO} removed`)
  vi.advanceTimersByTime(120_000)
  expect(sockets).toHaveLength(1)
})

test('A room left while its connection is being dropped stays left', () => {
  const { live, hello, say, sockets } = network()
  live.follow([KYOTO])
  hello(KYOTO)
  vi.advanceTimersByTime(20_000)
  say(KYOTO, { type: 'bye', reason: 'expired' })
  expect(sockets).toHaveLength(2)
  live.close()
  sockets[1]?.handlers.onLost()
  vi.advanceTimersByTime(120_000)
  expect(sockets).toHaveLength(2)
})

test('Of the views that a user passed without a connection, only the last one is told after the next hello', () => {
  const { live, hello, socket } = network()
  live.follow([KYOTO])
  for (let i = 1; i <= 10; i++) live.say(KYOTO, { type: 'presence', view: String(i) })
  expect(socket(KYOTO).sent).toEqual([])
  hello(KYOTO)
  vi.advanceTimersByTime(10_000)
  expect(socket(KYOTO).sent.map((text) => JSON.parse(text).view)).toEqual(['10'])
})
