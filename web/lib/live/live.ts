import { LIVE } from '../../../contract/limits.ts'
import type { ClientMessage, ServerMessage } from '../../../contract/live.ts'
import { type Channel, type ChannelEffect, type ChannelEvent, type LiveStatus, startChannel, statusOf, stepChannel } from './channel.ts'
import { createPushBuffer } from './push-buffer.ts'
import { openSocket, type RoomSocket, type SocketHandlers } from './socket.ts'

export interface LiveHandlers {
  /** Never called for `bye`: it leads to `onEnded` or is handled internally. */
  onMessage: (room: string, message: Exclude<ServerMessage, { type: 'bye' }>) => void
  onStatus: (status: LiveStatus) => void
  /** The user has no access to the room any more. */
  onEnded: (room: string, reason: 'removed' | 'deleted') => void
}

export interface Live {
  /** Joins these rooms and leaves all others. */
  follow: (rooms: readonly string[]) => void
  /** Sends a message to a room; while the room is unreachable, it waits in the push buffer. All messages say where the user is: it replaces those that wait. */
  say: (room: string, message: ClientMessage) => void
  /** Leaves all rooms and removes all listeners. */
  close: () => void
}

interface Connection {
  channel: Channel
  socket: RoomSocket | null
  timer: ReturnType<typeof setTimeout> | undefined
  buffer: ReturnType<typeof createPushBuffer>
}

type Connect = (room: string, handlers: SocketHandlers) => RoomSocket

/** Live updates: one channel per room. */
export function openLive(handlers: LiveHandlers, connect: Connect = openSocket): Live {
  const connections = new Map<string, Connection>()
  const closing = new AbortController()
  let status: LiveStatus = 'disconnected'

  function notifyStatus() {
    const now = statusOf([...connections.values()].map(({ channel }) => channel))
    if (now === status) return
    status = now
    handlers.onStatus(now)
  }

  function dispatch(room: string, event: ChannelEvent) {
    const connection = connections.get(room)
    if (connection) apply(room, connection, stepChannel(connection.channel, event, { now: Date.now(), random: Math.random() }))
  }

  function apply(room: string, connection: Connection, { channel, effects }: ReturnType<typeof stepChannel>) {
    connection.channel = channel
    for (const effect of effects) act(room, connection, effect)
    clearTimeout(connection.timer)
    const { deadline } = connection.channel
    if (deadline !== null && connections.get(room) === connection)
      connection.timer = setTimeout(() => dispatch(room, { type: 'time' }), deadline - Date.now())
    notifyStatus()
  }

  function act(room: string, connection: Connection, effect: ChannelEffect) {
    if (effect.type === 'ping') return connection.socket?.send('ping')
    if (effect.type === 'ended') return handlers.onEnded(room, effect.reason)
    connection.socket?.close()
    connection.socket = effect.type === 'connect' ? open(room) : null
  }

  function open(room: string): RoomSocket {
    return connect(room, {
      onReceived: () => dispatch(room, { type: 'received' }),
      onLost: () => dispatch(room, { type: 'lost' }),
      onRefused: () => dispatch(room, { type: 'refused' }),
      onMessage: (message) => receive(room, message),
    })
  }

  function receive(room: string, message: ServerMessage) {
    if (message.type === 'bye') return dispatch(room, { type: 'bye', reason: message.reason })
    if (message.type === 'hello') dispatch(room, { type: 'hello' })
    handlers.onMessage(room, message)
    if (message.type === 'hello') connections.get(room)?.buffer.flush()
  }

  function join(room: string) {
    const send = (text: string) => {
      if (connection.channel.phase !== 'open' || !connection.socket) return false
      connection.socket.send(text)
      return true
    }
    const start = startChannel(Date.now())
    const connection: Connection = {
      channel: start.channel,
      socket: null,
      timer: undefined,
      buffer: createPushBuffer(LIVE.pushBuffer, send),
    }
    connections.set(room, connection)
    apply(room, connection, start)
  }

  function leave(room: string) {
    const connection = connections.get(room)
    connections.delete(room)
    clearTimeout(connection?.timer)
    connection?.buffer.clear()
    connection?.socket?.close()
  }

  const toAll = (event: ChannelEvent) => {
    for (const room of connections.keys()) dispatch(room, event)
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
  // After sleep, a device may still consider dead connections open.
  globalThis.document?.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && toAll({ type: 'probe' }), watch)

  return {
    follow(rooms) {
      for (const room of [...connections.keys()]) if (!rooms.includes(room)) leave(room)
      for (const room of rooms) if (!connections.has(room)) join(room)
      notifyStatus()
    },
    say(room, message) {
      const buffer = connections.get(room)?.buffer
      buffer?.clear()
      buffer?.push(JSON.stringify(message))
    },
    close() {
      closing.abort()
      clearInterval(health)
      clearTimeout(online)
      this.follow([])
    },
  }
}
