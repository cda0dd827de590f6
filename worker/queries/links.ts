import { type SQL, sql } from 'drizzle-orm'
import { LIMITS } from '../../contract/limits.ts'
import type { Link, LinkEdit, LinkFilters, LinkKind } from '../../contract/links.ts'
import type { InviteRole, Role } from '../../contract/policy.ts'
import { firstRows, oneRow, present } from '../db/client.ts'
import { lockCollection } from './collections.ts'
import { assigns, type Caller, displayNameOf, roleIn, rolesFor, uuids } from './permissions.ts'

type Maker = Caller<'links.make'>
/** A link may let people ask for a role, which its maker must be able to grant. */
type Granter = Caller<'links.make' | 'members.manage'>
export type LinkKey = { collectionId: string; id: string }

/** Link `l`, as those see it who may change it. */
const LINK = sql`json_build_object('id', l.id, 'collection_id', l.collection_id, 'kind', l.kind, 'name', l.name, 'password', l.password is not null,
  'endsAt', l.ends_at, 'allows', l.allows, 'approve', l.approve, 'location', l.location, 'download', l.download, 'askName', l.ask_name, 'preview', l.preview, 'join', l.join_role is not null, 'created_at', l.created_at,
  'createdBy', (select json_build_object('id', u.id, 'name', ${displayNameOf}) from users u where u.id = l.user_id),
  'ended', not link_open(l), 'lastUsedAt', l.last_used_at,
  'views', (select coalesce(json_agg(json_build_object('day', v.day, 'views', v.views) order by v.day), '[]') from link_views v
    where v.link_id = l.id and v.day > current_date - 30))::jsonb
  || case l.kind when 'items' then jsonb_build_object('itemIds', (select coalesce(jsonb_agg(coalesce(li.post_id, li.asset_id)), '[]') from link_items li where li.link_id = l.id and li.chosen))
    when 'filter' then jsonb_build_object('filters', l.filters) else '{}' end
  || case when l.join_role is not null then jsonb_build_object('role', l.join_role) else '{}' end`

const readLink = ({ collectionId, id }: LinkKey) =>
  sql`select ${LINK} as link from links l where l.id = ${id} and l.collection_id = ${collectionId}`

/** True for link `l` if the caller, whose role is `role`, may see and change it. */
const manages = ({ user, checks }: Maker, role: SQL) => {
  const make = checks['links.make']
  return sql`(${role} = any(${rolesFor(make)}) or (l.user_id = ${user.id} and ${role} = any(${rolesFor(make, true)})))`
}

/** Links that have not been ended, newest first. `role` is the caller's. */
export async function listLinks(caller: Maker, collectionId: string): Promise<{ role: Role | null; links: Link[] }> {
  return oneRow<{ role: Role | null; links: Link[] }>(
    caller.db,
    sql`select me.role, (select coalesce(json_agg(${LINK} order by l.id desc), '[]') from links l
        where l.collection_id = ${collectionId} and l.ended_at is null and ${manages(caller, sql`me.role`)}) as links
      from (select ${roleIn(collectionId, caller.user.id)} as role) me`,
  )
}

/**
 * CTEs: `item`, those of these ids that are posts or assets of the collection, with their authors, and `unknown`, one row with the ids that are not, and those
 * that are no people of the collection. `former` are rows with ids that count as people.
 */
const chosen = (
  collectionId: string,
  { itemIds = [], filters }: { itemIds?: string[] | undefined; filters?: LinkFilters | undefined },
  former = sql`select null`,
) => sql`
  item as materialized (
    select p.id as post_id, null::uuid as asset_id, p.user_id from post_collections pc join posts p on p.id = pc.post_id
      where pc.collection_id = ${collectionId} and pc.live and pc.post_id = any(${uuids(itemIds)})
    union all
    select null, a.id, a.user_id from asset_collections ac join assets a on a.id = ac.asset_id
      where ac.collection_id = ${collectionId} and ac.live and ac.asset_id = any(${uuids(itemIds)})
  ),
  unknown as materialized (
    select array(select unnest(${uuids(itemIds)})::text except select coalesce(post_id, asset_id)::text from item) as items,
      array(select unnest(${uuids(filters?.people ?? [])})::text except select id::text from people where collection_id = ${collectionId} except ${former}) as people
  )`

/** Rows with the people of the filter of link `target`, also those who have been removed since: their removal may be undone. */
const FORMER_PEOPLE = sql`select jsonb_array_elements_text(l.filters -> 'people') from target t join links l on l.id = t.id`

