import { sql } from 'drizzle-orm'
import { type Db, firstRows } from '../db/client.ts'

/** A guest that a browser has been, by the cookie of the link. */
export interface Holder {
  link: string
  guest: string
  access: string
}

export interface Claimed {
  comments: number
  reactions: number
}

/**
 * Makes the user the author of what these guests wrote, also where their links have ended since. What is in the cookies counts only while the link has the same
 * password. Comments get a new revision, since open pages show their authors.
 */
export async function claimGuests(db: Db, userId: string, holders: readonly Holder[]): Promise<Claimed> {
  const held = JSON.stringify(holders.map(({ guest, access }) => ({ guest, access })))
  const guests = sql`select 'guest:' || g.id as id from guests g
    join jsonb_to_recordset(${held}::jsonb) h (guest uuid, access uuid) on h.guest = g.id and h.access = g.access`
  const [, outcome] = await firstRows<[unknown, Claimed]>(
    db,
    sql`with guest as materialized (${guests})
      select lock_collections(array(select collection_id from comments where user_id in (select id from guest)
        union select collection_id from reactions where user_id in (select id from guest)))`,
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
    )
    select (select count(*) from said)::int as comments, (select count(*) from taken)::int as reactions from (select count(*) from felt) done`,
  )
  return outcome ?? { comments: 0, reactions: 0 }
}
