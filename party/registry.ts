import type { ConnectionState, RoomSocket } from './connection.ts'

/** What PartyKit and its successor for Durable Objects both call a connection; `state` outlives hibernation. */
interface Connection {
  readonly id: string
  readonly readyState: number
  readonly state: unknown
  setState(state: ConnectionState | null): unknown
  send(text: string): void
  close(code: number, reason: string): void
}

/** WebSocket.OPEN, which the platforms spell differently. */
const OPEN = 1

/**
 * The sockets of a room. The platform is asked for them once, when the room awakes: it reads each one's attachment whenever it lists
 * them, and a room looks at all of them at every coming and going.
 */
export class Registry {
  readonly #list: () => Iterable<Connection>
  #members: Map<string, Member> | null = null

  constructor(list: () => Iterable<Connection>) {
    this.#list = list
  }

  /** Those that are open. */
  *sockets(): Iterable<RoomSocket> {
    for (const member of this.#known().values()) if (member.isOpen()) yield member
  }

  /** The same for the same connection as long as the room is awake. */
  socketOf(connection: Connection): RoomSocket {
    const members = this.#known()
    const member = members.get(connection.id) ?? new Member(connection)
    members.set(connection.id, member)
    return member
  }

  /** It has closed. */
  forget({ id }: Connection): void {
    this.#members?.delete(id)
  }

  #known(): Map<string, Member> {
    this.#members ??= new Map([...this.#list()].map((connection) => [connection.id, new Member(connection)]))
    return this.#members
  }
}

class Member implements RoomSocket {
  readonly id: string
  readonly #connection: Connection
  #state: ConnectionState | null

  constructor(connection: Connection) {
    this.id = connection.id
    this.#connection = connection
    // Nothing but `sit` writes it.
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
    quietly(() => this.#connection.send(text))
  }

  close(code: number, reason: string): void {
    quietly(() => this.#connection.close(code, reason))
  }
}

/** A socket may be gone already; `onClose` takes care of it. */
function quietly(act: () => void): void {
  try {
    act()
  } catch {
    // Nothing to do for a socket that is no longer there.
  }
}
