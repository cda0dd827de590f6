import { ROOM_LIMITS } from '../contract/limits.ts'
import { BYE_CODES, type ByeReason, type ChangeMessage, ClientMessage, type ServerMessage } from '../contract/live.ts'
import { may, rank } from '../contract/policy.ts'
import {
  type Access,
  type ConnectionState,
  type Face,
  type Handshake,
  linkUser,
  type Publication,
  type RoomHost,
  type RoomMemory,
  type RoomSocket,
} from './connection.ts'
import { isGuest, isInView, type Presence, presenceDelay, presentIn, presentToGuests } from './presence.ts'
import { RoleCache } from './role-cache.ts'
import { TokenBucket } from './token-bucket.ts'

/** More than the tabs of one person. */
const MAX_SOCKETS_PER_USER = 20

/** A live room, independent of the platform: its sockets, their messages and their expiry. */
export class RoomCore {
  readonly #host: RoomHost
  readonly #name: () => string
  readonly #tokenBucket = new TokenBucket()
  readonly #roleCache = new RoleCache()
  #revision = 0
  #presenceScheduled = false
  /** The last list that all guests have, as JSON, so that the same is not sent again; null if one of them may have another. */
  #knownToGuests: string | null = null

  /** `name` is a function, because the platform may not know the name yet when it creates the room. */
  constructor(name: () => string, host: RoomHost) {
    this.#name = name
    this.#host = host
  }

  /** `hello` is always the first message: until then the socket has no state, and publications skip it. */
  join(socket: RoomSocket, handshake: Handshake): void {
    const refusal = this.#refusal(handshake)
    if (refusal) this.#closeSocket(socket, refusal)
    else this.#admit(socket, handshake)
  }

  message(socket: RoomSocket, message: string | ArrayBuffer | ArrayBufferView): void {
    const state = socket.state()
    if (!state) return
    const violation = this.#violation(socket, message)
    if (violation) this.#closeSocket(socket, violation)
    // For platforms that do not answer heartbeats themselves.
    else if (message === 'ping') socket.send('pong')
    else this.#setPresence(socket, state, message)
  }

  leave(socket: RoomSocket): void {
    this.#tokenBucket.forget(socket.id)
    if (!socket.state()) return
    socket.setState(null)
    this.#schedulePresence()
  }

