import { expect } from 'vitest'
import { type RawData, WebSocket } from 'ws'
import { ServerMessage } from '../../contract/live.ts'
import type { Client } from '../../dev/http-client.ts'

type Message<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>

/** A browser's end of a room: records its messages, each checked against the contract. */
export class LiveSocket {
  readonly received: ServerMessage[] = []
  readonly raw: string[] = []
  closed: { code: number; reason: string } | null = null
  readonly #socket: WebSocket

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data: RawData) => this.#receive(String(data)))
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) }
    })
    socket.on('error', () => {})
  }

  /** All messages of a kind so far. */
  all<T extends ServerMessage['type']>(type: T): Message<T>[] {
    return this.received.filter((message): message is Message<T> => message.type === type)
  }

  last<T extends ServerMessage['type']>(type: T): Message<T> | undefined {
    return this.all(type).at(-1)
  }

  /** Waits until `enough` accepts the messages of a kind. */
  async until<T extends ServerMessage['type']>(type: T, enough: (messages: Message<T>[]) => boolean, timeout = 10_000) {
    await expect
      .poll(() => enough(this.all(type)), { timeout, interval: 10, message: `${type} in ${JSON.stringify(this.received)}` })
      .toBe(true)
    return this.all(type)
  }

  /** Waits for the server's close frame; workerd may keep the connection itself open for 10 s more. */
  async untilClosed(timeout = 10_000) {
    const socket = this.#socket
    await expect.poll(() => socket.readyState, { timeout, interval: 10 }).toBeGreaterThanOrEqual(WebSocket.CLOSING)
    socket.terminate()
    await expect.poll(() => this.closed, { interval: 10 }).not.toBeNull()
    return this.closed
  }

  say(message: unknown): void {
    this.#socket.send(message instanceof Uint8Array || typeof message === 'string' ? message : JSON.stringify(message))
  }

  leave(): void {
    this.#socket.close()
  }

  #receive(text: string): void {
    this.raw.push(text)
    if (text !== 'pong') this.received.push(ServerMessage.parse(JSON.parse(text)))
  }
}

/** Asks for a ticket and opens the room; resolves after `hello`. */
export async function enter(client: Client, room: string): Promise<LiveSocket> {
  const { status, body } = await client.post('/api/live/ticket', { room })
  expect(status, JSON.stringify(body)).toBe(200)
  const socket = await open(`${body.url}?ticket=${body.ticket}`)
  await socket.until('hello', ({ length }) => length === 1)
  return socket
}

export function open(url: string): Promise<LiveSocket> {
  const socket = new WebSocket(url)
  const live = new LiveSocket(socket)
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(live))
    socket.on('unexpected-response', (_, { statusCode }) => reject(new Error(`Refused with ${statusCode}`)))
    socket.on('error', reject)
  })
}

/** How a ticket is refused: at the upgrade with a status, or right after it with a close reason and no other message. */
export async function turnedAway(url: string): Promise<number | string | undefined> {
  const status = await refusal(url)
  if (status !== 101) return status
  const socket = await open(url)
  const end = await socket.untilClosed()
  expect(socket.received).toEqual([{ type: 'bye', reason: end?.reason }])
  return end?.reason
}

/** Status with which the upgrade is refused; 101 if it is not. */
export function refusal(url: string): Promise<number> {
  const socket = new WebSocket(url)
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      socket.close()
      resolve(101)
    })
    socket.on('unexpected-response', (request, { statusCode }) => {
      request.destroy()
      resolve(statusCode ?? 0)
    })
    socket.on('error', reject)
  })
}
