import { ROOM_LIMITS } from '../contract/limits.ts'
import type { ByeReason } from '../contract/live.ts'
import { rank } from '../contract/policy.ts'
import { type Access, type Face, type Handshake, linkUser, type RoomMemory } from './connection.ts'

const MAX_ENTRIES = 500
/** Twice the lifetime of a ticket, in milliseconds: later tickets are newer than the change. */
const MEMORY_TIME = ROOM_LIMITS.ticketSeconds * 2_000

type Known<T> = Map<string, T & { at: number }>
type Memory = Omit<RoomMemory, 'revision'>

/**
 * Recent changes of roles, names and visibility, and sessions and access tokens that have ended. The worker looks up a role and then admits the
 * user; if the role changes in between, the room gets the change before the user has joined. Comparing revisions on admission closes this gap. If the worker admits users, the gap is as
 * long as a request, so the cache may be lost. If a ticket alone admits them, it is as long as the ticket's lifetime, so the room stores
 * `memory` and restores it.
 */
export class RoleCache {
  readonly #access: Known<Access> = new Map()
  readonly #faces: Known<Face> = new Map()
  readonly #ended: Known<{ id: string }> = new Map()
  #deletedAt = -1

  /** `now` in milliseconds. */
  setAccess(access: Access, now: number): void {
    keep(this.#access, { ...access, at: now })
  }

  setFace(face: Face, now: number): void {
    keep(this.#faces, { ...face, at: now })
  }

  /** Ids of sessions and access tokens. */
  setEnded(ids: readonly string[], now: number): void {
    for (const id of ids) put(this.#ended, id, { id, at: now })
  }

  /** Name and visibility of a user who joins: from the handshake, or from a newer change. */
  faceOf({ sub, name, hidden, unnamed, revision }: Handshake): Face {
    const known = this.#faces.get(sub)
    return known && known.revision >= revision ? known : { user: sub, name, hidden, unnamed, revision }
  }

  setDeleted(revision: number): void {
    this.#deletedAt = revision
  }

  /** Reason to refuse a handshake because of a newer change, or null. */
  refusal({ sub, access, link, role, revision }: Handshake): ByeReason | null {
    if (this.#ended.has(access)) return 'signed_out'
    if (revision < this.#deletedAt) return 'deleted'
    const ofLink = link === undefined ? undefined : this.#access.get(linkUser(link))
    if (ofLink && ofLink.revision > revision) return 'role'
    const known = this.#access.get(sub)
    if (!known || known.revision <= revision) return null
    if (!known.role) return 'removed'
    return role && rank(role) > rank(known.role) ? 'role' : null
  }

  memory(now: number): Memory {
    const recent = <T>(known: Known<T>) => [...known.values()].filter(({ at }) => at > now - MEMORY_TIME)
    return { deletedAt: this.#deletedAt, access: recent(this.#access), faces: recent(this.#faces), ended: recent(this.#ended) }
  }

  remember({ access, faces, ended, deletedAt }: Memory): void {
    this.#deletedAt = deletedAt
    for (const known of access) keep(this.#access, known)
    for (const known of faces) keep(this.#faces, known)
    for (const known of ended) put(this.#ended, known.id, known)
  }
}

/** Keeps the newest entry per user. */
function keep<T extends { user: string; revision: number }>(kept: Map<string, T>, entry: T): void {
  if ((kept.get(entry.user)?.revision ?? -1) > entry.revision) return
  put(kept, entry.user, entry)
}

/** Removes the least recently changed entry above MAX_ENTRIES. */
function put<T>(kept: Map<string, T>, key: string, entry: T): void {
  kept.delete(key)
  kept.set(key, entry)
  const [oldest] = kept.keys()
  if (kept.size > MAX_ENTRIES && oldest !== undefined) kept.delete(oldest)
}
