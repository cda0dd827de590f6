import { type SQL, sql } from 'drizzle-orm'
import type { BulkDate } from '../../contract/bulk.ts'
import type { Location } from '../../contract/locations.ts'
import type { Db } from '../db/client.ts'
import { type BulkCall, type BulkOutcome, itemScope, sharesCollection, writeBulk } from './bulk.ts'
import { assignLocation } from './date-and-location.ts'
import { ITEMS, type ItemKind, permittedEdit, uuids } from './permissions.ts'

/** Sets or shifts the date. The end of an event moves with its start. */
export function setItemDates(db: Db, call: BulkCall<'item.edit'>, change: Omit<BulkDate, 'ids'>): Promise<BulkOutcome> {
  const { kind, userId, checks } = call
  const { date, end, others } = momentsOf(change)
  const moments = kind === 'post' ? [date, end] : [date]
  const outside = sql.join(
    moments.map((moment) => sql`${moment} not between '0001-01-01' and '9999-12-31 23:59:59.999'`),
    sql` or `,
  )
  const ends = kind === 'post' ? sql`, ends_at = ${end}` : sql``
  return writeBulk(db, call, {
    permitted: permittedEdit(kind, userId, checks['item.edit']),
    refusals: { outOfRange: sql`array(select i.id::text from target i where ${outside})` },
    scope: itemScope(kind),
    writes: assign(kind, sql`date = ${date} ${ends} ${others}`),
  })
}

/** New date and end of item `i`, and assignments of the other columns. */
function momentsOf({ date, shift, dateZone, datePrecision }: Omit<BulkDate, 'ids'>): { date: SQL; end: SQL; others: SQL } {
  const zone = dateZone === undefined ? sql`` : sql`, date_zone = ${dateZone}::text`
  if (shift) {
    // Postgres has no moments before 4714 BC. A shift that is cut ends before the year 1 all the same, even with ten years in minutes.
    const days = (moment: SQL) => sql`greatest(${shift.days ?? 0}::int, date '0001-01-01' - ${moment}::date - 4000)`
    const shifted = (moment: SQL) =>
      sql`shift_moment(${moment}, coalesce(${dateZone ?? null}, i.date_zone, 'UTC'), ${days(moment)}, ${shift.minutes ?? 0}::int)`
    const precision = datePrecision ? sql`, date_precision = case when i.date is null then 'unknown' else ${datePrecision} end` : sql``
    // An unknown date stays unknown, and its end stays as it is.
    const end = sql`case when i.date is null then i.ends_at else ${shifted(sql`i.ends_at`)} end`
    return { date: shifted(sql`i.date`), end, others: sql`${zone} ${precision}` }
  }
  const known = datePrecision === 'unknown' ? null : (date ?? null)
  const moment = sql`${known}::timestamptz`
  return {
    date: moment,
    // An event without a date has no duration to keep; its end must not be before the new date.
    end: sql`case when ${moment} is null or i.ends_at is null then i.ends_at when i.date is null then greatest(i.ends_at, ${moment}) else ${moment} + (i.ends_at - i.date) end`,
    others: sql`${zone}, date_precision = ${known === null ? 'unknown' : (datePrecision ?? 'minute')}`,
  }
}

export function setItemLocations(db: Db, call: BulkCall<'item.edit'>, location: Location | null): Promise<BulkOutcome> {
  const { kind, userId, checks } = call
  return writeBulk(db, call, {
    permitted: permittedEdit(kind, userId, checks['item.edit']),
    scope: itemScope(kind),
    writes: assign(kind, assignLocation('i', location, userId)),
  })
}

const assign = (kind: ItemKind, assignments: SQL) =>
  sql`changed as (update ${ITEMS[kind].table} i set ${assignments} from open where i.id in (select id from target))`

/** Adds and removes tags of people. Each person to add must be in a collection of every item. */
export function tagItems(
  db: Db,
  call: BulkCall<'item.edit'>,
  { add = [], remove = [] }: { add?: readonly string[] | undefined; remove?: readonly string[] | undefined },
): Promise<BulkOutcome> {
  const { kind, userId, checks } = call
  const { table, tags, key } = ITEMS[kind]
  return writeBulk(db, call, {
    permitted: permittedEdit(kind, userId, checks['item.edit']),
    relations: sql`
      person as materialized (
        select p.id, p.collection_id from people p join memberships m on m.collection_id = p.collection_id and m.user_id = ${userId}
        join collections c on c.id = p.collection_id and c.deleted_at is null
        where p.id = any(${uuids([...add, ...remove])}) for key share of p
      ),`,
    related: { people: [...add, ...remove] },
    refusals: {
      people: sql`array(select unnest(${uuids([...add, ...remove])})::text except select p.id::text from person p
        where p.id = any(${uuids(remove)}) or not exists (select from target i where not ${sharesCollection(kind, userId)}))`,
    },
    scope: itemScope(kind),
    writes: sql`
      untagged as (
        delete from ${tags} x using open where x.${key} in (select id from target) and x.person_id = any(${uuids(remove)}) returning x.${key} as id
      ),
      tagged as (
        insert into ${tags} (${key}, person_id) select i.id, p.id from open, target i, person p where p.id = any(${uuids(add)})
        on conflict do nothing returning ${key} as id
      ),
      changed as (
        update ${table} i set version = i.version + 1 where i.id in (select id from untagged union select id from tagged)
      )`,
  })
}
