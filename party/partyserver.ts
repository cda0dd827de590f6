import { type Connection, type ConnectionContext, Server, type WSMessage } from 'partyserver'
import { Alarm } from './alarm.ts'
import { type Publication, readJoiner, type Seat } from './connection.ts'
import { Roster } from './registry.ts'
import { RoomCore } from './room.ts'

/**
 * One live room on a Durable Object, named `collection:{id}` or `user:{id}`. It sleeps between messages: whatever must outlive that
 * is in the sockets' attachments or in the alarm.
 */
export class Room extends Server {
  static override options = { hibernate: true }

  readonly #core: RoomCore
  readonly #roster = new Roster(() => this.getConnections<Seat>())

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env)
    // Heartbeats are answered by the platform and do not wake the room.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))
    const alarm = new Alarm(ctx.storage)
    this.#core = new RoomCore(() => this.name, {
      sockets: () => this.#roster.sockets(),
      now: () => Date.now(),
      wakeAt: (time) => void alarm.wakeAt(time),
      later: (task, milliseconds) => void setTimeout(task, milliseconds),
    })
  }

  /** Called by the worker over RPC; there is no way to it from outside. */
  publish(publication: Publication): void {
    this.#core.publish(publication)
  }

  /** The same for who is in it. */
  users(): string[] {
    return this.#core.users()
  }

  override onConnect(connection: Connection<Seat>, { request }: ConnectionContext): void {
    this.#core.join(this.#roster.socketOf(connection), readJoiner(request))
  }

  override onMessage(connection: Connection<Seat>, message: WSMessage): void {
    this.#core.message(this.#roster.socketOf(connection), message)
  }

  override onClose(connection: Connection<Seat>): void {
    this.#leave(connection)
  }

  override onError(connection: Connection<Seat>): void {
    this.#leave(connection)
  }

  override onAlarm(): void {
    this.#core.expire()
  }

  override onRequest(): Response {
    return new Response(null, { status: 404 })
  }

  #leave(connection: Connection<Seat>): void {
    this.#core.leave(this.#roster.socketOf(connection))
    this.#roster.forget(connection)
  }
}
