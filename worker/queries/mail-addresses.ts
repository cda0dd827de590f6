import { sql } from 'drizzle-orm'
import type { Role } from '../../contract/policy.ts'
import { type Db, firstRow, oneRow } from '../db/client.ts'
import { type Caller, roleIn, rolesFor, uuids } from './permissions.ts'
import type { Languages } from './users.ts'

/** `role` is the caller's, null outside of the collection. `confirmed`: their address is known to be theirs. */
export interface FoundAddress {
  role: Role | null
  secret: string | null
  confirmed: boolean
}

/** The secret is null for those who may not add. `verifiedEmail` is the caller's address if the sign-in service says that it is confirmed, and is noted. */
export async function findMailAddress(
  { db, user, checks }: Caller<'item.add'>,
  collectionId: string,
  verifiedEmail: string | null,
): Promise<FoundAddress> {
  return oneRow<FoundAddress>(
    db,
    sql`with noted as (
      update users set verified_email = email where id = ${user.id} and email = ${verifiedEmail}::citext and verified_email is distinct from email returning id
    )
    select me.role, exists (select from noted) or coalesce((select verified_email = email from users where id = ${user.id}), false) as confirmed,
      (select a.secret from mail_addresses a where a.collection_id = ${collectionId} and me.role = any(${rolesFor(checks['item.add'])})) as secret
    from (select ${roleIn(collectionId, user.id)} as role) me`,
  )
}

/** Returns the caller's role. Without the right one, nothing is written. */
export async function upsertMailAddress(
  { db, user, checks }: Caller<'collection.edit'>,
  { collectionId, secret }: { collectionId: string; secret: string },
): Promise<Role | null> {
  const { role } = await oneRow<{ role: Role | null }>(
    db,
    sql`with me as materialized (select ${roleIn(collectionId, user.id)} as role),
    made as (
      insert into mail_addresses (collection_id, secret) select ${collectionId}::uuid, ${secret} from me where me.role = any(${rolesFor(checks['collection.edit'])})
      on conflict (collection_id) do update set secret = excluded.secret, created_at = now()
    )
    select role from me`,
  )
  return role
}

/** As `upsertMailAddress`. */
export async function deleteMailAddress({ db, user, checks }: Caller<'collection.edit'>, collectionId: string): Promise<Role | null> {
  const { role } = await oneRow<{ role: Role | null }>(
    db,
    sql`with me as materialized (select ${roleIn(collectionId, user.id)} as role),
    gone as (delete from mail_addresses a using me where a.collection_id = ${collectionId} and me.role = any(${rolesFor(checks['collection.edit'])}))
    select role from me`,
  )
  return role
}

/** Who wrote to a collection: a member, or a guest with the access of their link, or neither. */
export interface MailSender {
  collectionId: string
  member: ({ id: string; role: Role; confirmed: boolean } & Languages) | null
  guest: { id: string; access: string } | null
}

/** Null for an unknown address. `from` is the address that the mail is proven to be from. */
export async function findMailSender(db: Db, { secret, from }: { secret: string; from: string }): Promise<MailSender | null> {
  return firstRow<MailSender>(
    db,
    sql`select a.collection_id as "collectionId",
      (select json_build_object('id', u.id, 'displayLanguage', u.display_language, 'language', u.language, 'role', m.role, 'confirmed', coalesce(u.verified_email = u.email, false)) from users u join members m on m.user_id = u.id
        where u.email = ${from} and u.deleted_at is null and m.collection_id = a.collection_id) as member,
      (select json_build_object('id', g.id, 'access', g.access) from guests g join links l on l.id = g.link_id
        where g.email = ${from} and g.access is not null and l.collection_id = a.collection_id and l.allows = 'add' and link_open(l)
        order by g.created_at desc, g.id desc limit 1) as guest
    from mail_addresses a join collections c on c.id = a.collection_id where a.secret = ${secret} and c.deleted_at is null`,
  )
}

/** Whether this mail has been taken before: its post is there, or its author has thrown away a file of it. */
export async function isTaken(db: Db, { postId, assetIds }: { postId: string; assetIds: readonly string[] }): Promise<boolean> {
  const { taken } = await oneRow<{ taken: boolean }>(
    db,
    sql`select exists (select from posts where id = ${postId})
      or exists (select from assets where id = any(${uuids(assetIds)}) and deleted_at is not null) as taken`,
  )
  return taken
}