/** `unknown` items and people keep the link from being written. */
interface LinkWrite {
  role: Role | null
  unknown: { items: string[]; people: string[] }
  link: Link | null
}

export interface NewLinkRow extends LinkKey {
  kind: LinkKind
  itemIds?: string[] | undefined
  filters?: LinkFilters | undefined
  name: string | null
  hash: string
  /** Slow hash. */
  password: string | null
  endsAt: string | null
  allows: string
  approve: boolean
  location: string
  download: boolean
  askName: boolean
  preview: boolean
  /** Null if people may not ask to become members. */
  joinRole: InviteRole | null
}

const mayGrant = ({ checks }: Granter, role: SQL, joinRole: InviteRole | null) =>
  joinRole ? assigns(checks, role, sql`${joinRole}::text`) : sql`true`

/** Inserts nothing if the caller may not make the link, the collection is `full`, something is unknown or the id exists. `link` is the caller's row with it. */
export async function insertLink(
  caller: Granter,
  row: NewLinkRow,
): Promise<LinkWrite & { permitted: boolean; full: boolean; made: boolean }> {
  const { db, user, checks } = caller
  const make = checks['links.make']
  const { collectionId, id, kind } = row
  const [, outcome, after] = await firstRows<
    [unknown, Omit<LinkWrite, 'link'> & { permitted: boolean; full: boolean; made: boolean }, { link: Link }]
  >(
    db,
    lockCollection(collectionId),
    sql`with me as materialized (select ${roleIn(collectionId, user.id)} as role),
    ${chosen(collectionId, row)},
    checks as materialized (
      select me.role, to_json(unknown) as unknown, items = '{}' and people = '{}' as known,
        coalesce(me.role = any(${rolesFor(make)}) or (${kind} = 'items' and me.role = any(${rolesFor(make, true)})
          and not exists (select from item where user_id <> ${user.id})), false) and ${mayGrant(caller, sql`me.role`, row.joinRole)} as permitted,
        (select count(*) from links where collection_id = ${collectionId} and ended_at is null) >= ${LIMITS.linksPerCollection} as full
      from me, unknown
    ),
    made as (
      insert into links (id, collection_id, user_id, kind, hash, name, filters, password, ends_at, allows, approve, location, download, ask_name, preview, join_role)
      select ${id}::uuid, ${collectionId}::uuid, ${user.id}, ${kind}, ${row.hash}, ${row.name}, ${row.filters ? JSON.stringify(row.filters) : null}::jsonb,
        ${row.password}, ${row.endsAt}::timestamptz, ${row.allows}, ${row.approve}::boolean, ${row.location}, ${row.download}::boolean, ${row.askName}::boolean, ${row.preview}::boolean, ${row.joinRole}
      from checks where permitted and known and not checks.full on conflict (id) do nothing returning id
    ),
    items as (insert into link_items (link_id, post_id, asset_id, chosen) select made.id, post_id, asset_id, true from made, item)
    select role, unknown, permitted, checks.full, exists (select from made) as made from checks`,
    sql`${readLink(row)} and l.user_id = ${user.id}`,
  )
  return { ...present(outcome), link: after?.link ?? null }
}

/** Fields to change; `password` is the slow hash, or null for none. */
export type LinkChange = Pick<LinkEdit, 'join' | 'role'> & {
  [K in Exclude<keyof NewLinkRow, 'kind' | 'hash' | 'joinRole' | keyof LinkKey>]?: NewLinkRow[K] | undefined
}

/** `outcome`: `foreign` for items that the link's maker may not show, `kind` for what links of its kind do not have, `role` for one that caller or maker may not grant. */
export interface LinkEditWrite extends LinkWrite {
  outcome: 'done' | 'missing' | 'ended' | 'kind' | 'unknown' | 'foreign' | 'role'
}

