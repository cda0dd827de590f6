import { ROOM_LIMITS } from '../contract/limits.ts'
import type { ByeReason } from '../contract/live.ts'
import { rank } from '../contract/policy.ts'
import type { Access, Face, Handshake, RoomMemory } from './connection.ts'

const MAX_ENTRIES = 500
/** Twice the life of a ticket, in milliseconds: whoever comes later has a ticket that knows. */
const MEMORY_TIME = ROOM_LIMITS.ticketSeconds * 2_000

type Known<T> = Map<string, T & { at: number }>
type Memory = Omit<RoomMemory, 'revision'>

/**
 * The roles of people that the room has heard of lately. The worker looks a role up and then lets the person in; a role taken
 * away in between has already been announced to a room that they were not in yet. Comparing revisions closes that gap. Where the
 * worker stands at the door it is as long as one request, so memory is enough; where a ticket alone opens the door it is as long
 * as the ticket's life, so the room keeps `memory` and is made with it again.
 */
export class RoleCache {
  readonly #access: Known<Access> = new Map()
  readonly #faces: Known<Face> = new Map()
  #deletedAt = -1

  /** `now` in milliseconds. */
  setAccess(access: Access, now: number): void {
    keep(this.#access, { ...access, at: now })
  }

  setFace(face: Face, now: number): void {
    keep(this.#faces, { ...face, at: now })
  }

  /** How somebody is seen who comes in: as the worker knew them, or as the room has heard since. */
  faceOf({ sub, name, hidden, revision }: Handshake): Face {
    const known = this.#faces.get(sub)
    return known && known.revision > revision ? known : { user: sub, name, hidden, revision }
  }

  setDeleted(revision: number): void {
    this.#deletedAt = revision
  }

  /** Why somebody may not come in on what the worker knew of them, or null. */
  refusal({ sub, role, revision }: Handshake): ByeReason | null {
    if (revision < this.#deletedAt) return 'deleted'
    const known = this.#access.get(sub)
    if (!known || known.revision <= revision) return null
    if (!known.role) return 'removed'
    return role && rank(role) > rank(known.role) ? 'role' : null
  }

  memory(now: number): Memory {
    const lately = <T>(known: Known<T>) => [...known.values()].filter(({ at }) => at > now - MEMORY_TIME)
    return { deletedAt: this.#deletedAt, access: lately(this.#access), faces: lately(this.#faces) }
  }

  remember({ access, faces, deletedAt }: Memory): void {
    this.#deletedAt = deletedAt
    for (const known of access) keep(this.#access, known)
    for (const known of faces) keep(this.#faces, known)
  }
}

/** The newest of each person; those heard of longest ago are forgotten first. */
function keep<T extends { user: string; revision: number }>(kept: Map<string, T>, entry: T): void {
  if ((kept.get(entry.user)?.revision ?? -1) > entry.revision) return
  kept.delete(entry.user)
  kept.set(entry.user, entry)
  const [oldest] = kept.keys()
  if (kept.size > MAX_ENTRIES && oldest !== undefined) kept.delete(oldest)
}