  publish({ changes, access = [], faces = [], ended = [], deletedAt }: Publication): void {
    const joined = this.#joined()
    for (const change of changes) {
      if (this.#ofCollection()) this.#revision = Math.max(this.#revision, change.revision)
      this.#sendChange(joined, change)
    }
    for (const change of access) this.#applyAccess(change)
    for (const face of faces) this.#setFace(face)
    if (ended.length > 0) this.#endAccess(ended)
    if (deletedAt === undefined) return
    this.#roleCache.setDeleted(deletedAt)
    for (const socket of this.#joined()) this.#closeSocket(socket, 'deleted')
  }

  /** Ids of the users who look at the collection, including hidden ones. Only for the worker. */
  users(): string[] {
    return [...new Set(this.#states().flatMap((state) => (isInView(state) ? state.user : [])))]
  }

  /** Closes expired sockets, and schedules a call for the next. */
  expire(): void {
    const now = this.#host.now()
    let next = Number.POSITIVE_INFINITY
    for (const socket of this.#joined()) {
      const until = socket.state()?.until ?? 0
      if (until <= now) this.#closeSocket(socket, 'expired')
      else next = Math.min(next, until)
    }
    if (Number.isFinite(next)) this.#host.wakeAt(next)
  }

  /** State for `remember` after a restart. */
  memory(): RoomMemory {
    return { revision: this.#revision, ...this.#roleCache.memory(this.#host.now()) }
  }

  remember(memory: RoomMemory): void {
    this.#revision = Math.max(this.#revision, memory.revision)
    this.#roleCache.remember(memory)
  }

  #refusal(handshake: Handshake): ByeReason | null {
    return this.#roleCache.refusal(handshake) ?? (this.#socketsOf(handshake.sub).length >= MAX_SOCKETS_PER_USER ? 'too_many' : null)
  }

  #admit(socket: RoomSocket, handshake: Handshake): void {
    const now = this.#host.now()
    const until = now + Math.min(handshake.seconds, ROOM_LIMITS.socketMinutes * 60) * 1000
    const { name, hidden, unnamed, revision: faceRevision } = this.#roleCache.faceOf(handshake)
    const { sub: user, access, link, role, revision: roleRevision, confirmed } = handshake
    socket.setState({ user, access, link, name, hidden, unnamed, faceRevision, role, roleRevision, confirmed, until, activeAt: now })
    this.#host.wakeAt(until)
    // The worker may have read the revision before a change that this room has already published.
    const revision = Math.max(handshake.revision, this.#revision)
    const present = role === 'guest' ? presentToGuests(this.#states())(user) : presentIn(this.#states())
    sendTo([socket], { type: 'hello', room: this.#name(), revision, ...present })
    if (role === 'guest') this.#knownToGuests = null
    this.#schedulePresence()
  }

  #violation(socket: RoomSocket, message: string | ArrayBuffer | ArrayBufferView): ByeReason | null {
    if (!this.#tokenBucket.allows(socket.id, this.#host.now())) return 'too_fast'
    if (typeof message !== 'string') return 'binary'
    return new TextEncoder().encode(message).byteLength > ROOM_LIMITS.messageBytes ? 'too_large' : null
  }

  /** Ignores unknown messages, which may come from a newer client. Where guests look is not shared. */
  #setPresence(socket: RoomSocket, state: ConnectionState, message: string | ArrayBuffer | ArrayBufferView): void {
    if (isGuest(state)) return
    const parsed = ClientMessage.safeParse(parseJson(String(message)))
    if (!parsed.success) return
    socket.setState({ ...state, view: parsed.data.view, itemId: parsed.data.itemId, activeAt: this.#host.now() })
    this.#schedulePresence()
  }

  /** The revision of a change that a socket does not get reaches its client with the next one. */
  #sendChange(joined: RoomSocket[], change: ChangeMessage): void {
    const [guests, members] = byRole(joined)
    // Ids of links are for those who make them, and those of requests for those who answer them.
    const [told, others] =
      change.table === 'links'
        ? byLinks(members)
        : change.table === 'join_requests' || change.table === 'contributions'
          ? this.#byRequests(members)
          : [members, []]
    sendTo(change.table === 'invites' ? told.filter((socket) => this.#maySeeInvites(socket)) : told, change)
    const { collection_id, revision } = change
    // Guests ask for the rest. They are not told of what moves no revision.
    if (collection_id) sendTo([...guests, ...others], { type: 'change', table: 'collections', event: 'UPDATE', collection_id, revision })
  }

  /** Those who answer requests to join, and the others. */
  #byRequests(sockets: RoomSocket[]): [RoomSocket[], RoomSocket[]] {
    const told = sockets.filter((socket) => !this.#ofCollection() || may(socket.state()?.role, 'members.manage'))
    return [told, sockets.filter((socket) => !told.includes(socket))]
  }

  /** A user's own room gets invitations to their address, so the address must be confirmed. */
  #maySeeInvites(socket: RoomSocket): boolean {
    const state = socket.state()
    return this.#ofCollection() ? may(state?.role, 'invites.see') : state?.confirmed === true
  }

  #ofCollection(): boolean {
    return this.#name().startsWith('collection:')
  }

  #applyAccess(access: Access): void {
    this.#roleCache.setAccess(access, this.#host.now())
    for (const socket of this.#joined()) {
      const state = socket.state()
      if (state?.link !== undefined && linkUser(state.link) === access.user) {
        if (access.revision > state.roleRevision) this.#closeSocket(socket, 'role')
        continue
      }
      if (state?.user !== access.user) continue
      // Repeated or out of order: the socket's role is newer.
      if (access.revision <= state.roleRevision) continue
      if (!access.role) this.#closeSocket(socket, 'removed')
      else if (state.role && rank(access.role) < rank(state.role)) this.#closeSocket(socket, 'role')
      else socket.setState({ ...state, role: access.role, roleRevision: access.revision })
    }
  }

  #endAccess(ids: string[]): void {
    this.#roleCache.setEnded(ids, this.#host.now())
    for (const socket of this.#joined()) if (ids.includes(socket.state()?.access ?? '')) this.#closeSocket(socket, 'signed_out')
  }

  #setFace(face: Face): void {
    this.#roleCache.setFace(face, this.#host.now())
    const { name, hidden, unnamed, revision: faceRevision } = face
    for (const socket of this.#socketsOf(face.user)) {
      const state = socket.state()
      if (!state || faceRevision < (state.faceRevision ?? state.roleRevision)) continue
      socket.setState({ ...state, name, hidden, unnamed, faceRevision })
      this.#schedulePresence()
    }
  }

  /** Without its state, the socket gets no messages and is not present, even if the client delays the close. */
  #closeSocket(socket: RoomSocket, reason: ByeReason): void {
    socket.setState(null)
    sendTo([socket], { type: 'bye', reason })
    socket.close(BYE_CODES[reason], reason)
    this.#schedulePresence()
  }

  #schedulePresence(): void {
    if (this.#presenceScheduled) return
    this.#presenceScheduled = true
    const task = () => {
      this.#presenceScheduled = false
      const [guests, members] = byRole(this.#joined())
      sendTo(members, { type: 'presence', ...presentIn(this.#states()) })
      if (guests.length > 0) this.#sendPresenceToGuests(guests)
    }
    this.#host.later(task, presenceDelay(this.#joined().length))
  }

  /** Nothing to all of them while nobody comes, goes or has another name, so that members who look around cost no messages to a thousand guests. */
  #sendPresenceToGuests(guests: RoomSocket[]): void {
    const listFor = presentToGuests(this.#states())
    const known = JSON.stringify(listFor(''))
    if (known === this.#knownToGuests) return
    this.#knownToGuests = known
    const texts = new Map<Presence, string>()
    for (const socket of guests) {
      const list = listFor(socket.state()?.user ?? '')
      const text = texts.get(list) ?? JSON.stringify({ type: 'presence', ...list } satisfies ServerMessage)
      texts.set(list, text)
      socket.send(text)
    }
  }

  #joined(): RoomSocket[] {
    return [...this.#host.sockets()].filter((socket) => socket.state() !== null)
  }

  #socketsOf(user: string): RoomSocket[] {
    return this.#joined().filter((socket) => socket.state()?.user === user)
  }

  #states(): ConnectionState[] {
    return [...this.#host.sockets()].flatMap((socket) => socket.state() ?? [])
  }
}

function byRole(sockets: RoomSocket[]): [guests: RoomSocket[], members: RoomSocket[]] {
  const ofGuest = (socket: RoomSocket) => socket.state()?.role === 'guest'
  return [sockets.filter(ofGuest), sockets.filter((socket) => !ofGuest(socket))]
}

function byLinks(members: RoomSocket[]): [makers: RoomSocket[], others: RoomSocket[]] {
  const makesLinks = (socket: RoomSocket) => may(socket.state()?.role, 'links.make', true)
  return [members.filter(makesLinks), members.filter((socket) => !makesLinks(socket))]
}

function sendTo(sockets: RoomSocket[], message: ServerMessage): void {
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
