import { LIVE } from '../../../contract/limits.ts'
import type { ClientMessage, ServerMessage } from '../../../contract/live.ts'
import { type Channel, type ChannelEffect, type ChannelEvent, type LiveStatus, startChannel, statusOf, stepChannel } from './channel.ts'
import { createPushBuffer } from './push-buffer.ts'
import { type Line, type LineHandlers, openLine } from './socket.ts'

export interface LiveHandlers {
  /** `bye` is not among them: what it means is told by `onEnded` or not at all. */
  onMessage: (room: string, message: Exclude<ServerMessage, { type: 'bye' }>) => void
  onStatus: (status: LiveStatus) => void
  /** This person has no business in the room any more. */
  onEnded: (room: string, reason: 'removed' | 'deleted') => void
}

export interface Live {
  /** Joins these rooms and leaves all others. */
  follow: (rooms: readonly string[]) => void
  /** Says something in a room; while it cannot be reached it waits in the push buffer. */
  say: (room: string, message: ClientMessage) => void
  /** Leaves everything and listens to nothing any more. */
  close: () => void
}

interface Seat {
  channel: Channel
  line: Line | null
  timer: ReturnType<typeof setTimeout> | undefined
  buffer: ReturnType<typeof createPushBuffer>
}

type Connect = (room: string, handlers: LineHandlers) => Line

/** Live updates: one channel per room, kept alive by the rules of spec §9. */
export function openLive(handlers: LiveHandlers, connect: Connect = openLine): Live {
  const seats = new Map<string, Seat>()
  const closing = new AbortController()
  let status: LiveStatus = 'disconnected'

  function tellStatus() {
    const now = statusOf([...seats.values()].map(({ channel }) => channel))
    if (now === status) return
    status = now
    handlers.onStatus(now)
  }

  function see(room: string, event: ChannelEvent) {
    const seat = seats.get(room)
    if (seat) apply(room, seat, stepChannel(seat.channel, event, { now: Date.now(), random: Math.random() }))
  }

  function apply(room: string, seat: Seat, { channel, effects }: ReturnType<typeof stepChannel>) {
    seat.channel = channel
    for (const effect of effects) act(room, seat, effect)
    clearTimeout(seat.timer)
    const { deadline } = seat.channel
    if (deadline !== null && seats.get(room) === seat) seat.timer = setTimeout(() => see(room, { type: 'time' }), deadline - Date.now())
    tellStatus()
  }

  function act(room: string, seat: Seat, effect: ChannelEffect) {
    if (effect.type === 'ping') return seat.line?.send('ping')
    if (effect.type === 'ended') return handlers.onEnded(room, effect.reason)
    seat.line?.close()
    seat.line = effect.type === 'connect' ? dial(room) : null
  }

  function dial(room: string): Line {
    return connect(room, {
      onHeard: () => see(room, { type: 'heard' }),
      onLost: () => see(room, { type: 'lost' }),
      onRefused: () => see(room, { type: 'refused' }),
      onMessage: (message) => hear(room, message),
    })
  }

  function hear(room: string, message: ServerMessage) {
    if (message.type === 'bye') return see(room, { type: 'bye', reason: message.reason })
    if (message.type === 'hello') see(room, { type: 'hello' })
    handlers.onMessage(room, message)
    if (message.type === 'hello') seats.get(room)?.buffer.flush()
  }

  function join(room: string) {
    const send = (text: string) => {
      if (seat.channel.phase !== 'open' || !seat.line) return false
      seat.line.send(text)
      return true
    }
    const start = startChannel(Date.now())
    const seat: Seat = { channel: start.channel, line: null, timer: undefined, buffer: createPushBuffer(LIVE.pushBuffer, send) }
    seats.set(room, seat)
    apply(room, seat, start)
  }

  function leave(room: string) {
    const seat = seats.get(room)
    seats.delete(room)
    clearTimeout(seat?.timer)
    seat?.buffer.clear()
    seat?.line?.close()
  }

  const toAll = (event: ChannelEvent) => {
    for (const room of seats.keys()) see(room, event)
  }
  const health = setInterval(() => toAll({ type: 'health' }), LIVE.healthCheck)
  let online: ReturnType<typeof setTimeout> | undefined
  const watch = { signal: closing.signal }
  globalThis.addEventListener?.(
    'online',
    () => {
      clearTimeout(online)
      online = setTimeout(() => toAll({ type: 'restart' }), LIVE.onlineDelay)
    },
    watch,
  )
  // A device that slept may believe in lines that are long gone.
  globalThis.document?.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && toAll({ type: 'probe' }), watch)

  return {
    follow(rooms) {
      for (const room of [...seats.keys()]) if (!rooms.includes(room)) leave(room)
      for (const room of rooms) if (!seats.has(room)) join(room)
      tellStatus()
    },
    say(room, message) {
      seats.get(room)?.buffer.push(JSON.stringify(message))
    },
    close() {
      closing.abort()
      clearInterval(health)
      clearTimeout(online)
      this.follow([])
    },
  }
}
