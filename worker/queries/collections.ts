import { type SQL, sql } from 'drizzle-orm'
import type { Collection, CollectionEdit, InvitedCollection, NewCollection } from '../../contract/collections.ts'
import type { Role } from '../../contract/policy.ts'
import { type Db, firstRow, firstRows, oneRow, present } from '../db/client.ts'
import { fileVersionOf } from './asset-shape.ts'
import { type Caller, displayNameOf, roleIn, rolesFor } from './permissions.ts'

const COVERS = 4
/** Newest items searched for covers, so that the cost does not grow with a collection of documents. */
const COVER_CANDIDATES = 60

/** The newest assets of collection `c` that have a thumb, without those that the cover of their group shows. */
const coversOfCollection = sql`(
  select coalesce(json_agg(json_build_object('id', shown.id, 'version', shown.version, 'thumbhash', shown.thumbhash)
    order by shown.sort_at desc, shown.id desc), '[]')
  from (
    select i.id, ${fileVersionOf('i')} as version, i.thumbhash, l.sort_at
    from (
      select asset_id, sort_at from asset_collections part where collection_id = c.id and live and (group_id is null or asset_id = coalesce((
        select g.cover from groups g where g.id = part.group_id and exists (
          select from asset_collections l where l.collection_id = c.id and l.asset_id = g.cover and l.group_id = g.id and l.live)), asset_id))
      order by sort_at desc nulls last, asset_id desc nulls last limit ${sql.raw(String(COVER_CANDIDATES))}) l
    join assets i on i.id = l.asset_id
    where i.renditions ? 'thumb'
    order by l.sort_at desc, i.id desc limit ${sql.raw(String(COVERS))}) shown)`

/** Number of assets that the cover of their group stands for. */
const coveredIn = (collection: SQL) => sql`(
  select count(*) - count(distinct group_id) from asset_collections where collection_id = ${collection} and group_id is not null and live)`

/** Collection `c` as seen by member `m`. */
const JSON_OF_COLLECTION = sql`json_build_object(
  'id', c.id, 'name', c.name, 'user_id', c.user_id, 'icon', c.icon, 'theme', c.theme, 'places', c.places, 'revision', c.revision,
  'created_at', c.created_at, 'updated_at', c.updated_at, 'role', m.role,
  'member_count', (select count(*) from members where collection_id = c.id),
  'asset_count', c.asset_count - ${coveredIn(sql`c.id`)}, 'post_count', c.post_count, 'covers', ${coversOfCollection}, 'answers', c.answers,
  'join_requests', case when m.role = any(${rolesFor('invites.see')}) then (
    select count(*) from join_requests r where r.collection_id = c.id and r.state = 'pending') end,
  'contributions', case when m.role = any(${rolesFor('invites.see')}) then (
    select count(*) from contributions w join assets a on a.id = w.asset_id
      where w.collection_id = c.id and w.state = 'waiting' and a.deleted_at is null) end)`

const mine = (userId: string) => sql`from collections c join memberships m on m.collection_id = c.id
  where m.user_id = ${userId} and c.deleted_at is null`

const readOne = (userId: string, id: string) => sql`select ${JSON_OF_COLLECTION} as collection ${mine(userId)} and c.id = ${id}`

/**
 * First statement of a batch that changes members or invites. Concurrent batches wait for each other, so that the second sees what the
 * first wrote.
 */
export const lockCollection = (id: string) => sql`select from collections where id = ${id} for no key update`

/** JSON text of an array, ordered by name. */
export async function listCollections(db: Db, userId: string): Promise<string> {
  const { list } = await oneRow<{ list: string }>(
    db,
    sql`select coalesce(json_agg(${JSON_OF_COLLECTION} order by lower(c.name), c.id), '[]')::text as list ${mine(userId)}`,
  )
  return list
}

/** Pending invitations to the user's address. The caller must have checked that the sign-in service has confirmed it. */
export async function listInvitedCollections(db: Db, { id, email }: { id: string; email: string }): Promise<InvitedCollection[]> {
  const { list } = await oneRow<{ list: InvitedCollection[] }>(
    db,
    sql`select coalesce(json_agg(json_build_object('id', c.id, 'invite_id', i.id, 'user_id', ${id}::text, 'name', c.name, 'icon', c.icon, 'theme', c.theme,
        'role', i.role, 'invited_by_name', ${displayNameOf}, 'expires_at', i.expires_at) order by i.created_at desc), '[]') as list
      from invites i join collections c on c.id = i.collection_id join users u on u.id = i.invited_by
      where i.email = ${email} and i.state = 'pending' and i.expires_at > now() and c.deleted_at is null`,
  )
  return list
}

