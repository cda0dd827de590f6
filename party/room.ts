import { BYE_CODES, type ByeReason, type ChangeMessage, ClientMessage, ROOM_LIMITS, type ServerMessage } from '../contract/live.ts'
import { may, rank } from '../contract/policy.ts'
import type { Access, Face, Joiner, Publication, RoomHost, RoomMemory, RoomSocket, Seat } from './connection.ts'
import { presenceDelay, presentIn } from './presence.ts'
import { Standings } from './role-cache.ts'
import { Talking } from './token-bucket.ts'

/** More tabs than this is not a person. */
const MOST_SOCKETS_EACH = 20

/** A live room on no platform in particular: who is in it, what they hear, and when they have to go. */
export class RoomCore {
  readonly #host: RoomHost
  readonly #name: () => string
  readonly #talking = new Talking()
  readonly #standings = new Standings()
  #revision = 0
  #telling = false

  /** `name` is asked late: the platform may not know it yet when it makes the room. */
  constructor(name: () => string, host: RoomHost) {
    this.#name = name
    this.#host = host
  }

  /** `hello` is the first that a socket hears, whatever is published meanwhile: it has no seat until then. */
  join(socket: RoomSocket, joiner: Joiner): void {
    const refusal = this.#refusal(joiner)
    if (refusal) this.#dismiss(socket, refusal)
    else this.#welcome(socket, joiner)
  }

  message(socket: RoomSocket, message: string | ArrayBuffer | ArrayBufferView): void {
    const seat = socket.seat()
    if (!seat) return
    const objection = this.#objection(socket, message)
    if (objection) this.#dismiss(socket, objection)
    // Only where the platform does not answer by itself.
    else if (message === 'ping') socket.send('pong')
    else this.#hearPresence(socket, seat, message)
  }

  leave(socket: RoomSocket): void {
    this.#talking.forget(socket.id)
    if (!socket.seat()) return
    socket.sit(null)
    this.#tellPresence()
  }

