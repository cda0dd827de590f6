import { expect, test } from 'vitest'
import { BACK_OFF, LIVE } from '../../../contract/limits.ts'
import { type Channel, type ChannelEvent, startChannel, statusOf, stepChannel } from './channel.ts'

/** A channel with a manual clock. */
function channel(random = 0) {
  let now = 1_000_000
  let { channel: held, effects } = startChannel(now)
  const done = effects.map(({ type }) => type)
  const is = {
    get held() {
      return held
    },
    done,
    see(event: ChannelEvent) {
      ;({ channel: held, effects } = stepChannel(held, event, { now, random }))
      done.push(...effects.map(({ type }) => type))
      return is
    },
    pass(milliseconds: number) {
      now += milliseconds
      return is.see({ type: 'time' })
    },
    /** Milliseconds until the next timer event. */
    left: () => (held.deadline ?? Number.POSITIVE_INFINITY) - now,
  }
  return is
}

const steady = () => channel().see({ type: 'hello' }).pass(20_000)

test('After five retries, from 1 s and doubling, a channel closes', () => {
  const { see, pass, left, done, ...rest } = channel()
  const delays: number[] = []
  for (let i = 0; i < LIVE.retries; i++) {
    see({ type: 'lost' })
    delays.push(left())
    pass(left())
  }
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000])
  see({ type: 'lost' })
  expect(left()).toBe(Number.POSITIVE_INFINITY)
  expect(done.filter((effect) => effect === 'connect')).toHaveLength(6)
  expect(rest).toBeDefined()
})

test('Jitter adds up to a second to a delay', () => {
  expect(channel(0.5).see({ type: 'lost' }).left()).toBe(1_500)
})

test('The delay never exceeds 30 s', () => {
  const held: Channel = { phase: 'connecting', retries: 4, deadline: 0, pinged: false, openedAt: 0 }
  const { channel: after } = stepChannel(held, { type: 'lost' }, { now: 0, random: 1 })
  expect(after.deadline).toBeLessThanOrEqual(BACK_OFF.max + BACK_OFF.jitter)
})

test('The health check restarts closed channels only, with all their retries', () => {
  const dead = channel()
  for (let i = 0; i <= LIVE.retries; i++) dead.see({ type: 'lost' }).pass(60_000)
  expect(dead.held.phase).toBe('closed')
  expect(dead.see({ type: 'health' }).held).toMatchObject({ phase: 'connecting', retries: 0 })
  const open = steady()
  expect(open.see({ type: 'health' }).held.phase).toBe('open')
  const waiting = channel().see({ type: 'lost' })
  expect(waiting.see({ type: 'health' }).held.phase).toBe('waiting')
})

test('An attempt that takes 10 s has failed', () => {
  expect(channel().pass(9_999).held.phase).toBe('connecting')
  expect(channel().pass(10_000).held).toMatchObject({ phase: 'waiting', retries: 1 })
})

test('A connection is pinged every 25 s, and lost without a response within 10 s', () => {
  const line = channel().see({ type: 'hello' }).pass(24_999)
  expect(line.done).toEqual(['connect'])
  expect(line.pass(1).done).toEqual(['connect', 'ping'])
  line.see({ type: 'heard' })
  expect(line.left()).toBe(25_000)
  line.pass(25_000).pass(10_000)
  expect(line.done).toEqual(['connect', 'ping', 'ping', 'drop'])
  expect(line.held).toMatchObject({ phase: 'waiting', retries: 1 })
})

test('After sleep a connection is probed at once, and only once', () => {
  const line = channel().see({ type: 'hello' }).see({ type: 'probe' }).see({ type: 'probe' })
  expect(line.done).toEqual(['connect', 'ping'])
  expect(line.left()).toBe(10_000)
})

test('Retries are counted until the connection is steady', () => {
  const line = channel().see({ type: 'lost' }).pass(1_000).see({ type: 'hello' }).pass(500).see({ type: 'lost' })
  expect(line.held.retries).toBe(2)
  line.pass(2_000).see({ type: 'hello' }).pass(10_000).see({ type: 'lost' })
  expect(line.held.retries).toBe(1)
})

test.each(['expired', 'role'])('After %s a channel reconnects at once', (reason) => {
  const line = steady().see({ type: 'bye', reason })
  expect(line.held).toMatchObject({ phase: 'connecting' })
  expect(line.done).toEqual(['connect', 'connect'])
})

test('A role change right after connecting reconnects at once, repeated ones back off', () => {
  const line = channel().see({ type: 'hello' }).see({ type: 'bye', reason: 'role' })
  expect(line.held.phase).toBe('connecting')
  expect(line.see({ type: 'hello' }).see({ type: 'bye', reason: 'role' }).held.phase).toBe('waiting')
  expect(channel().see({ type: 'hello' }).see({ type: 'bye', reason: 'expired' }).held.phase).toBe('waiting')
})

test.each(['removed', 'deleted'])('After %s a channel never reconnects', (reason) => {
  const line = steady().see({ type: 'bye', reason })
  for (const type of ['health', 'restart', 'lost', 'hello', 'refused'] as const) line.see({ type }).pass(60_000)
  expect(line.held.phase).toBe('left')
  expect(line.done).toEqual(['connect', 'drop', 'ended'])
})

test('A room without access is left', () => {
  expect(channel().see({ type: 'refused' }).done).toEqual(['connect', 'drop', 'ended'])
})

test.each(['too_fast', 'too_many', 'too_large', 'something new'])('%s is handled like a lost connection', (reason) => {
  expect(steady().see({ type: 'bye', reason }).left()).toBe(1_000)
})

test('Back online, a channel in any phase reconnects with all its retries', () => {
  for (const line of [channel(), steady(), channel().see({ type: 'lost' })]) {
    expect(line.see({ type: 'restart' }).held).toMatchObject({ phase: 'connecting', retries: 0 })
    expect(line.done.at(-1)).toBe('connect')
  }
})

test('Late events change nothing: a close while waiting, a hello while open', () => {
  const waiting = channel().see({ type: 'lost' })
  const before = waiting.held
  expect(waiting.see({ type: 'lost' }).see({ type: 'hello' }).see({ type: 'heard' }).held).toEqual(before)
  const open = steady()
  const opened = open.held
  expect(open.see({ type: 'hello' }).held).toEqual(opened)
})

test('The status is that of the worst channel', () => {
  const open = steady().held
  const waiting = channel().see({ type: 'lost' }).held
  const closed: Channel = { ...open, phase: 'closed' }
  const left: Channel = { ...open, phase: 'left' }
  expect(statusOf([])).toBe('disconnected')
  expect(statusOf([open, open])).toBe('connected')
  expect(statusOf([open, waiting])).toBe('reconnecting')
  expect(statusOf([open, channel().held])).toBe('reconnecting')
  expect(statusOf([waiting, closed])).toBe('disconnected')
  expect(statusOf([open, left])).toBe('connected')
})