export async function findCollection(db: Db, userId: string, id: string): Promise<Collection | null> {
  return (await firstRow<{ collection: Collection }>(db, readOne(userId, id)))?.collection ?? null
}

/** If the id exists already, nothing is inserted: `collection` is that row if the caller owns it, else null. */
export async function insertCollection(db: Db, userId: string, input: NewCollection & { id: string }) {
  const { id, name, icon = 'default', theme, answers = 'read', places = 'exact' } = input
  const [made, found] = await firstRows<[{ id: string }, { collection: Collection }]>(
    db,
    sql`with made as (
      insert into collections (id, name, user_id, icon, theme, answers, places)
      values (${id}, ${name}, ${userId}, ${icon}, ${theme ? JSON.stringify(theme) : null}::jsonb, ${answers}, ${places})
      on conflict (id) do nothing returning id
    )
    insert into members (collection_id, user_id, role) select id, ${userId}, 'owner' from made returning collection_id as id`,
    sql`${readOne(userId, id)} and c.user_id = ${userId}`,
  )
  return { made: made !== null, collection: found?.collection ?? null }
}

/** The caller's role before the write, and the collection after it. Nothing is written if the role is too low. */
interface Written {
  role: Role | null
  collection: Collection | null
}

/** Changes only the given fields. */
export async function updateCollection(caller: Caller<'collection.edit'>, id: string, edit: CollectionEdit): Promise<Written> {
  const theme = edit.theme ? JSON.stringify(edit.theme) : null
  return write(caller, id, {
    roles: rolesFor(caller.checks['collection.edit']),
    set: sql`name = coalesce(${edit.name ?? null}, name), icon = coalesce(${edit.icon ?? null}, icon), theme = coalesce(${theme}::jsonb, theme),
      answers = case when ${edit.answers !== undefined} then ${edit.answers ?? null} else answers end, places = coalesce(${edit.places ?? null}, places)`,
  })
}

/** Hides the collection, and items that are only in it, until the sweep deletes it. */
export async function deleteCollection(caller: Caller<'collection.delete'>, id: string): Promise<Written> {
  return write(caller, id, { roles: rolesFor(caller.checks['collection.delete']), set: sql`deleted_at = now()` })
}

async function write({ db, user }: Caller, id: string, { roles, set }: { roles: SQL; set: SQL }): Promise<Written> {
  const userId = user.id
  const [, before, after] = await firstRows<[unknown, { role: Role | null }, { collection: Collection }]>(
    db,
    lockCollection(id),
    sql`with me as materialized (select ${roleIn(id, userId)} as role),
    changed as (update collections set ${set} from me where id = ${id} and me.role = any(${roles}))
    select role from me`,
    readOne(userId, id),
  )
  return { ...present(before), collection: after?.collection ?? null }
}

/** The roles of both people before the write; `done` if the ownership was transferred. */
export interface Transfer {
  role: Role | null
  target: Role | null
  done: boolean
  collection: Collection | null
}

/** One statement, which demotes the old owner first: a collection must never have two owners. */
export async function transferCollection(
  { db, user, checks }: Caller<'collection.transfer'>,
  id: string,
  newOwner: string,
): Promise<Transfer> {
  const userId = user.id
  const [, outcome, after] = await firstRows<[unknown, Omit<Transfer, 'collection'>, { collection: Collection }]>(
    db,
    lockCollection(id),
    sql`with roles as materialized (select ${roleIn(id, userId)} as role, ${roleIn(id, newOwner)} as target),
    demoted as (
      update members set role = 'admin' from roles
      where collection_id = ${id} and user_id = ${userId} and members.role = any(${rolesFor(checks['collection.transfer'])})
        and roles.target is not null and roles.target <> 'owner'
      returning collection_id
    ),
    promoted as (
      update members set role = 'owner' from demoted
      where members.collection_id = demoted.collection_id and user_id = ${newOwner}
      returning members.collection_id, user_id
    ),
    moved as (update collections set user_id = promoted.user_id from promoted where id = promoted.collection_id)
    select role, target, exists (select from promoted) as done from roles`,
    readOne(userId, id),
  )
  return { ...present(outcome), collection: after?.collection ?? null }
}
