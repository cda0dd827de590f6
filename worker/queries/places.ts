import { type SQL, sql } from 'drizzle-orm'
import { isGuestUser } from '../../contract/links.ts'
import { may, ROLES } from '../../contract/policy.ts'
import { type ItemKind, linksOf, linksSeenBy } from './permissions.ts'

// Who sees of a place how much (docs/decisions/056). In SQL: 2 is the exact place, 1 the town, 0 nothing.

/** Those who may edit the items of others, which shows them the place. */
export const LEADERS = sql`${`{${ROLES.filter((role) => may(role, 'item.edit')).join(',')}}`}::text[]`

type Alias = 'a' | 'i'

/** True for home zone `z` if item `i` or `a` is inside, by a place that its author or its file gave. */
export const inZone = (item: SQL) =>
  sql`z.user_id = ${item}.user_id and not ${item}.placed_by_other and within_metres(${item}.lat, ${item}.lon, z.lat, z.lon, z.radius)`

/** Some collection of the caller shows less than the exact place. Computed once per statement. */
const restricted = (userId: SQL | string) => sql`(select exists (select from memberships m join collections c on c.id = m.collection_id
  where m.user_id = ${userId} and c.deleted_at is null and c.places <> 'exact'))`

/** How much a setting shows, of a collection (`places`) or a link (`location`). */
export const shownBy = (setting: SQL) => sql`case ${setting} when 'exact' then 2 when 'town' then 1 else 0 end`

/** The most that guests see, as check_guest has it from their link and its collection. */
const LINK_SHOWS = sql`coalesce(nullif(current_setting('cairn.link_places', true), ''), '0')::int`

/**
 * A relation of one row, for `cross join lateral`: `place_seen`, what the caller sees of the place of item `i` or `a`, and `place_others`, the
 * least that others see in a collection that the caller sees. An item whose place everybody sees costs one look at its author's zones. Guests see of
 * what they have added no more than of the rest: admins may have placed it.
 */
export function placeSeen(kind: ItemKind, userId: SQL | string, alias: Alias = 'i'): SQL {
  const item = sql.raw(alias)
  const zone = sql`(select case when exists (select from home_zones z where ${inZone(item)}) then 1 else 2 end as at_most offset 0) zone`
  if (typeof userId === 'string' && isGuestUser(userId))
    return sql`(select shown as place_seen, shown as place_others
      from (select case when ${item}.place_hidden then 0 else least(${LINK_SHOWS}, at_most) end as shown from ${zone} offset 0) guest)`
  return sql`(
    select case when free then 2 when ${item}.user_id = ${userId} or led then 2 when ${item}.place_hidden then 0
        else least(coalesce(most, 0), at_most) end as place_seen,
      case when free then 2 when ${item}.place_hidden then 0 else least(coalesce(fewest, 2), at_most) end as place_others
    from (
      select at_most, at_most = 2 and not ${item}.place_hidden and not ${restricted(userId)} as free
      from ${zone} offset 0
    ) quick
    cross join lateral (
      select bool_or(l.user_id = ${item}.user_id and m.role = any(${LEADERS})) as led, max(shows) as most, min(shows) as fewest
      from ${linksOf(kind, sql`${item}.id`)} l join collections c on c.id = l.collection_id and c.deleted_at is null
      join memberships m on m.collection_id = l.collection_id and m.user_id = ${userId}
      cross join lateral (select ${shownBy(sql`c.places`)} as shows) shown
      where not free
    ) links)`
}

/**
 * How much the file of asset `i` may tell the caller of its place, as text: 'exact', 'town' or 'nothing'. Authors get their own files as they sent them. A file
 * can hold another position than its asset, whatever its type and name say, so files of an author with home zones are never 'exact' for those to whom the zones
 * apply: all but admins and owners of a collection into which the author put it.
 */
export function filePlace(userId: string): SQL {
  return sql`(select case when i.user_id = ${userId} then 'exact' when place_seen = 0 then 'nothing' when place_seen = 1 then 'town'
      when not exists (select from home_zones z where z.user_id = i.user_id)
        or exists (select ${linksSeenBy('asset', userId)} and l.user_id = i.user_id and m.role = any(${LEADERS})) then 'exact'
      else 'town' end from ${placeSeen('asset', userId)} placed)`
}

const named = (place: string) => sql`case ${sql.raw(place)} when 2 then 'exact' when 1 then 'town' else 'nothing' end`

/** The middle of the town: of the author's home zone if item `i` is in one, so that several items at its edge tell no more than one. */
const TOWN = sql`coalesce((select json_build_object('lat', town_degree(z.lat, 90), 'lon', town_degree(z.lon, 180)) from home_zones z
  where ${inZone(sql.raw('i'))} order by z.lat, z.lon limit 1), json_build_object('lat', town_degree(i.lat, 90), 'lon', town_degree(i.lon, 180)))`

// Fields of item `i`, as far as the caller may know them. They read `placeSeen`, without which Postgres refuses them.

/** Location as JSON, or null. The town has no name: a name tells more. */
export const LOCATION = sql`case when i.lat is null or place_seen = 0 then null
  when place_seen = 1 then ${TOWN} else json_strip_nulls(json_build_object('lat', i.lat, 'lon', i.lon, 'name', i.place_name)) end`

/** The name of the time zone can tell a place. */
export const DATE_ZONE = sql`case when place_seen = 2 then i.date_zone else offset_only(i.date, i.date_zone) end`

/** As in the contract: null if everybody sees the place. */
export const PLACE = sql`case when place_seen = 2 and place_others = 2 then null when place_seen = 2 then
  json_build_object('seen', 'exact', 'others', ${named('place_others')}, 'hidden', i.place_hidden) else json_build_object('seen', ${named('place_seen')}) end`

/**
 * What of the caller's memberships decides on places: their collections, with what they see there. Part of entity tags, since a change there
 * changes items without moving the revision of every collection that they are in.
 */
export const sightOf = (userId: SQL | string) => sql`array_to_string(array(
  select m.collection_id || case when m.role = any(${LEADERS}) then ' all' else ' ' || c.places end
  from memberships m join collections c on c.id = m.collection_id where m.user_id = ${userId} and c.deleted_at is null order by 1), ' ')`
