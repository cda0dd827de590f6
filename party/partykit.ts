import type * as Party from 'partykit/server'
import { digest } from '../contract/bytes.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { Alarm } from './alarm.ts'
import { type ConnectionState, handshakeRequest, Publication, Question, ROOM_PATH, RoomMemory, readHandshake } from './connection.ts'
import { Nonces } from './nonces.ts'
import { Registry } from './registry.ts'
import { RoomCore } from './room.ts'
import { readPartySettings } from './settings.ts'
import { readSignedPublication } from './signed-publication.ts'
import { isEntitled, readTicket, type TicketClaims } from './ticket.ts'

/** Headers from `onBeforeRequest`, which verifies the signed publication, to the room, which stores used nonces. */
const NONCE_HEADER = 'x-cairn-nonce'
const UNTIL_HEADER = 'x-cairn-until'
const MEMORY = 'memory'

/**
 * A live room on PartyKit. It has no access to the database, so a ticket alone admits a user, and the room stores changes of roles until all
 * older tickets have expired. Unlike on a Durable Object of our own, heartbeats wake the room.
 */
export default class PartyKitRoom implements Party.Server {
  readonly options = { hibernate: true }

  readonly #core: RoomCore
  readonly #registry: Registry
  readonly #alarm: Alarm
  readonly #nonces: Nonces
  readonly #storage: Party.Storage
  /** From the URL, because `Room.id` is missing after an alarm has woken the room. */
  #name = ''

  /** Admits users with a ticket for this room. */
  static async onBeforeConnect(request: Party.Request, lobby: Party.Lobby): Promise<Party.Request | Response> {
    const { origin, hostname, pathname, searchParams } = new URL(request.url)
    const settings = readPartySettings(lobby.env, hostname)
    if (typeof settings === 'string') return notSetUp(settings)
    const ticket = await readTicket(settings.LIVE_KEY, searchParams.get('ticket') ?? '').catch(() => null)
    if (!ticket) return refusal(401, 'unauthenticated', 'Ask for a new ticket')
    if (pathname !== ROOM_PATH + ticket.room) return refusal(403, 'forbidden', 'The ticket is for another room')
    if (!isEntitled(ticket)) return refusal(403, 'forbidden', 'You do not belong to this room')
    return handshakeRequest(origin, ticket.room, toHandshake(ticket)) as unknown as Party.Request
  }

  /** Admits only publications of the worker: the signature must be recent, and for this room and this body. */
  static async onBeforeRequest(request: Party.Request, lobby: Party.Lobby): Promise<Party.Request | Response> {
    const { pathname, origin, hostname } = new URL(request.url)
    if (request.method === 'GET') return refusal(400, 'invalid', 'Open a room as a WebSocket')
    const settings = readPartySettings(lobby.env, hostname)
    if (typeof settings === 'string') return notSetUp(settings)
    const signed =
      request.method === 'POST' ? await readSignedPublication(settings.PARTY_PUBLISH_KEY, request.headers.get('authorization')) : null
    const body = signed && pathname === ROOM_PATH + signed.room ? await request.text() : null
    if (!signed || body === null || (await digest(body)) !== signed.digest) {
      return refusal(403, 'forbidden', 'Rooms take nothing from outside')
    }
    const headers = { [NONCE_HEADER]: signed.nonce, [UNTIL_HEADER]: String(signed.until) }
    return new Request(origin + pathname, { method: 'POST', headers, body }) as unknown as Party.Request
  }

  constructor(room: Party.Room) {
    this.#storage = room.storage
    this.#alarm = new Alarm(room.storage)
    this.#nonces = new Nonces(room.storage)
    this.#registry = new Registry(() => room.getConnections<ConnectionState>())
    this.#core = new RoomCore(() => this.#name, {
      sockets: () => this.#registry.open(),
      now: () => Date.now(),
      wakeAt: (time) => void this.#alarm.wakeAt(time),
      later: (task, milliseconds) => void setTimeout(task, milliseconds),
    })
  }

  async onStart(): Promise<void> {
    const kept = RoomMemory.safeParse(await this.#storage.get(MEMORY))
    if (kept.success) this.#core.remember(kept.data)
  }

  onConnect(connection: Party.Connection<ConnectionState>, { request }: Party.ConnectionContext): void {
    this.#name = roomOf(request.url)
    this.#core.join(this.#registry.socketOf(connection), readHandshake(request))
  }

  onMessage(message: string | ArrayBuffer | ArrayBufferView, connection: Party.Connection<ConnectionState>): void {
    this.#core.message(this.#registry.socketOf(connection), message)
  }

  onClose(connection: Party.Connection<ConnectionState>): void {
    this.#leave(connection)
  }

  onError(connection: Party.Connection<ConnectionState>): void {
    this.#leave(connection)
  }

  /** A publication or question that `onBeforeRequest` has admitted. */
  async onRequest(request: Party.Request): Promise<Response> {
    this.#name = roomOf(request.url)
    const body = await request.json()
    if (Question.safeParse(body).success) return Response.json({ users: this.#core.users() })
    const publication = Publication.parse(body)
    const until = Number(request.headers.get(UNTIL_HEADER))
    if (!(await this.#nonces.use(request.headers.get(NONCE_HEADER) ?? '', until))) {
      return refusal(409, 'conflict', 'This has been published already')
    }
    this.#core.publish(publication)
    await Promise.all([this.#storage.put(MEMORY, this.#core.memory()), this.#alarm.wakeAt(until)])
    return new Response(null, { status: 204 })
  }

  async onAlarm(): Promise<void> {
    this.#core.expire()
    const next = await this.#nonces.forget(Date.now())
    if (next !== null) await this.#alarm.wakeAt(next)
  }

  #leave(connection: Party.Connection<ConnectionState>): void {
    this.#core.leave(this.#registry.socketOf(connection))
    this.#registry.forget(connection)
  }
}

PartyKitRoom satisfies Party.Worker

function toHandshake({ room: _, life, ...person }: TicketClaims) {
  return { ...person, seconds: life }
}

function roomOf(url: string): string {
  return new URL(url).pathname.slice(ROOM_PATH.length)
}

function notSetUp(problem: string): Response {
  console.error(JSON.stringify({ level: 'error', what: problem }))
  return refusal(503, 'unavailable', `This host of rooms is not set up yet. ${problem}`)
}

/** In the same shape as the worker's errors. */
function refusal(status: number, code: ErrorCode, message: string): Response {
  return Response.json({ success: false, error: { code, message } }, { status })
}
