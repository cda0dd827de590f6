import { WebSocket } from 'ws'
import { ServerMessage } from '../../contract/live.ts'
import type { Client } from '../../dev/http-client.ts'
import { type Live, openLive } from '../../web/lib/live/live.ts'
import type { RoomSocket, SocketHandlers } from '../../web/lib/live/socket.ts'

interface Row {
  id: string
  version: number
}

/**
 * One open tab without its screens: the web app's own live channel over real sockets, and a collection's posts, kept up to date by `since`
 * alone.
 */
export class LiveReader {
  readonly posts = new Map<string, Row>()
  /** Revisions of the received changes, in order of arrival. */
  readonly received: number[] = []
  hellos = 0
  readonly #client: Client
  readonly #collectionId: string
  readonly #live: Live
  #revision = 0
  #announced = 0
  #asking: Promise<void> | null = null
  #socket: WebSocket | undefined
  #cut = false

  constructor(client: Client, collectionId: string) {
    this.#client = client
    this.#collectionId = collectionId
    const room = `collection:${collectionId}`
    const handlers = { onMessage: (_: string, message: ServerMessage) => this.#receive(message), onStatus: () => {}, onEnded: () => {} }
    this.#live = openLive(handlers, (name, line) => this.#connect(name, line))
    this.#live.follow([room])
  }

  /** A text for comparison with a fresh load. */
  shown(): string[] {
    return shownOf([...this.posts.values()])
  }

  /** Breaks the connection and every new one until `mend`. */
  cut(): void {
    this.#cut = true
    this.#socket?.terminate()
  }

  mend(): void {
    this.#cut = false
  }

  close(): void {
    this.#live.close()
  }

  #receive(message: ServerMessage): void {
    if (message.type === 'hello') this.hellos++
    if (message.type === 'change') this.received.push(message.revision)
    if (message.type !== 'hello' && message.type !== 'change') return
    this.#announced = Math.max(this.#announced, message.revision)
    this.#asking ??= this.#catchUp().finally(() => {
      this.#asking = null
    })
  }

  async #catchUp(): Promise<void> {
    while (this.#revision < this.#announced) {
      const missed = `/api/post?collection_id=${this.#collectionId}&since=${this.#revision}&limit=2000`
      const answer = await this.#client.get(missed).catch(() => null)
      // As after a lost request in the browser: the next message or hello asks again.
      if (answer?.status !== 200) return
      const { body } = answer
      for (const row of body.posts as Row[]) this.posts.set(row.id, row)
      for (const id of body.deleted as string[]) this.posts.delete(id)
      this.#revision = body.revision
    }
  }

  #connect(room: string, { onMessage, onReceived, onLost }: SocketHandlers): RoomSocket {
    let closed = false
    let socket: WebSocket | undefined
    const open = async () => {
      const { status, body } = await this.#client.post('/api/live/ticket', { room })
      if (closed) return
      if (status !== 200 || this.#cut) return onLost()
      socket = new WebSocket(`${body.url}?ticket=${body.ticket}`)
      this.#socket = socket
      socket.on('close', () => closed || onLost())
      socket.on('error', () => closed || onLost())
      socket.on('message', (data) => {
        if (closed) return
        onReceived()
        const text = String(data)
        if (text !== 'pong') onMessage(ServerMessage.parse(JSON.parse(text)))
      })
    }
    open().catch(() => closed || onLost())
    return {
      send: (text) => socket?.readyState === WebSocket.OPEN && socket.send(text),
      close() {
        closed = true
        socket?.terminate()
      },
    }
  }
}

/** The same text for any list of rows. */
export function shownOf(rows: readonly Row[]): string[] {
  return rows.map(({ id, version }) => `${id} ${version}`).sort()
}
