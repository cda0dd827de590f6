import { sql } from 'drizzle-orm'
import type { SessionUser } from '../../contract/auth.ts'
import { type Db, firstRows, present } from '../db/client.ts'
import { DATE_ZONE, LOCATION, PLACE, shownBy } from './places.ts'

/** A guest that a browser has been, by the cookie of the link. */
export interface Holder {
  link: string
  guest: string
  access: string
  /** Address of the mail by which the browser came back; empty if it is not known. */
  back?: string | undefined
}

/**
 * Whether the user may be this guest. Who came back by a mail must be the one to whom it was sent: such an address can be passed on, and others would sign what
 * they did not write.
 */
export const mayBe = ({ email, emailVerified }: SessionUser, { back }: Pick<Holder, 'back'>) =>
  back === undefined || (emailVerified && back.toLowerCase() === email.toLowerCase())

export interface Claimed {
  comments: number
  reactions: number
  assets: number
}

/**
 * Makes the user the author of what these guests wrote and added, also where their links have ended since. What is in the cookies counts only while the link has
 * the same password. Comments get a new revision, since open pages show their authors. Throws 413 if the files do not fit the user's account; then nothing is claimed.
 */
export async function claimGuests(db: Db, user: SessionUser, holders: readonly Holder[]): Promise<Claimed> {
  const userId = user.id
  const own = holders.filter((holder) => mayBe(user, holder))
  const held = JSON.stringify(own.map(({ guest, access }) => ({ guest, access })))
  const guests = sql`select 'guest:' || g.id as id from guests g
    join jsonb_to_recordset(${held}::jsonb) h (guest uuid, access uuid) on h.guest = g.id and h.access = g.access`
  const files = sql`from assets a where a.user_id in (select id from guest) and a.status = 'ready' and a.deleted_at is null`
  const [, , , outcome] = await firstRows<[unknown, unknown, unknown, Claimed]>(
    db,
    // In the order of all writers: accounts, items, collections.
    sql`with guest as materialized (${guests})
      select from account_usage where user_id = ${userId} or user_id in (select id from guest) order by user_id for no key update`,
    sql`with guest as materialized (${guests}) select ${files} order by a.id for no key update`,
    sql`with guest as materialized (${guests})
      select lock_collections(array(select collection_id from comments where user_id in (select id from guest)
        union select collection_id from reactions where user_id in (select id from guest)
        union select l.collection_id from asset_collections l where l.asset_id in (select a.id ${files})))`,
    sql`with guest as materialized (${guests}),
    said as (
      update comments set user_id = ${userId}, revision = revision + 1 where user_id in (select id from guest) returning id
    ),
    -- Triggers tell of reactions that come and go.
    taken as (delete from reactions where user_id in (select id from guest) returning *),
    felt as (
      insert into reactions (collection_id, post_id, asset_id, comment_id, user_id, emoji, created_at)
      select collection_id, post_id, asset_id, comment_id, ${userId}, emoji, min(created_at) from taken
      group by collection_id, post_id, asset_id, comment_id, emoji on conflict do nothing returning id
    ),
    -- A file that the user has as well becomes another copy of it.
    file as materialized (
      select a.id, a.user_id, a.size, coalesce((select max(own.copy) + 1 from assets own where own.user_id = ${userId} and own.checksum = a.checksum), 0)
        + (row_number() over (partition by a.checksum order by a.id) - 1)::int as copy ${files}
    ),
    -- The minute's task has not read every file yet, and leaves alone what somebody has edited, which this is not.
    added as (update assets set user_id = ${userId}, copy = file.copy, placed_by_other = false,
      file_version = case when assets.version = coalesce(assets.file_version, assets.version) then assets.version + 1 else assets.file_version end
      from file where assets.id = file.id returning assets.id),
    -- Who is a member of none of its collections sees it as the link showed it, and not where admins have placed it.
    kept as (
      insert into author_snapshots (asset_id, user_id, fields)
      select i.id, ${userId}, jsonb_build_object('name', i.name, 'alt', i.alt, 'date', i.date, 'date_zone', ${DATE_ZONE}, 'date_precision', i.date_precision,
        'location', ${LOCATION}, 'place', ${PLACE})
      from file join assets i on i.id = file.id join guests g on 'guest:' || g.id = i.user_id
      join links l on l.id = g.link_id join collections c on c.id = l.collection_id
      cross join lateral (select case when i.place_hidden then 0 else least(${shownBy(sql`l.location`)}, ${shownBy(sql`c.places`)}) end as shown) link
      cross join lateral (select shown as place_seen, shown as place_others) placed
      where place_seen < 2 and (select bool_and(m.user_id is null) from asset_collections ac
        left join members m on m.collection_id = ac.collection_id and m.user_id = ${userId} where ac.asset_id = i.id)
      on conflict do nothing
    ),
    put as (update asset_collections l set user_id = ${userId} from file where l.asset_id = file.id and l.user_id = file.user_id returning l.asset_id),
    counted as (
      select count_for_accounts(array_agg(user_id), array_agg(size), -1), count_for_accounts(array_agg(${userId}::text), array_agg(size), 1)
      from file having count(*) > 0
    )
    select (select count(*) from said)::int as comments, (select count(*) from taken)::int as reactions, (select count(*) from added)::int as assets
    from (select count(*) from felt) done, (select count(*) from put) moved, (select count(*) from counted) paid`,
  )
  return present(outcome)
}
