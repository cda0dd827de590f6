import { sql } from 'drizzle-orm'
import { INVITATION_WEIGHT } from '../../contract/live.ts'
import type { Role } from '../../contract/policy.ts'
import { type Db, firstRow } from '../db/client.ts'
import { displayNameOf, isUnnamed } from './permissions.ts'

/** A person as others in a room see them, with their role in the room's collection as of its `revision`. */
export interface RoomPerson {
  name: string
  /** Not shown to others in the room. */
  hidden: boolean
  /** The name is a part of the address. */
  unnamed?: boolean
  role: Role | null
  revision: number
}

/**
 * Null if there is no such user. If they are not a member of the collection, `role` is null and `revision` 0. Without a collection, `revision` is
 * that of their own room (`ownRevision` in the contract). `seconds` until their access token expires, if `access` is one that does.
 */
export async function findRoomPerson(
  db: Db,
  userId: string,
  collectionId: string | null,
  access: string | null = null,
): Promise<(RoomPerson & { seconds?: number }) | null> {
  // Role and revision in one statement, so that a later change of the role has a higher revision.
  const person = await firstRow<Omit<RoomPerson, 'revision'> & { revision: string; seconds: number | null }>(
    db,
    sql`
      select ${displayNameOf} as name, not u.shares_presence as hidden, ${isUnnamed} as unnamed, m.role, ${collectionId ? sql`coalesce(m.revision, 0)` : ownRevisionOf} as revision,
        (select extract(epoch from t.expires_at - now())::float8 from tokens t where t.id = ${access}::uuid) as seconds
      from users u
      left join (
        select memberships.user_id, memberships.role, collections.revision
        from memberships join collections on collections.id = memberships.collection_id
        where collections.id = ${collectionId} and collections.deleted_at is null
      ) m on m.user_id = u.id
      where u.id = ${userId}`,
  )
  if (!person) return null
  const { seconds, ...others } = person
  return { ...others, revision: Number(person.revision), ...(seconds !== null && { seconds }) }
}

/** `ownRevision` of user `u`. */
const ownRevisionOf = sql`(
  (select coalesce(sum(c.revision), 0) from memberships mine join collections c on c.id = mine.collection_id and c.deleted_at is null
    where mine.user_id = u.id)
  + ${sql.raw(String(INVITATION_WEIGHT))} * (select count(*) from invites i join collections c on c.id = i.collection_id and c.deleted_at is null
    where i.email = u.email and i.state = 'pending' and i.expires_at > now()))::bigint`
