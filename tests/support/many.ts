import type { LocalSql } from '../../dev/neon.ts'

interface Growth {
  collectionId: string
  userId: string
  /** Numbers of items before and after: half posts, half photos. */
  from: number
  to: number
}

/** Rows per statement. */
const PORTION = 50_000

/**
 * Items of many years. With the triggers a million would take longer than the tests and measurements themselves, so each batch sets what
 * the triggers maintain (sort keys, months, counts, the log).
 */
export async function grow(sql: LocalSql, { collectionId, userId, from, to }: Growth): Promise<void> {
  for (let at = from / 2; at < to / 2; at += PORTION) {
    const range = [at + 1, Math.min(at + PORTION, to / 2)]
    const count = (range[1] ?? 0) - at
    for (const kind of ['post', 'asset'] as const) {
      await sql.transaction([
        sql.query(`set local session_replication_role = replica`),
        sql.query(STATEMENTS[kind], [collectionId, userId, ...range, ...(kind === 'asset' ? [collectionId] : [])]),
        sql.query(`update collections set revision = revision + 1, ${kind}_count = ${kind}_count + ${count} where id = $1`, [collectionId]),
        sql.query(
          `insert into changes (collection_id, revision, table_name, event, ids, published_at)
          select id, revision, '${kind}_collections', 'INSERT', '{}', now() from collections where id = $1`,
          [collectionId],
        ),
      ])
    }
  }
  await settle(sql)
}

const TABLES =
  'posts, assets, post_collections, asset_collections, post_assets, asset_people, people, members, changes, collections, comments, reactions'

/**
 * Does at once what autovacuum does in its own time: planner statistics and the visibility map. Rows that an open transaction of another
 * test may not see yet are not marked as visible, and Postgres would rather scan a table than its index, so it is done until they are.
 */
export async function settle(sql: LocalSql): Promise<void> {
  for (let attempt = 0; attempt < 20; attempt++) {
    await sql.query(`vacuum analyze ${TABLES}`)
    const [row] = await sql.query(`select bool_and(relallvisible >= relpages * 0.9) as all_visible from pg_class
      where relname in ('post_collections', 'asset_collections') and relkind = 'r'`)
    if (row?.all_visible) return
  }
}

const MOMENT = `timestamptz '2006-01-01' + (n::bigint * 7919 % 7300) * interval '1 day' + n * interval '1 second'`
const linked = (kind: 'post' | 'asset') => `insert into ${kind}_collections (collection_id, ${kind}_id, user_id, added_at, sort_at, month)
  select $1::uuid, id, $2, now() - random() * interval '3000 days', date, date_trunc('month', date at time zone 'UTC')::date from made`

const STATEMENTS = {
  post: `with made as (
      insert into posts (id, user_id, type, title, body, date, date_precision)
      select gen_random_uuid(), $2, 'note', 'Day ' || n, '<p>Words about it</p>', ${MOMENT}, 'minute' from generate_series($3::int, $4::int) n
      returning id, date)
    ${linked('post')}`,
  asset: `with made as (
      insert into assets (id, user_id, status, name, type, size, checksum, width, height, thumbhash, renditions, date, date_precision, lat, lon)
      select gen_random_uuid(), $2, 'ready', 'IMG_' || n || '.jpg', 'image/jpeg', 3000000, encode(sha256(($5::text || n)::bytea), 'hex'), 4000, 3000,
        '1QcSHQRnh493V4dIh4eXh1h4kJUI', '{"thumb":"image/webp","preview":"image/webp"}', ${MOMENT}, 'minute', 48.2, 16.4
      from generate_series($3::int, $4::int) n
      returning id, date)
    ${linked('asset')}`,
}

/** Tags a person in a thousand photos, and adds three photos to each of 300 posts: the newest, which are on the first page. */
export async function decorate(sql: LocalSql, collectionId: string): Promise<void> {
  await sql`
    with person as (insert into people (id, collection_id, name) values (gen_random_uuid(), ${collectionId}, 'Grandma') returning id)
    insert into asset_people (asset_id, person_id) select l.asset_id, person.id from person, (
      select asset_id from asset_collections where collection_id = ${collectionId} and live
      order by sort_at desc nulls last, asset_id desc nulls last limit 1000) l`
  await sql`
    insert into post_assets (post_id, asset_id, position)
    select p.post_id, a.asset_id, 1 + a.nth % 3
    from (
      select post_id, row_number() over (order by sort_at desc nulls last, post_id desc nulls last) as nth
      from post_collections where collection_id = ${collectionId} and live order by nth limit 300) p
    join (
      select asset_id, row_number() over (order by sort_at desc nulls last, asset_id desc nulls last) - 1 as nth
      from asset_collections where collection_id = ${collectionId} and live order by nth limit 900) a on a.nth / 3 + 1 = p.nth`
}
