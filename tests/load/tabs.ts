import { SignJWT } from 'jose'
import { WebSocket } from 'ws'
import { ServerMessage } from '../../contract/live.ts'
import type { Stack } from '../../dev/stack.ts'
import { SOCKET_LIFE, TICKET_ALGORITHM, ticketKey } from '../../party/ticket.ts'
import { type Live, openLive } from '../../web/lib/live/live.ts'
import type { RoomSocket, SocketHandlers } from '../../web/lib/live/socket.ts'

const LANES = 50

export interface TabOptions {
  stack: Stack
  room: string
  user: string
  /** Id of their session. */
  access: string
}

interface Wait {
  enough: (revision: number) => boolean
  done: (at: number) => void
}

/** A tab in one room: the web app's own live channel, with the times of its messages. Tickets are signed here, not requested. */
export class Tab {
  readonly #live: Live
  readonly #options: TabOptions
  readonly #arrivals = new Map<number, number>()
  #helloAt = Number.NEGATIVE_INFINITY
  #onHello: (at: number) => void = () => {}
  #waits: Wait[] = []

  constructor(options: TabOptions) {
    this.#options = options
    const onMessage = (_: string, message: ServerMessage) => this.#receive(message)
    this.#live = openLive({ onMessage, onStatus: () => {}, onEnded: () => {} }, (_, line) => this.#connect(line))
    this.#live.follow([options.room])
  }

  /** When the change with this revision, or a later one, arrived: milliseconds since 1970, as exactly as this process knows. */
  arrivalOf(revision: number): Promise<number> {
    const at = this.#arrivals.get(revision)
    if (at !== undefined) return Promise.resolve(at)
    return new Promise((done) => this.#waits.push({ enough: (received) => received >= revision, done }))
  }

  /** When a hello after `begin` arrived; both by `performance.now()`. */
  helloAfter(begin: number): Promise<number> {
    if (this.#helloAt >= begin) return Promise.resolve(this.#helloAt)
    return new Promise((done) => {
      this.#onHello = done
    })
  }

  close(): void {
    this.#live.close()
  }

  #receive(message: ServerMessage): void {
    if (message.type === 'hello') {
      this.#helloAt = performance.now()
      this.#onHello(this.#helloAt)
    }
    if (message.type !== 'change') return
    const at = performance.timeOrigin + performance.now()
    this.#arrivals.set(message.revision, at)
    const [ready, waiting] = [
      this.#waits.filter(({ enough }) => enough(message.revision)),
      this.#waits.filter(({ enough }) => !enough(message.revision)),
    ]
    this.#waits = waiting
    for (const { done } of ready) done(at)
  }

  #connect({ onMessage, onReceived, onLost }: SocketHandlers): RoomSocket {
    let closed = false
    let socket: WebSocket | undefined
    const lost = () => closed || onLost()
    const open = async () => {
      const address = await addressOf(this.#options)
      if (closed) return
      socket = new WebSocket(address, { perMessageDeflate: false })
      socket.on('close', lost).on('error', lost)
      socket.on('message', (data) => {
        onReceived()
        const text = String(data)
        // A thousand tabs share this process, so messages that are not measured are not parsed.
        if (!closed && /^{"type":"(hello|change)"/.test(text)) onMessage(ServerMessage.parse(JSON.parse(text)))
      })
    }
    void open()
    return {
      send: (text) => socket?.readyState === WebSocket.OPEN && socket.send(text),
      close() {
        closed = true
        socket?.terminate()
      },
    }
  }
}

/** Opens tabs, a few at a time, and waits until each is in its room. */
export async function openTabs(all: TabOptions[]): Promise<Tab[]> {
  const tabs: Tab[] = []
  const queue = all.values()
  const lane = async () => {
    for (const options of queue) {
      const tab = new Tab(options)
      await tab.helloAfter(0)
      tabs.push(tab)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return tabs
}

async function addressOf({ stack, room, user, access }: TabOptions): Promise<string> {
  const ticket = await new SignJWT({ room, name: user, access, role: 'read', revision: 0, confirmed: true, life: SOCKET_LIFE })
    .setProtectedHeader({ alg: TICKET_ALGORITHM })
    .setSubject(user)
    .setIssuedAt()
    .setExpirationTime('60 s')
    .sign(await ticketKey(stack.secrets.liveKey))
  return `${stack.origin.replace('http', 'ws')}/parties/room/${room}?ticket=${ticket}`
}
