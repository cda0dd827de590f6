import { type ByeReason, ROOM_LIMITS } from '../contract/live.ts'
import { rank } from '../contract/policy.ts'
import type { Access, Face, Joiner, RoomMemory } from './connection.ts'

const MOST_KEPT = 500
/** Twice the life of a ticket, in milliseconds: whoever comes later has a ticket that knows. */
const MEMORABLE = ROOM_LIMITS.ticketSeconds * 2_000

type Heard<T> = Map<string, T & { at: number }>
type Memory = Omit<RoomMemory, 'revision'>

/**
 * What the room has lately heard about people's roles. The worker looks a role up and then lets the person in; a role taken
 * away in between has already been announced to a room that they were not in yet. Comparing revisions closes that gap. Where the
 * worker stands at the door it is as long as one request, so memory is enough; where a ticket alone opens the door it is as long
 * as the ticket's life, so the room keeps `memory` and is made with it again.
 */
export class Standings {
  readonly #heard: Heard<Access> = new Map()
  readonly #faces: Heard<Face> = new Map()
  #deletedAt = -1

  /** `now` in milliseconds. */
  hear(access: Access, now: number): void {
    keep(this.#heard, { ...access, at: now })
  }

  hearFace(face: Face, now: number): void {
    keep(this.#faces, { ...face, at: now })
  }

  /** How somebody is seen who comes in: as the worker knew them, or as the room has heard since. */
  faceOf({ sub, name, hidden, revision }: Joiner): Face {
    const heard = this.#faces.get(sub)
    return heard && heard.revision > revision ? heard : { user: sub, name, hidden, revision }
  }

  hearDeleted(revision: number): void {
    this.#deletedAt = revision
  }

  /** Why somebody may not come in on what the worker knew of them, or null. */
  refusal({ sub, role, revision }: Joiner): ByeReason | null {
    if (revision < this.#deletedAt) return 'deleted'
    const heard = this.#heard.get(sub)
    if (!heard || heard.revision <= revision) return null
    if (!heard.role) return 'removed'
    return role && rank(role) > rank(heard.role) ? 'role' : null
  }

  memory(now: number): Memory {
    const lately = <T>(heard: Heard<T>) => [...heard.values()].filter(({ at }) => at > now - MEMORABLE)
    return { deletedAt: this.#deletedAt, access: lately(this.#heard), faces: lately(this.#faces) }
  }

  remember({ access, faces, deletedAt }: Memory): void {
    this.#deletedAt = deletedAt
    for (const heard of access) keep(this.#heard, heard)
    for (const heard of faces) keep(this.#faces, heard)
  }
}

/** The newest of each person; those heard of longest ago are forgotten first. */
function keep<T extends { user: string; revision: number }>(kept: Map<string, T>, told: T): void {
  if ((kept.get(told.user)?.revision ?? -1) > told.revision) return
  kept.delete(told.user)
  kept.set(told.user, told)
  const [oldest] = kept.keys()
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
}
