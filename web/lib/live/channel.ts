import { LIVE } from '../../../contract/limits.ts'
import type { ByeReason } from '../../../contract/live.ts'
import { backOff, type Moment } from '../back-off.ts'

/** Milliseconds a channel must stay open to count as recovered: a room that accepts and closes at once must not be flooded. */
const STEADY = 10_000

/** `closed`: no more attempts until the next health check. `left`: the user has no access to the room any more. */
type Phase = 'connecting' | 'open' | 'waiting' | 'closed' | 'left'

/** One channel to one room. `deadline` is the time of the next timer event, in milliseconds on any clock. */
export interface Channel {
  phase: Phase
  /** Failed attempts since it was last steady. */
  retries: number
  deadline: number | null
  /** Whether a ping awaits its response. */
  pinged: boolean
  openedAt: number
}

export type ChannelEvent =
  | { type: 'hello' }
  | { type: 'received' }
  /** The connection closed or failed, or there was no ticket. */
  | { type: 'lost' }
  | { type: 'bye'; reason: string }
  /** The server denies access to the room. */
  | { type: 'refused' }
  | { type: 'time' }
  | { type: 'health' }
  /** Checks that the connection is still alive, for example after sleep. */
  | { type: 'probe' }
  | { type: 'restart' }

/** `connect` also closes the previous connection. */
export type ChannelEffect = { type: 'connect' | 'ping' | 'drop' } | { type: 'ended'; reason: 'removed' | 'deleted' }

export interface Step {
  channel: Channel
  effects: ChannelEffect[]
}

export function startChannel(now: number): Step {
  return connecting(0, now)
}

/** The next state of a channel and the effects to run. Pure: no clock, no socket. */
export function stepChannel(channel: Channel, event: ChannelEvent, moment: Moment): Step {
  if (channel.phase === 'left') return stay(channel)
  switch (event.type) {
    case 'hello':
      return channel.phase === 'connecting' ? opened(channel, moment.now) : stay(channel)
    case 'received':
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

/** Status of all channels together: that of the worst. */
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

const NEEDS_TICKET: ByeReason[] = ['expired', 'role', 'signed_out']

/**
 * `expired`, `role` and `signed_out` need a new ticket at once, `removed` and `deleted` are final, any other reason is a lost connection.
 */
function bye(channel: Channel, reason: string, moment: Moment): Step {
  const known = reason as ByeReason
  if (known === 'removed' || known === 'deleted') return ended(channel, known)
  if (NEEDS_TICKET.includes(known) && isSteady(channel, moment.now)) return connecting(0, moment.now)
  if (known === 'role' && channel.phase === 'open' && channel.retries === 0) return connecting(1, moment.now)
  return lost(channel, moment)
}

function ended(channel: Channel, reason: 'removed' | 'deleted'): Step {
  return { channel: { ...channel, phase: 'left', deadline: null, pinged: false }, effects: [{ type: 'drop' }, { type: 'ended', reason }] }
}

function isSteady({ phase, openedAt }: Channel, now: number): boolean {
  return phase === 'open' && now - openedAt >= STEADY
}
