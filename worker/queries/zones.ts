import { sql } from 'drizzle-orm'
import type { HomeZone } from '../../contract/places.ts'
import { type Db, firstRows, oneRow, present } from '../db/client.ts'
import { ITEMS, type ItemKind } from './permissions.ts'

const ZONES = sql`coalesce(json_agg(json_build_object('name', name, 'lat', lat, 'lon', lon, 'radius', radius) order by lower(name), id), '[]')`

export async function listZones(db: Db, userId: string): Promise<HomeZone[]> {
  const { zones } = await oneRow<{ zones: HomeZone[] }>(db, sql`select ${ZONES} as zones from home_zones where user_id = ${userId}`)
  return zones
}

/** Replaces the user's zones. Those that stay as they are, are not written: each written one is told as a change of the items inside. */
export async function replaceZones(db: Db, userId: string, zones: readonly HomeZone[]): Promise<HomeZone[]> {
  const [, , , after] = await firstRows<[unknown, unknown, unknown, { zones: HomeZone[] }]>(
    db,
    // One writer at a time.
    sql`select from users where id = ${userId} for no key update`,
    sql`delete from home_zones z where user_id = ${userId} and not exists (${wanted(zones, sql`w.name = z.name and w.lat = z.lat and w.lon = z.lon and w.radius = z.radius`)})`,
    sql`insert into home_zones (user_id, name, lat, lon, radius)
      select ${userId}, w.* from (${wanted(zones)}) w
      where exists (select from users where id = ${userId} and deleted_at is null) and not exists (select from home_zones z where z.user_id = ${userId} and (z.name, z.lat, z.lon, z.radius) = (w.name, w.lat, w.lon, w.radius))`,
    sql`select ${ZONES} as zones from home_zones where user_id = ${userId}`,
  )
  return present(after).zones
}

const wanted = (zones: readonly HomeZone[], where = sql`true`) =>
  sql`select distinct w.name, w.lat, w.lon, w.radius from jsonb_to_recordset(${JSON.stringify(zones)}::jsonb) w (name text, lat float8, lon float8, radius int) where ${where}`

/** Users whose account was deleted while they had home zones. */
const OF_DELETED = sql`(select z.* from home_zones z join users u on u.id = z.user_id where u.deleted_at is not null)`

/**
 * Removes the home zones of deleted accounts. Of what is inside, others see no place any more, since nobody is left to decide on it; nor of files without a
 * place, whose bytes may have one.
 */
export async function removeZonesOfDeleted(db: Db): Promise<void> {
  const inside = sql`not i.placed_by_other and within_metres(i.lat, i.lon, z.lat, z.lon, z.radius)`
  const hidden = (kind: ItemKind) => sql`update ${ITEMS[kind].table} i set place_hidden = true from ${OF_DELETED} z
    where i.user_id = z.user_id and not i.place_hidden
      and ${kind === 'asset' ? sql`(i.lat is null or ${inside})` : inside}`
  await firstRows(db, hidden('post'), hidden('asset'), sql`delete from home_zones where id in (select id from ${OF_DELETED} z)`)
}
