import type { ConnectionState, RoomSocket } from './connection.ts'

/** The common part of connections in PartyKit and partyserver. `state` survives hibernation. */
interface Connection {
  readonly id: string
  readonly readyState: number
  readonly state: unknown
  setState(state: ConnectionState | null): unknown
  send(text: string): void
  close(code: number, reason: string): void
}

/** Milliseconds that a client has to close its connection by itself. */
const CLIENT_FIRST = 500

/** WebSocket.OPEN, whose name differs between the platforms. */
const OPEN = 1

/**
 * The sockets of a room. Lists them only once, when the room wakes up: the platform reads every attachment for each listing, and a room needs
 * all sockets whenever one joins or leaves.
 */
export class Registry {
  readonly #list: () => Iterable<Connection>
  #sockets: Map<string, Socket> | null = null

  constructor(list: () => Iterable<Connection>) {
    this.#list = list
  }

  /** Open sockets only. */
  *open(): Iterable<RoomSocket> {
    for (const socket of this.#known().values()) if (socket.isOpen()) yield socket
  }

  /** Returns the same socket for the same connection until the room hibernates. */
  socketOf(connection: Connection): RoomSocket {
    const sockets = this.#known()
    const socket = sockets.get(connection.id) ?? new Socket(connection)
    sockets.set(connection.id, socket)
    return socket
  }

  /** Call after the connection has closed. */
  forget({ id }: Connection): void {
    this.#sockets?.delete(id)
  }

  #known(): Map<string, Socket> {
    this.#sockets ??= new Map([...this.#list()].map((connection) => [connection.id, new Socket(connection)]))
    return this.#sockets
  }
}

class Socket implements RoomSocket {
  readonly id: string
  readonly #connection: Connection
  #state: ConnectionState | null

  constructor(connection: Connection) {
    this.id = connection.id
    this.#connection = connection
    // Only `setState` writes it.
    this.#state = connection.state as ConnectionState | null
  }

  isOpen(): boolean {
    return this.#connection.readyState === OPEN
  }

  state(): ConnectionState | null {
    return this.#state
  }

  setState(state: ConnectionState | null): void {
    this.#state = state
    this.#connection.setState(state)
  }

  send(text: string): void {
    ignoreErrors(() => this.#connection.send(text))
  }

  /** Lets the client close first, which it does at `bye`: after a close by the server, workerd keeps the connection for ten seconds. */
  close(code: number, reason: string): void {
    setTimeout(() => ignoreErrors(() => this.#connection.close(code, reason)), CLIENT_FIRST)
  }
}

/** Ignores errors of a socket that has closed; `onClose` handles it. */
function ignoreErrors(act: () => void): void {
  try {
    act()
  } catch {
    // The socket has closed.
  }
}