  publish({ changes, access = [], faces = [], deletedAt }: Publication): void {
    const seated = this.#seated()
    for (const change of changes) {
      if (this.#ofCollection()) this.#revision = Math.max(this.#revision, change.revision)
      this.#tellChange(seated, change)
    }
    for (const change of access) this.#hearAccess(change)
    for (const face of faces) this.#hearFace(face)
    if (deletedAt === undefined) return
    this.#standings.hearDeleted(deletedAt)
    for (const socket of this.#seated()) this.#dismiss(socket, 'deleted')
  }

  /** Everybody who is in it, hidden or not: for the worker alone. */
  users(): string[] {
    return [...new Set(this.#seats().map(({ user }) => user))]
  }

  /** Ends the sockets whose time is up and asks to be woken for the next. */
  expire(): void {
    const now = this.#host.now()
    let next = Number.POSITIVE_INFINITY
    for (const socket of this.#seated()) {
      const until = socket.seat()?.until ?? 0
      if (until <= now) this.#dismiss(socket, 'expired')
      else next = Math.min(next, until)
    }
    if (Number.isFinite(next)) this.#host.wakeAt(next)
  }

  /** What to give to `remember` when the room is made again. */
  memory(): RoomMemory {
    return { revision: this.#revision, ...this.#standings.memory(this.#host.now()) }
  }

  remember(memory: RoomMemory): void {
    this.#revision = Math.max(this.#revision, memory.revision)
    this.#standings.remember(memory)
  }

  #refusal(joiner: Joiner): ByeReason | null {
    return this.#standings.refusal(joiner) ?? (this.#socketsOf(joiner.sub).length >= MOST_SOCKETS_EACH ? 'too_many' : null)
  }

  #welcome(socket: RoomSocket, joiner: Joiner): void {
    const now = this.#host.now()
    const until = now + Math.min(joiner.seconds, ROOM_LIMITS.socketMinutes * 60) * 1000
    const { name, hidden, revision: faceRevision } = this.#standings.faceOf(joiner)
    const { sub: user, role, revision: roleRevision, confirmed } = joiner
    socket.sit({ user, name, hidden, faceRevision, role, roleRevision, confirmed, until, activeAt: now })
    this.#host.wakeAt(until)
    // The worker may have looked the revision up before a change that this room has already announced.
    const revision = Math.max(joiner.revision, this.#revision)
    tell([socket], { type: 'hello', room: this.#name(), revision, present: presentIn(this.#seats()) })
    this.#tellPresence()
  }

  #objection(socket: RoomSocket, message: string | ArrayBuffer | ArrayBufferView): ByeReason | null {
    if (!this.#talking.allows(socket.id, this.#host.now())) return 'too_fast'
    if (typeof message !== 'string') return 'binary'
    return new TextEncoder().encode(message).byteLength > ROOM_LIMITS.messageBytes ? 'too_large' : null
  }

  /** What is not understood is ignored: a newer client may say more than this room knows. */
  #hearPresence(socket: RoomSocket, seat: Seat, message: string | ArrayBuffer | ArrayBufferView): void {
    const said = ClientMessage.safeParse(parseJson(String(message)))
    if (!said.success) return
    socket.sit({ ...seat, view: said.data.view, itemId: said.data.itemId, activeAt: this.#host.now() })
    this.#tellPresence()
  }

  #tellChange(seated: RoomSocket[], change: ChangeMessage): void {
    const ofInvite = change.table === 'invites'
    const knowing = ofInvite ? seated.filter((socket) => this.#mayHearOfInvites(socket)) : seated
    tell(knowing, change)
    if (knowing.length === seated.length || !this.#ofCollection()) return
    // That the collection has a new revision is for everybody, which invitation it was is not.
    const { id: _, user_id: __, ...bare } = change
    const others = seated.filter((socket) => !knowing.includes(socket))
    tell(others, bare)
  }

  /** An own room tells of invitations to an address, so to nobody before they have shown that it is theirs. */
  #mayHearOfInvites(socket: RoomSocket): boolean {
    const seat = socket.seat()
    return this.#ofCollection() ? may(seat?.role, 'invites.see') : seat?.confirmed === true
  }

  #ofCollection(): boolean {
    return this.#name().startsWith('collection:')
  }

  #hearAccess(access: Access): void {
    this.#standings.hear(access, this.#host.now())
    for (const socket of this.#socketsOf(access.user)) {
      const seat = socket.seat()
      // Told again or out of order: they came in, or changed, after that.
      if (!seat || access.revision <= seat.roleRevision) continue
      if (!access.role) this.#dismiss(socket, 'removed')
      else if (seat.role && rank(access.role) < rank(seat.role)) this.#dismiss(socket, 'role')
      else socket.sit({ ...seat, role: access.role, roleRevision: access.revision })
    }
  }

  /** Somebody has another name, or wants to be seen or not to be seen any more. */
  #hearFace(face: Face): void {
    this.#standings.hearFace(face, this.#host.now())
    const { name, hidden, revision: faceRevision } = face
    for (const socket of this.#socketsOf(face.user)) {
      const seat = socket.seat()
      if (!seat || faceRevision <= (seat.faceRevision ?? seat.roleRevision)) continue
      socket.sit({ ...seat, name, hidden, faceRevision })
      this.#tellPresence()
    }
  }

  /** Without its seat it hears nothing more and is not present, however long the other side takes to hang up. */
  #dismiss(socket: RoomSocket, reason: ByeReason): void {
    socket.sit(null)
    tell([socket], { type: 'bye', reason })
    socket.close(BYE_CODES[reason], reason)
    this.#tellPresence()
  }

  #tellPresence(): void {
    if (this.#telling) return
    this.#telling = true
    const task = () => {
      this.#telling = false
      tell(this.#seated(), { type: 'presence', present: presentIn(this.#seats()) })
    }
    this.#host.later(task, presenceDelay(this.#seated().length))
  }

  #seated(): RoomSocket[] {
    return [...this.#host.sockets()].filter((socket) => socket.seat() !== null)
  }

  #socketsOf(user: string): RoomSocket[] {
    return this.#seated().filter((socket) => socket.seat()?.user === user)
  }

  #seats(): Seat[] {
    return [...this.#host.sockets()].flatMap((socket) => socket.seat() ?? [])
  }
}

function tell(sockets: RoomSocket[], message: ServerMessage): void {
  const text = JSON.stringify(message)
  for (const socket of sockets) socket.send(text)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
