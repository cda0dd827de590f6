import { sql } from 'drizzle-orm'
import type { CalendarLink } from '../../contract/calendar.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Post } from '../../contract/posts.ts'
import { type Db, firstRow, oneRow } from '../db/client.ts'
import { isKnown } from './paging.ts'
import { type Caller, roleIn, rolesFor } from './permissions.ts'
import { DATE_ZONE, LOCATION, placeSeen, sightOf } from './places.ts'

const NEWEST = sql`sort_at > '-infinity' order by sort_at desc nulls last, post_id desc nulls last limit ${LIMITS.calendarPosts}`
/** Bytes of bodies in one calendar. Older posts beyond it have no description: a worker has 128 MB, and several copies of a calendar in memory. */
const MAX_BYTES = 8 * 1024 * 1024

const LINK = sql`json_build_object('notes', k.notes, 'created_at', k.created_at, 'last_used_at', k.last_used_at)`

/** `member` is false if the caller does not see the collection. */
export interface FoundLink {
  member: boolean
  link: CalendarLink | null
}

export async function findCalendarLink(db: Db, userId: string, collectionId: string): Promise<FoundLink> {
  return oneRow<FoundLink>(
    db,
    sql`select ${roleIn(collectionId, userId)} is not null as member,
      (select ${LINK} from calendar_links k where k.collection_id = ${collectionId} and k.user_id = ${userId}) as link`,
  )
}

/** Creates the member's link, or replaces its secret. Null if the caller is not a member. */
export async function upsertCalendarLink(
  { db, user, checks }: Caller<'collection.see'>,
  { collectionId, hash, notes }: { collectionId: string; hash: string; notes: boolean },
): Promise<CalendarLink | null> {
  const row = await firstRow<{ link: CalendarLink }>(
    db,
    sql`insert into calendar_links as k (collection_id, user_id, hash, notes)
    select ${collectionId}::uuid, ${user.id}, ${hash}, ${notes} where ${roleIn(collectionId, user.id)} = any(${rolesFor(checks['collection.see'])})
    on conflict (collection_id, user_id) do update
      set hash = excluded.hash, notes = excluded.notes, created_at = now(), last_used_at = null
    returning ${LINK} as link`,
  )
  return row?.link ?? null
}

/** Returns whether the caller is a member, not whether there was a link. */
export async function deleteCalendarLink({ db, user, checks }: Caller<'collection.see'>, collectionId: string): Promise<boolean> {
  const { member } = await oneRow<{ member: boolean }>(
    db,
    sql`with gone as (delete from calendar_links where collection_id = ${collectionId} and user_id = ${user.id})
    select coalesce(${roleIn(collectionId, user.id)} = any(${rolesFor(checks['collection.see'])}), false) as member`,
  )
  return member
}

type CalendarPost = Pick<
  Post,
  'id' | 'type' | 'kind' | 'title' | 'body' | 'date_zone' | 'ends_at' | 'location' | 'version' | 'created_at' | 'updated_at'
> & { date: string; date_precision: 'minute' | 'day' }

export interface Calendar {
  collection_id: string
  name: string
  etag: string
  /** Null if the caller has this version. */
  posts: CalendarPost[] | null
}

/**
 * The calendar of the link with this hash. Null if the link is unknown or its owner is no longer a member. Posts whose date is known only
 * to the month or year are left out. `last_used_at` is written at most once an hour, so that most reads do not write. If the caller has
 * the calendar (`known`), only the revision is read. With and without notes, the posts come from an index each.
 */
export async function findCalendar(db: Db, hash: string, known: string): Promise<Calendar | null> {
  return firstRow<Calendar>(
    db,
    sql`with link as materialized (
      select k.collection_id, k.user_id, k.notes, c.name,
        'W/"calendar-' || c.revision || '-' || extract(epoch from k.created_at)::bigint || '-' || left(md5(${sightOf(sql`k.user_id`)}), 8) || '"' as etag,
        coalesce(k.last_used_at < now() - interval '1 hour', true) as use_is_due
      from calendar_links k join members m using (collection_id, user_id) join collections c on c.id = k.collection_id
      where k.hash = ${hash} and c.deleted_at is null
    ),
    use_recorded as (
      update calendar_links k set last_used_at = now() from link
      where link.use_is_due and k.collection_id = link.collection_id and k.user_id = link.user_id
    )
    select link.collection_id, link.name, link.etag, case when not ${isKnown(sql`link.etag`, known)} then (
      select coalesce(json_agg(json_build_object('id', i.id, 'type', i.type, 'kind', i.kind, 'title', i.title,
        'body', case when i.bytes <= ${MAX_BYTES} then i.body else '' end,
        'date', i.date, 'date_zone', ${DATE_ZONE}, 'date_precision', i.date_precision, 'ends_at', i.ends_at, 'location', ${LOCATION},
        'version', i.version, 'created_at', i.created_at, 'updated_at', i.updated_at) order by i.date, i.id), '[]')
      from (
        select p.*, sum(octet_length(p.body)) over (order by p.date desc, p.id desc) as bytes
        from posts p where p.date_precision in ('minute', 'day') and p.id = any(case when link.notes then array(
          select post_id from post_collections where collection_id = link.collection_id and live and ${NEWEST}
        ) else array(
          select post_id from post_collections where collection_id = link.collection_id and live and event and ${NEWEST}
        ) end)
      ) i cross join lateral ${placeSeen('post', sql`(select user_id from link)`)} placed) end as posts
    from link`,
  )
}
