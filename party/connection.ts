import { z } from 'zod'
import { UserId } from '../contract/ids.ts'
import { ChangeMessage } from '../contract/live.ts'
import { Role } from '../contract/policy.ts'

/** Path of rooms, followed by the room name, which is not encoded, colon included. */
export const ROOM_PATH = '/parties/room/'

/**
 * A user whom the worker admits to a room. `access`: id of the session or access token that opens the socket. `hidden`: gets all messages, but is not listed as present. `role` and `revision` are of the room's
 * collection at that time; null and 0 in the user's own room. `confirmed`: the e-mail address is confirmed. `seconds`: maximum lifetime of the
 * socket. `unnamed`: the name is a part of the address, which guests do not see. `link`: of a guest, the id of the link.
 */
export const Handshake = z.object({
  sub: UserId,
  access: z.uuid(),
  name: z.string(),
  hidden: z.boolean().default(false),
  unnamed: z.boolean().optional(),
  link: z.uuid().optional(),
  role: Role.nullable(),
  revision: z.number().int(),
  confirmed: z.boolean(),
  seconds: z.number().positive(),
})
export type Handshake = z.infer<typeof Handshake>

/** Carries the `Handshake` from the reader of the ticket to the room. Such a header from a browser never reaches the room. */
const HANDSHAKE_HEADER = 'x-cairn-joiner'

/** The request that joins a room. Its URL has no ticket. */
export function handshakeRequest(origin: string, room: string, handshake: Handshake): Request {
  const headers = { upgrade: 'websocket', [HANDSHAKE_HEADER]: encodeURIComponent(JSON.stringify(handshake)) }
  return new Request(`${origin}${ROOM_PATH}${room}`, { headers })
}

export function readHandshake({ headers }: { headers: { get(name: string): string | null } }): Handshake {
  return Handshake.parse(JSON.parse(decodeURIComponent(headers.get(HANDSHAKE_HEADER) ?? 'null')))
}

/**
 * State of a socket in the room, stored with the socket, so that it survives hibernation. Times in milliseconds. `role` is as of the
 * collection's `roleRevision`.
 */
export interface ConnectionState {
  readonly user: string
  readonly access: string
  readonly name: string
  readonly hidden?: boolean
  readonly unnamed?: boolean | undefined
  /** Of a guest. */
  readonly link?: string | undefined
  readonly role: Role | null
  readonly roleRevision: number
  readonly confirmed: boolean
  readonly until: number
  readonly activeAt: number
  readonly view?: string | undefined
  readonly itemId?: string | undefined
  /** Revision of `name` and `hidden`; without it, `roleRevision` applies. */
  readonly faceRevision?: number
}

export interface RoomSocket {
  readonly id: string
  /** Null before it has joined and after it was closed. */
  state(): ConnectionState | null
  setState(state: ConnectionState | null): void
  send(text: string): void
  /** Call after `bye`. The socket may stay open for a moment. */
  close(code: number, reason: string): void
}

/** Platform functions that the room needs. */
export interface RoomHost {
  /** Open sockets only. */
  sockets(): Iterable<RoomSocket>
  now(): number
  /** Calls `expire` at this time, or earlier. */
  wakeAt(time: number): void
  later(task: () => void, milliseconds: number): void
}

/** The user in whose place all guests of a link lose access. */
export const linkUser = (id: string) => `link:${id}`

/** A user's role since a revision; null: no longer a member. */
export const Access = z.object({ user: UserId, role: Role.nullable(), revision: z.number().int() })
export type Access = z.infer<typeof Access>

/** A user's name and visibility since a revision. */
export const Face = z.object({
  user: UserId,
  name: z.string(),
  hidden: z.boolean(),
  unnamed: z.boolean().optional(),
  revision: z.number().int(),
})
export type Face = z.infer<typeof Face>

/**
 * What the worker publishes to a room. `deletedAt` is the revision that deleted the collection, `ended` the ids of sessions and access tokens
 * that have been revoked.
 */
export const Publication = z.object({
  changes: z.array(ChangeMessage),
  access: z.array(Access).optional(),
  faces: z.array(Face).optional(),
  ended: z.array(z.uuid()).optional(),
  deletedAt: z.number().int().optional(),
})
export type Publication = z.infer<typeof Publication>

/** Request of the worker for the users in a room, including hidden ones. */
export const Question = z.strictObject({ asks: z.literal('users') })
export type Question = z.infer<typeof Question>

export const RoomUsers = z.object({ users: z.array(UserId) })

const known = { at: z.number() }

/** Stored across restarts of a room that has no access to the database (see `RoleCache`). `at` in milliseconds. */
export const RoomMemory = z.object({
  revision: z.number().int(),
  deletedAt: z.number().int(),
  access: z.array(Access.extend(known)),
  faces: z.array(Face.extend(known)),
  ended: z.array(z.object({ id: z.uuid(), ...known })).default([]),
})
export type RoomMemory = z.infer<typeof RoomMemory>