/** Changes the given fields. A change of the password ends the access of all guests. */
export async function updateLink(caller: Granter, key: LinkKey, edit: LinkChange): Promise<LinkEditWrite> {
  const { db, user, checks } = caller
  const { collectionId, id } = key
  const joinRole = edit.join ? (edit.role ?? 'read') : null
  const set: Record<string, SQL | undefined> = {
    name: edit.name === undefined ? undefined : sql`${edit.name}`,
    password: edit.password === undefined ? undefined : sql`${edit.password}`,
    ends_at: edit.endsAt === undefined ? undefined : sql`${edit.endsAt}::timestamptz`,
    allows: edit.allows === undefined ? undefined : sql`${edit.allows}`,
    approve: edit.approve === undefined ? undefined : sql`${edit.approve}::boolean`,
    location: edit.location === undefined ? undefined : sql`${edit.location}`,
    download: edit.download === undefined ? undefined : sql`${edit.download}::boolean`,
    ask_name: edit.askName === undefined ? undefined : sql`${edit.askName}::boolean`,
    preview: edit.preview === undefined ? undefined : sql`${edit.preview}::boolean`,
    join_role: edit.join === undefined ? undefined : edit.join && !edit.role ? sql`coalesce(join_role, ${joinRole})` : sql`${joinRole}`,
    filters: edit.filters === undefined ? undefined : sql`${JSON.stringify(edit.filters)}::jsonb`,
    version: sql`version + 1`,
  }
  const sets = Object.entries(set).flatMap(([column, value]) => (value ? [sql`${sql.identifier(column)} = ${value}`] : []))
  const [, , outcome, after] = await firstRows<[unknown, unknown, Omit<LinkEditWrite, 'link'>, { link: Link }]>(
    db,
    lockCollection(collectionId),
    // `cover_link` of a guest may be changing the items.
    sql`select from links where id = ${id} and collection_id = ${collectionId} for no key update`,
    sql`with me as materialized (select ${roleIn(collectionId, user.id)} as role),
    target as materialized (
      select l.id, l.user_id, l.kind, l.ended_at is not null or not link_permitted(l) as ended, ${roleIn(collectionId, user.id)} as role
      from links l, me where l.id = ${id} and l.collection_id = ${collectionId} and ${manages(caller, sql`me.role`)}
    ),
    ${chosen(collectionId, edit, FORMER_PEOPLE)},
    maker as materialized (select m.role from target t join members m on m.collection_id = ${collectionId} and m.user_id = t.user_id),
    decision as materialized (
      select t.id, case when t.ended then 'ended'
        when (${edit.itemIds !== undefined}::boolean and t.kind <> 'items') or (${edit.filters !== undefined}::boolean and t.kind <> 'filter')
          or (${edit.join === true || edit.allows === 'add'}::boolean and t.kind <> 'collection') then 'kind'
        when not coalesce(${mayGrant(caller, sql`t.role`, joinRole)} and ${mayGrant(caller, sql`(select role from maker)`, joinRole)}, false) then 'role'
        when items <> '{}' or people <> '{}' then 'unknown'
        when exists (select from item where user_id <> t.user_id) and not (select role from maker) = any(${rolesFor(checks['links.make'])}) then 'foreign'
        else 'done' end as outcome
      from target t, unknown
    ),
    open as materialized (select id from decision where outcome = 'done'),
    changed as (update links set ${sql.join(sets, sql`, `)} from open where links.id = open.id),
    ${edit.itemIds === undefined ? sql`` : items}
    signed_out as (update guests set access = null from open where guests.link_id = open.id and ${edit.password !== undefined}::boolean)
    select me.role, to_json(unknown) as unknown, coalesce((select outcome from decision), 'missing') as outcome from me, unknown`,
    readLink(key),
  )
  return { ...present(outcome), link: after?.link ?? null }
}

/** CTEs that make `item` the chosen items of the link `open`. What the others bring is found out again at its next use. */
const items = sql`dropped as (
    update link_items li set chosen = false, live = false from open where li.link_id = open.id and li.chosen
      and not exists (select from item where item.post_id = li.post_id or item.asset_id = li.asset_id)
  ),
  put_posts as (
    insert into link_items (link_id, post_id, chosen) select open.id, post_id, true from open, item where post_id is not null
    on conflict (link_id, post_id) do update set chosen = true, live = true
  ),
  put_assets as (
    insert into link_items (link_id, asset_id, chosen) select open.id, asset_id, true from open, item where asset_id is not null
    on conflict (link_id, asset_id) do update set chosen = true, live = true
  ),`

/** Ends a link. `found`: the caller may change it, whether it had ended or not. */
export async function endLink(caller: Maker, { collectionId, id }: LinkKey): Promise<{ role: Role | null; found: boolean }> {
  const [, outcome] = await firstRows<[unknown, { role: Role | null; found: boolean }]>(
    caller.db,
    lockCollection(collectionId),
    sql`with me as materialized (select ${roleIn(collectionId, caller.user.id)} as role),
    target as materialized (
      select l.id from links l, me where l.id = ${id} and l.collection_id = ${collectionId} and ${manages(caller, sql`me.role`)}
    ),
    ended as (update links set ended_at = now() from target where links.id = target.id and links.ended_at is null)
    select me.role, exists (select from target) as found from me`,
  )
  return present(outcome)
}
