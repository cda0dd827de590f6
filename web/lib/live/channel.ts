import { LIVE } from '../../../contract/limits.ts'
import type { ByeReason } from '../../../contract/live.ts'
import { backOff, type Moment } from '../back-off.ts'

/** Open for less than this, a channel has not recovered: a room that lets in and puts out again must not be stormed. */
const STEADY = 10_000

/** `closed`: has given up until the next health check. `left`: the room is no longer this person's. */
type Phase = 'connecting' | 'open' | 'waiting' | 'closed' | 'left'

/** One channel to one room. `deadline` is when time itself is the next event; milliseconds on any clock. */
export interface Channel {
  phase: Phase
  /** Failed tries since it last was steady. */
  retries: number
  deadline: number | null
  /** A ping waits for its answer. */
  pinged: boolean
  openedAt: number
}

export type ChannelEvent =
  | { type: 'hello' }
  /** Anything at all from the server. */
  | { type: 'heard' }
  /** The line closed or failed, or there was no ticket. */
  | { type: 'lost' }
  | { type: 'bye'; reason: string }
  /** The server says that this room is not theirs. */
  | { type: 'refused' }
  | { type: 'time' }
  | { type: 'health' }
  /** Is the line still there? After sleep, say. */
  | { type: 'probe' }
  | { type: 'restart' }

/** `connect` also lets go of the line before. */
export type ChannelEffect = { type: 'connect' | 'ping' | 'drop' } | { type: 'ended'; reason: 'removed' | 'deleted' }

export interface Step {
  channel: Channel
  effects: ChannelEffect[]
}

/** A new channel, which connects at once. */
export function startChannel(now: number): Step {
  return connecting(0, now)
}

/** What becomes of a channel when something happens, and what has to be done about it. Pure: no clock, no socket. */
export function stepChannel(channel: Channel, event: ChannelEvent, moment: Moment): Step {
  if (channel.phase === 'left') return stay(channel)
  switch (event.type) {
    case 'hello':
      return channel.phase === 'connecting' ? opened(channel, moment.now) : stay(channel)
    case 'heard':
      return channel.phase === 'open' ? stay(alive(channel, moment.now)) : stay(channel)
    case 'lost':
      return lost(channel, moment)
    case 'bye':
      return bye(channel, event.reason, moment)
    case 'refused':
      return ended(channel, 'removed')
    case 'time':
      return time(channel, moment)
    case 'health':
      return channel.phase === 'closed' ? connecting(0, moment.now) : stay(channel)
    case 'probe':
      return channel.phase === 'open' && !channel.pinged ? ping(channel, moment.now) : stay(channel)
    case 'restart':
      return connecting(0, moment.now)
  }
}

export type LiveStatus = 'disconnected' | 'reconnecting' | 'connected'

/** Of all channels together: as good as the worst of them. */
export function statusOf(channels: Iterable<Channel>): LiveStatus {
  const phases = new Set([...channels].map(({ phase }) => phase))
  phases.delete('left')
  if (phases.size === 0 || phases.has('closed')) return 'disconnected'
  return phases.size === 1 && phases.has('open') ? 'connected' : 'reconnecting'
}

function stay(channel: Channel): Step {
  return { channel, effects: [] }
}

function connecting(retries: number, now: number): Step {
  const channel: Channel = { phase: 'connecting', retries, deadline: now + LIVE.timeout, pinged: false, openedAt: 0 }
  return { channel, effects: [{ type: 'connect' }] }
}

function opened(channel: Channel, now: number): Step {
  return stay(alive({ ...channel, phase: 'open', openedAt: now }, now))
}

function alive(channel: Channel, now: number): Channel {
  return { ...channel, pinged: false, deadline: now + LIVE.heartbeat }
}

function ping(channel: Channel, now: number): Step {
  return { channel: { ...channel, pinged: true, deadline: now + LIVE.timeout }, effects: [{ type: 'ping' }] }
}

function time(channel: Channel, moment: Moment): Step {
  if (channel.deadline === null || moment.now < channel.deadline) return stay(channel)
  if (channel.phase === 'waiting') return connecting(channel.retries, moment.now)
  return channel.phase === 'open' && !channel.pinged ? ping(channel, moment.now) : lost(channel, moment)
}

function lost(channel: Channel, { now, random }: Moment): Step {
  if (channel.phase !== 'connecting' && channel.phase !== 'open') return stay(channel)
  const retries = isSteady(channel, now) ? 0 : channel.retries
  const drop: ChannelEffect[] = [{ type: 'drop' }]
  if (retries >= LIVE.retries) return { channel: { ...channel, phase: 'closed', deadline: null, pinged: false }, effects: drop }
  return {
    channel: { ...channel, phase: 'waiting', retries: retries + 1, deadline: now + backOff(retries + 1, random), pinged: false },
    effects: drop,
  }
}

/** Contract §6: `expired` and `role` ask for a new ticket at once, `removed` and `deleted` are for good, the rest is a lost line. */
function bye(channel: Channel, reason: string, moment: Moment): Step {
  const known = reason as ByeReason
  if (known === 'removed' || known === 'deleted') return ended(channel, known)
  if ((known === 'expired' || known === 'role') && isSteady(channel, moment.now)) return connecting(0, moment.now)
  if (known === 'role' && channel.phase === 'open' && channel.retries === 0) return connecting(1, moment.now)
  return lost(channel, moment)
}

function ended(channel: Channel, reason: 'removed' | 'deleted'): Step {
  return { channel: { ...channel, phase: 'left', deadline: null, pinged: false }, effects: [{ type: 'drop' }, { type: 'ended', reason }] }
}

function isSteady({ phase, openedAt }: Channel, now: number): boolean {
  return phase === 'open' && now - openedAt >= STEADY
}
