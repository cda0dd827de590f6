import ReconnectingWebSocket from 'partysocket/ws'
import { LIVE } from '../../../contract/limits.ts'
import { createTicket, ServerMessage } from '../../../contract/live.ts'
import { ApiError, call } from '../api.ts'
import { takeTicket } from '../start/prefetched.ts'
import { parseJson } from '../storage.ts'

export interface SocketHandlers {
  onMessage: (message: ServerMessage) => void
  /** Called for every message, valid or not: the connection is alive. */
  onReceived: () => void
  onLost: () => void
  /** The server denies the user access to the room. */
  onRefused: () => void
}

/** One connection to a room, from the request for its ticket to its end. */
export interface RoomSocket {
  send: (text: string) => void
  close: () => void
}

/**
 * Opens one connection with its own ticket. partysocket fetches the URL, enforces the timeout and hides browser differences. Retries are
 * decided in channel.ts, which has jitter, health checks and a limit of its own.
 */
export function openSocket(room: string, { onMessage, onReceived, onLost, onRefused }: SocketHandlers): RoomSocket {
  const closing = new AbortController()
  const { signal } = closing
  const address = async () => {
    try {
      const within = AbortSignal.any([signal, AbortSignal.timeout(LIVE.timeout)])
      const { url, ticket } = (await takeTicket(room)) ?? (await call(createTicket, { body: { room }, signal: within }))
      return `${url}?ticket=${encodeURIComponent(ticket)}`
    } catch (error) {
      if (!signal.aborted && error instanceof ApiError && error.code === 'not_found') onRefused()
      throw error
    }
  }
  const socket = new ReconnectingWebSocket(address, [], { maxRetries: 0, connectionTimeout: LIVE.timeout, maxEnqueuedMessages: 0 })
  const lost = () => !signal.aborted && onLost()
  socket.addEventListener('close', lost)
  socket.addEventListener('error', lost)
  socket.addEventListener('message', ({ data }: MessageEvent) => {
    if (signal.aborted) return
    onReceived()
    const message = typeof data === 'string' && data !== 'pong' ? parseJson(data, ServerMessage) : null
    if (message) onMessage(message)
  })
  return {
    send: (text) => socket.readyState === WebSocket.OPEN && socket.send(text),
    // At `bye` the client closes first: a connection that the server closes may stay open for ten seconds. Nothing waits for it here.
    close() {
      closing.abort()
      socket.close()
    },
  }
}
