import { sql } from 'drizzle-orm'
import type { Role } from '../../contract/policy.ts'
import { type Db, firstRow } from '../db/client.ts'
import { displayNameOf } from './permissions.ts'

/** A person as others in a room see them, with their role in the room's collection as of its `revision`. */
export interface RoomPerson {
  name: string
  /** Not shown to others in the room. */
  hidden: boolean
  role: Role | null
  revision: number
}

/** Null if there is no such user. Without a collection, or if they are not a member of it, `role` is null and `revision` 0. */
export async function findRoomPerson(db: Db, userId: string, collectionId: string | null): Promise<RoomPerson | null> {
  // Role and revision in one statement, so that a later change of the role has a higher revision.
  const person = await firstRow<Omit<RoomPerson, 'revision'> & { revision: string }>(
    db,
    sql`
      select ${displayNameOf} as name, not u.shares_presence as hidden, m.role, coalesce(m.revision, 0) as revision
      from users u
      left join (
        select members.user_id, members.role, collections.revision
        from members join collections on collections.id = members.collection_id
        where collections.id = ${collectionId} and collections.deleted_at is null
      ) m on m.user_id = u.id
      where u.id = ${userId}`,
  )
  return person && { ...person, revision: Number(person.revision) }
}
