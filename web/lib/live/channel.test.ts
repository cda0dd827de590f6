import { expect, test } from 'vitest'
import { BACK_OFF, LIVE } from '../../../contract/limits.ts'
import { type Channel, type ChannelEvent, startChannel, statusOf, stepChannel } from './channel.ts'

/** A channel with a manual clock. */
function channel(random = 0) {
  let now = 1_000_000
  let { channel: state, effects } = startChannel(now)
  const done = effects.map(({ type }) => type)
  const is = {
    get state() {
      return state
    },
    done,
    dispatch(event: ChannelEvent) {
      ;({ channel: state, effects } = stepChannel(state, event, { now, random }))
      done.push(...effects.map(({ type }) => type))
      return is
    },
    pass(milliseconds: number) {
      now += milliseconds
      return is.dispatch({ type: 'time' })
    },
    /** Milliseconds until the next timer event. */
    left: () => (state.deadline ?? Number.POSITIVE_INFINITY) - now,
  }
  return is
}

const steady = () => channel().dispatch({ type: 'hello' }).pass(20_000)

test('After five retries, from 1 s and doubling, a channel closes', () => {
  const { dispatch, pass, left, done, ...rest } = channel()
  const delays: number[] = []
  for (let i = 0; i < LIVE.retries; i++) {
    dispatch({ type: 'lost' })
    delays.push(left())
    pass(left())
  }
  expect(delays).toEqual([1_000, 2_000, 4_000, 8_000, 16_000])
  dispatch({ type: 'lost' })
  expect(left()).toBe(Number.POSITIVE_INFINITY)
  expect(done.filter((effect) => effect === 'connect')).toHaveLength(6)
  expect(rest).toBeDefined()
})

test('Jitter adds up to a second to a delay', () => {
  expect(channel(0.5).dispatch({ type: 'lost' }).left()).toBe(1_500)
})

test('The delay never exceeds 30 s', () => {
  const state: Channel = { phase: 'connecting', retries: 4, deadline: 0, pinged: false, openedAt: 0 }
  const { channel: after } = stepChannel(state, { type: 'lost' }, { now: 0, random: 1 })
  expect(after.deadline).toBeLessThanOrEqual(BACK_OFF.max + BACK_OFF.jitter)
})

test('The health check restarts closed channels only, with all their retries', () => {
  const dead = channel()
  for (let i = 0; i <= LIVE.retries; i++) dead.dispatch({ type: 'lost' }).pass(60_000)
  expect(dead.state.phase).toBe('closed')
  expect(dead.dispatch({ type: 'health' }).state).toMatchObject({ phase: 'connecting', retries: 0 })
  const open = steady()
  expect(open.dispatch({ type: 'health' }).state.phase).toBe('open')
  const waiting = channel().dispatch({ type: 'lost' })
  expect(waiting.dispatch({ type: 'health' }).state.phase).toBe('waiting')
})

test('An attempt that takes 10 s has failed', () => {
  expect(channel().pass(9_999).state.phase).toBe('connecting')
  expect(channel().pass(10_000).state).toMatchObject({ phase: 'waiting', retries: 1 })
})

test('A connection is pinged every 25 s, and lost without a response within 10 s', () => {
  const subject = channel().dispatch({ type: 'hello' }).pass(24_999)
  expect(subject.done).toEqual(['connect'])
  expect(subject.pass(1).done).toEqual(['connect', 'ping'])
  subject.dispatch({ type: 'received' })
  expect(subject.left()).toBe(25_000)
  subject.pass(25_000).pass(10_000)
  expect(subject.done).toEqual(['connect', 'ping', 'ping', 'drop'])
  expect(subject.state).toMatchObject({ phase: 'waiting', retries: 1 })
})

test('After sleep a connection is probed at once, and only once', () => {
  const subject = channel().dispatch({ type: 'hello' }).dispatch({ type: 'probe' }).dispatch({ type: 'probe' })
  expect(subject.done).toEqual(['connect', 'ping'])
  expect(subject.left()).toBe(10_000)
})

test('Retries are counted until the connection is steady', () => {
  const subject = channel().dispatch({ type: 'lost' }).pass(1_000).dispatch({ type: 'hello' }).pass(500).dispatch({ type: 'lost' })
  expect(subject.state.retries).toBe(2)
  subject.pass(2_000).dispatch({ type: 'hello' }).pass(10_000).dispatch({ type: 'lost' })
  expect(subject.state.retries).toBe(1)
})

test.each(['expired', 'role'])('After %s a channel reconnects at once', (reason) => {
  const subject = steady().dispatch({ type: 'bye', reason })
  expect(subject.state).toMatchObject({ phase: 'connecting' })
  expect(subject.done).toEqual(['connect', 'connect'])
})

test('A role change right after connecting reconnects at once, repeated ones back off', () => {
  const subject = channel().dispatch({ type: 'hello' }).dispatch({ type: 'bye', reason: 'role' })
  expect(subject.state.phase).toBe('connecting')
  expect(subject.dispatch({ type: 'hello' }).dispatch({ type: 'bye', reason: 'role' }).state.phase).toBe('waiting')
  expect(channel().dispatch({ type: 'hello' }).dispatch({ type: 'bye', reason: 'expired' }).state.phase).toBe('waiting')
})

test.each(['removed', 'deleted'])('After %s a channel never reconnects', (reason) => {
  const subject = steady().dispatch({ type: 'bye', reason })
  for (const type of ['health', 'restart', 'lost', 'hello', 'refused'] as const) subject.dispatch({ type }).pass(60_000)
  expect(subject.state.phase).toBe('left')
  expect(subject.done).toEqual(['connect', 'drop', 'ended'])
})

test('A room without access is left', () => {
  expect(channel().dispatch({ type: 'refused' }).done).toEqual(['connect', 'drop', 'ended'])
})

test.each(['too_fast', 'too_many', 'too_large', 'something new'])('%s is handled like a lost connection', (reason) => {
  expect(steady().dispatch({ type: 'bye', reason }).left()).toBe(1_000)
})

test('Back online, a channel in any phase reconnects with all its retries', () => {
  for (const subject of [channel(), steady(), channel().dispatch({ type: 'lost' })]) {
    expect(subject.dispatch({ type: 'restart' }).state).toMatchObject({ phase: 'connecting', retries: 0 })
    expect(subject.done.at(-1)).toBe('connect')
  }
})

test('Late events change nothing: a close while waiting, a hello while open', () => {
  const waiting = channel().dispatch({ type: 'lost' })
  const before = waiting.state
  expect(waiting.dispatch({ type: 'lost' }).dispatch({ type: 'hello' }).dispatch({ type: 'received' }).state).toEqual(before)
  const open = steady()
  const opened = open.state
  expect(open.dispatch({ type: 'hello' }).state).toEqual(opened)
})

test('The status is that of the worst channel', () => {
  const open = steady().state
  const waiting = channel().dispatch({ type: 'lost' }).state
  const closed: Channel = { ...open, phase: 'closed' }
  const left: Channel = { ...open, phase: 'left' }
  expect(statusOf([])).toBe('disconnected')
  expect(statusOf([open, open])).toBe('connected')
  expect(statusOf([open, waiting])).toBe('reconnecting')
  expect(statusOf([open, channel().state])).toBe('reconnecting')
  expect(statusOf([waiting, closed])).toBe('disconnected')
  expect(statusOf([open, left])).toBe('connected')
})
