import { sql } from 'drizzle-orm'
import type { Contribution } from '../../contract/contributions.ts'
import type { Role } from '../../contract/policy.ts'
import { type Db, firstRows, oneRow, present, rows } from '../db/client.ts'
import { assetJson } from './asset-shape.ts'
import { lockCollection } from './collections.ts'
import { type Admin, adminsWhere } from './members.ts'
import { GAP, type News } from './news.ts'
import { type Caller, displayNameOf, roleIn, rolesFor, uuids } from './permissions.ts'

// Triggers note what guests send, and what becomes of it: migrations/0048_contributions.sql.

/** Contribution `w` with its asset `i`, where an admin may answer. */
const WAITING = sql`w.state = 'waiting' and i.deleted_at is null`

/** Those that wait, oldest first. `role` is the caller's. */
export async function listContributions(
  { db, user, checks }: Caller<'links.make'>,
  collectionId: string,
): Promise<{ role: Role | null; contributions: Contribution[] }> {
  return oneRow<{ role: Role | null; contributions: Contribution[] }>(
    db,
    sql`select me.role, (select coalesce(json_agg(json_build_object('asset', ${assetJson(user.id)},
          'link', (select json_build_object('id', l.id, 'name', l.name) from links l where l.id = w.link_id), 'created_at', w.created_at)
          order by w.created_at, w.asset_id), '[]')
        from contributions w join assets i on i.id = w.asset_id
        where w.collection_id = ${collectionId} and ${WAITING} and me.role = any(${rolesFor(checks['links.make'])})) as contributions
      from (select ${roleIn(collectionId, user.id)} as role) me`,
  )
}

/** The caller's role, and the ids of those that were answered now. */
export interface ContributionsAnswer {
  role: Role | null
  ids: string[]
}

/** Puts them into the collection, as added by their guests, or into the trash. What a guest has claimed meanwhile stays theirs when it is declined. */
export async function answerContributions(
  { db, user, checks }: Caller<'links.make'>,
  { collectionId, ids, accept }: { collectionId: string; ids: readonly string[]; accept: boolean },
): Promise<ContributionsAnswer> {
  const asked = sql`w.collection_id = ${collectionId} and w.asset_id = any(${uuids(ids)})`
  const done = accept
    ? sql`gone as (delete from contributions w using open where w.asset_id = open.asset_id),
      linked as (insert into asset_collections (collection_id, user_id, asset_id) select ${collectionId}::uuid, user_id, asset_id from open on conflict do nothing)`
    : sql`trashed as (update assets set deleted_at = now() from open where assets.id = open.asset_id and assets.user_id like 'guest:%'),
      refused as (delete from contributions w using open where w.asset_id = open.asset_id and open.user_id not like 'guest:%')`
  const [, , outcome] = await firstRows<[unknown, unknown, ContributionsAnswer]>(
    db,
    // As all writers: items first, so that a guest who takes one back comes before or after this.
    sql`select from assets i where i.id in (select w.asset_id from contributions w where ${asked}) order by i.id for no key update`,
    lockCollection(collectionId),
    sql`with me as materialized (select ${roleIn(collectionId, user.id)} as role),
    open as materialized (
      select w.asset_id, i.user_id from contributions w join assets i on i.id = w.asset_id, me
      where ${asked} and ${WAITING} and me.role = any(${rolesFor(checks['links.make'])})
    ),
    ${done}
    select me.role, array(select asset_id from open) as ids from me`,
  )
  return present(outcome)
}

/** A file that a guest has sent, and that waits. */
export interface OwnContribution {
  id: string
  name: string
}

/** Those of the guest whose database this is, oldest first. */
export function listOwnContributions(db: Db): Promise<OwnContribution[]> {
  return rows(db, sql`select id, name from own_contributions order by created_at, id`)
}

/** Files of guests that wait in a collection, counted as in `News` (news.ts), and the admins who may accept them. */
export interface ContributionNews
  extends Pick<News, 'collectionId' | 'collection' | 'author' | 'others' | 'posts' | 'photos' | 'videos' | 'files'> {
  /** Without those who muted the collection. */
  admins: Admin[]
}

/** Claims what has waited for GAP and was not told yet, unless the admins of its collection were told of something within the hour. */
export function claimContributionNews(db: Db): Promise<ContributionNews[]> {
  return rows(
    db,
    sql`with due as (
      update collections c set contributions_told_at = now()
      where c.deleted_at is null and (c.contributions_told_at is null or c.contributions_told_at < now() - interval '1 hour')
        and c.id in (select w.collection_id from contributions w join assets a on a.id = w.asset_id and a.deleted_at is null
          where w.state = 'waiting' and w.told_at is null and w.created_at < now() - ${GAP})
      returning c.id
    ),
    told as (
      update contributions w set told_at = now() from due where w.collection_id = due.id and w.state = 'waiting' and w.told_at is null
      returning w.collection_id, w.asset_id
    )
    select c.id as "collectionId", c.name as collection, ${displayNameOf} as author, (news.authors - 1)::int as others, 0 as posts,
      news.photos::int, news.videos::int, (news.total - news.photos - news.videos)::int as files,
      ${adminsWhere(sql`not exists (select from notices n where n.collection_id = c.id and n.user_id = a.id and n.muted)`)} as admins
    from (
      select told.collection_id, count(*) as total, count(distinct a.user_id) as authors, (array_agg(a.user_id order by a.id desc))[1] as newest,
        count(*) filter (where a.type like 'image/%') as photos, count(*) filter (where a.type like 'video/%') as videos
      from told join assets a on a.id = told.asset_id group by told.collection_id
    ) news join collections c on c.id = news.collection_id join users u on u.id = news.newest`,
  )
}
