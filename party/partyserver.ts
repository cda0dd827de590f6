import { type Connection, type ConnectionContext, Server, type WSMessage } from 'partyserver'
import { Alarm } from './alarm.ts'
import { type ConnectionState, type Publication, readHandshake } from './connection.ts'
import { Registry } from './registry.ts'
import { RoomCore } from './room.ts'

/**
 * A live room on a Durable Object, named `collection:{id}` or `user:{id}`. It hibernates between messages: persistent state is in the sockets'
 * attachments or in the alarm.
 */
export class Room extends Server {
  static override options = { hibernate: true }

  readonly #core: RoomCore
  readonly #registry = new Registry(() => this.getConnections<ConnectionState>())

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env)
    // The platform answers heartbeats without waking the room.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))
    const alarm = new Alarm(ctx.storage)
    this.#core = new RoomCore(() => this.name, {
      sockets: () => this.#registry.open(),
      now: () => Date.now(),
      wakeAt: (time) => void alarm.wakeAt(time),
      later: (task, milliseconds) => void setTimeout(task, milliseconds),
    })
  }

  /** Called by the worker over RPC; not reachable from outside. */
  publish(publication: Publication): void {
    this.#core.publish(publication)
  }

  /** Called by the worker over RPC. Ids of all users in the room, including hidden ones. */
  users(): string[] {
    return this.#core.users()
  }

  override onConnect(connection: Connection<ConnectionState>, { request }: ConnectionContext): void {
    this.#core.join(this.#registry.socketOf(connection), readHandshake(request))
  }

  override onMessage(connection: Connection<ConnectionState>, message: WSMessage): void {
    this.#core.message(this.#registry.socketOf(connection), message)
  }

  override onClose(connection: Connection<ConnectionState>): void {
    this.#leave(connection)
  }

  override onError(connection: Connection<ConnectionState>): void {
    this.#leave(connection)
  }

  override onAlarm(): void {
    this.#core.expire()
  }

  override onRequest(): Response {
    return new Response(null, { status: 404 })
  }

  #leave(connection: Connection<ConnectionState>): void {
    this.#core.leave(this.#registry.socketOf(connection))
    this.#registry.forget(connection)
  }
}
