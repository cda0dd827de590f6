import { z } from 'zod'
import { UserId } from '../contract/ids.ts'
import { ChangeMessage } from '../contract/live.ts'
import { Role } from '../contract/policy.ts'

/** Rooms are found under this path, by their name as it is, colon included. */
export const ROOM_PATH = '/parties/room/'

/**
 * Somebody the worker has let in. `hidden`: they hear everything, but are not among those present. `role` and `revision` are the
 * collection's at that moment, null and 0 in a room of one's own; `confirmed` says whether their e-mail address is; `seconds` is
 * how long the socket may stay.
 */
export const Handshake = z.object({
  sub: UserId,
  name: z.string(),
  hidden: z.boolean().default(false),
  role: Role.nullable(),
  revision: z.number().int(),
  confirmed: z.boolean(),
  seconds: z.number().positive(),
})
export type Handshake = z.infer<typeof Handshake>

/** Carries the `Handshake` to the room from the reader of the ticket; what a browser sends under this name never gets there. */
const HANDSHAKE_HEADER = 'x-cairn-joiner'

/** The request that brings somebody into a room, at an address without their ticket. */
export function handshakeRequest(origin: string, room: string, handshake: Handshake): Request {
  const headers = { upgrade: 'websocket', [HANDSHAKE_HEADER]: encodeURIComponent(JSON.stringify(handshake)) }
  return new Request(`${origin}${ROOM_PATH}${room}`, { headers })
}

export function readHandshake({ headers }: { headers: { get(name: string): string | null } }): Handshake {
  return Handshake.parse(JSON.parse(decodeURIComponent(headers.get(HANDSHAKE_HEADER) ?? 'null')))
}

/**
 * A socket's place in the room, kept with the socket so that it outlives the room's memory. Times in milliseconds; `role` as of
 * `roleRevision` of the collection.
 */
export interface ConnectionState {
  readonly user: string
  readonly name: string
  readonly hidden?: boolean
  readonly role: Role | null
  readonly roleRevision: number
  readonly confirmed: boolean
  readonly until: number
  readonly activeAt: number
  readonly view?: string | undefined
  readonly itemId?: string | undefined
  /** Revision that `name` and `hidden` are of; without it, that of the role when they came. */
  readonly faceRevision?: number
}

export interface RoomSocket {
  readonly id: string
  /** Null before it has joined and after it was dismissed. */
  state(): ConnectionState | null
  setState(state: ConnectionState | null): void
  send(text: string): void
  close(code: number, reason: string): void
}

/** What the room needs of the platform it runs on. */
export interface RoomHost {
  /** Those that are open. */
  sockets(): Iterable<RoomSocket>
  now(): number
  /** `expire` is called at this time, or earlier. */
  wakeAt(time: number): void
  later(task: () => void, milliseconds: number): void
}

/** Somebody's role since a revision; null: no longer a member. */
export const Access = z.object({ user: UserId, role: Role.nullable(), revision: z.number().int() })
export type Access = z.infer<typeof Access>

/** How somebody is seen since a revision. */
export const Face = z.object({ user: UserId, name: z.string(), hidden: z.boolean(), revision: z.number().int() })
export type Face = z.infer<typeof Face>

/** What the worker tells a room at once. `deletedAt` is the revision that deleted the collection. */
export const Publication = z.object({
  changes: z.array(ChangeMessage),
  access: z.array(Access).optional(),
  faces: z.array(Face).optional(),
  deletedAt: z.number().int().optional(),
})
export type Publication = z.infer<typeof Publication>

/** What the worker asks a room: who is there, also of those who do not want to be seen by others. */
export const Question = z.strictObject({ asks: z.literal('users') })
export type Question = z.infer<typeof Question>

export const RoomUsers = z.object({ users: z.array(UserId) })

const known = { at: z.number() }

/** Kept across restarts of a room that cannot ask the database who comes in: see `RoleCache`. `at` in milliseconds. */
export const RoomMemory = z.object({
  revision: z.number().int(),
  deletedAt: z.number().int(),
  access: z.array(Access.extend(known)),
  faces: z.array(Face.extend(known)),
})
export type RoomMemory = z.infer<typeof RoomMemory>
