import { type SQL, sql } from 'drizzle-orm'
import { FEED, type FeedQuery, type FeedVisit } from '../../contract/feed.ts'
import { type Db, oneRow } from '../db/client.ts'
import { answersToItem } from './answers.ts'
import { fileVersionOf } from './asset-shape.ts'
import { IS_NEWS, IS_WRITTEN, mentions } from './comment-news.ts'
import { type Position, positionSql, readCursor, writeCursor } from './cursor.ts'
import { SHOWN_AS } from './group-shape.ts'
import { displayNameOf, ITEMS, type ItemKind } from './permissions.ts'
import { assetSeenBy } from './post-shape.ts'

/** Links read per page, over all collections. */
const WINDOW = 2_000

/** Comments of a collection that are looked through for those that concern the caller: the newest ones. */
const COMMENTS = 2_000

/** Characters of a post's HTML from which its excerpt is made. */
const READ_FOR_EXCERPT = 4 * FEED.excerpt

export interface FeedPage {
  /** JSON text. */
  items: string
  nextCursor: string | null
  seenAt: string | null
  asOf: string
}

/** Start of a page: links older than `from` are grouped, and the groups after `before` are shown. */
interface FeedPosition {
  from: Position | null
  before: Position | null
}

interface FeedRow {
  items: string
  seen_at: string | null
  as_of: string
  before_sort: string | null
  before_id: string | null
  from_sort: string | null
  from_id: string | null
}

/**
 * New items and members in the caller's collections, grouped by person, collection, kind and day, and comments that concern the caller, grouped by item,
 * collection and day. A window of links is grouped and paged through. The next window begins where it ended: at the start of a day, unless one day fills a whole window. One statement, whose cost
 * depends only on the size of the window.
 */
export async function listFeed(db: Db, userId: string, { limit = FEED.size, cursor }: FeedQuery): Promise<FeedPage> {
  const scope = `feed ${userId}`
  const position = cursor === undefined ? { from: null, before: null } : await readFeedCursor(cursor, scope)
  const row = await oneRow<FeedRow>(db, feedOf(userId, position, limit))
  const next = nextPosition(row, position)
  return { items: row.items, nextCursor: next && (await writeFeedCursor(next, scope)), seenAt: row.seen_at, asOf: row.as_of }
}

function nextPosition({ before_sort, before_id, from_sort, from_id }: FeedRow, { from }: FeedPosition): FeedPosition | null {
  if (before_sort && before_id) return { from, before: { sort: before_sort, id: before_id } }
  return from_sort && from_id ? { from: { sort: from_sort, id: from_id }, before: null } : null
}

/** Stores the time up to which the user has seen the feed, and returns the stored time. It never goes back, and is never in the future. */
export async function recordVisit(db: Db, userId: string, { seenAt }: FeedVisit): Promise<string> {
  const row = await oneRow<{ seen_at: string }>(
    db,
    sql`insert into feed_visits as v (user_id, seen_at) values (${userId}, least(${seenAt}::timestamptz, now()))
      on conflict (user_id) do update set seen_at = greatest(v.seen_at, excluded.seen_at) returning ${MOMENT(sql`v.seen_at`)} as seen_at`,
  )
  return row.seen_at
}

/** A timestamp as JSON writes it. */
const MOMENT = (moment: SQL) => sql`to_json(${moment}) #>> '{}'`

function feedOf(userId: string, { from, before }: FeedPosition, limit: number): SQL {
  return sql`with mine as materialized (
      select c.id, c.name, c.created_at, p.id as person from memberships m join collections c on c.id = m.collection_id
        left join people p on p.collection_id = c.id and p.user_id = m.user_id
      where m.user_id = ${userId} and c.deleted_at is null
    ),
    ${commentsHeard(userId, from)},
    recent as materialized (
      select near.*, ${DAY(sql`near.added_at`)} as day, row_number() over (order by near.added_at desc, near.id desc) as nth
      from (
        select near.*, null::uuid as item from mine
          cross join lateral (${newestOf('post', from)} union all ${newestOf('asset', from)} union all ${newestMembers(userId, from)}) near
        union all
        select 'comment', h.id, h.collection_id, h.user_id, h.added_at, null, h.item from heard h ${from ? sql`where (h.added_at, h.id) < ${positionSql(from)}` : sql``}
      ) near
      order by near.added_at desc, near.id desc limit ${sql.raw(String(WINDOW + 1))}
    ),
    edge as materialized (select day from recent where nth > ${sql.raw(String(WINDOW))}),
    kept as materialized (
      -- Of the parts of a group that one person added on one day, the cover counts, or the newest.
      select *, group_id is null or row_number() over (
        partition by kind, collection_id, user_id, day, group_id order by id = (select g.cover from groups g where g.id = group_id) desc, nth) = 1 as counted
      from recent where nth <= ${sql.raw(String(WINDOW))} and (
        not exists (select from edge) or day > (select day from edge) or (select day from edge) = (select day from recent where nth = 1))
    ),
    entries as (
      select kind, collection_id, user_id, item, day, max(added_at) as at, count(*) filter (where counted) as count,
        array_agg(coalesce(item, id) order by nth) filter (where counted) as ids,
        ${stableId(sql`concat_ws(' ', kind, collection_id, coalesce(item::text, user_id), day)`)} as id
      from kept group by kind, collection_id, user_id, item, day
    ),
    shown as materialized (
      select g.*, g.ids[1:${sql.raw(String(FEED.samples))}] as newest, row_number() over (order by g.at desc, g.id desc) as nth from entries g
      ${before ? sql`where (g.at, g.id) < ${positionSql(before)}` : sql``}
      order by g.at desc, g.id desc limit ${limit}::int + 1
    )
    select (
      select coalesce(json_agg(json_build_object('id', s.id, 'kind', s.kind, 'collection_id', s.collection_id, 'collection_name', mine.name,
        'user_id', s.user_id, 'user_name', ${displayNameOf},
        'user_avatar', case when exists (select from members f where f.collection_id = s.collection_id and f.user_id = s.user_id) then u.avatar end,
        'at', s.at, 'count', coalesce(h.count, s.count),
        'photos', coalesce(media.photos, 0), 'videos', coalesce(media.videos, 0),
        'samples', case coalesce(h.kind, s.kind) when 'post' then ${samplesOfPosts(userId)} when 'asset' then ${SAMPLES_OF_ASSETS} else '[]' end,
        'thread', case coalesce(h.kind, s.kind) when 'post' then ${threadOf('post', userId)} when 'asset' then ${threadOf('asset', userId)} end,
        'comment', case when h.id is not null then json_build_object('text', ${SAID}, 'others', h.others, 'mentioned', h.mentioned, 'own', h.own) end)
        order by s.nth), '[]')::text
      from shown s join mine on mine.id = s.collection_id join users u on u.id = s.user_id left join lateral ${MEDIA} media on true
        left join heard h on (h.collection_id, h.item, h.day) = (s.collection_id, s.item, s.day)
      where s.nth <= ${limit}::int
    ) as items, (select ${MOMENT(sql`v.seen_at`)} from feed_visits v where v.user_id = ${userId}) as seen_at,
      ${MOMENT(sql`now()`)} as as_of, page.*, rest.*
    from (values (1)) one
    left join (
      select (at at time zone 'UTC')::text as before_sort, id::text as before_id from shown
      where nth = ${limit}::int and exists (select from shown where nth > ${limit}::int)
    ) page on true
    left join lateral (
      select (added_at at time zone 'UTC')::text as from_sort, id::text as from_id from kept where exists (select from edge)
      order by nth desc limit 1
    ) rest on true`
}

/** The newest visible links of collection `mine`, older than `from`. */
function newestOf(kind: ItemKind, from: Position | null): SQL {
  const { links, key } = ITEMS[kind]
  const group = kind === 'asset' ? sql`l.group_id` : sql`null::uuid`
  return sql`(select ${kind}::text as kind, l.${key} as id, l.collection_id, l.user_id, l.added_at, ${group} as group_id from ${links} l
    where l.collection_id = mine.id and l.live
      ${from ? sql`and (l.added_at, l.${key}) < ${positionSql(from)}` : sql``}
    order by l.added_at desc nulls last, l.${key} desc nulls last limit ${sql.raw(String(WINDOW + 1))})`
}

/** A UUID of version 8 (RFC 9562), derived from the text. */
const stableId = (text: SQL) => sql`overlay(overlay(md5(${text}) placing '8' from 13) placing '8' from 17)::uuid`

/** The newest members of `mine` that joined before `from`, without the caller and whoever made it, who joined at that moment. */
function newestMembers(userId: string, from: Position | null): SQL {
  return sql`(select 'member'::text as kind, ${stableId(sql`j.user_id`)} as id, j.collection_id, j.user_id, j.joined_at as added_at, null::uuid as group_id from members j
    where j.collection_id = mine.id and j.joined_at > mine.created_at and j.user_id <> ${userId}
      ${from ? sql`and (j.joined_at, ${stableId(sql`j.user_id`)}) < ${positionSql(from)}` : sql``}
    order by j.joined_at desc, ${stableId(sql`j.user_id`)} desc limit ${sql.raw(String(WINDOW + 1))})`
}

/** A moment's day. */
const DAY = (moment: SQL) => sql`(${moment} at time zone 'UTC')::date`

/**
 * The CTE `heard`: by item, collection and day, the comments of others that concern the caller (comment-news.ts). Each item is looked up once, however many
 * comments it has.
 */
function commentsHeard(userId: string, from: Position | null): SQL {
  const topics = (kind: ItemKind) => {
    const { table, links, key } = ITEMS[kind]
    return sql`select ${kind}::text as kind, t.${key} as item, t.*, i.user_id = ${userId} as own from topics t
      join ${links} l on l.collection_id = t.collection_id and l.${key} = t.${key} and l.live join ${table} i on i.id = t.${key}`
  }
  // Whole days, so that a day has one entry wherever a window ends.
  const until = from
    ? sql`and s.created_at < (${DAY(sql`${from.sort}::timestamp at time zone 'UTC'`)} + 1)::timestamp at time zone 'UTC'`
    : sql``
  return sql`said as materialized (
      select s.* from mine cross join lateral (
        select s.id, s.collection_id, s.post_id, s.asset_id, s.user_id, s.created_at,
          mine.person is not null and ${mentions(sql`mine.person`)} as mentioned
        from comments s where s.collection_id = mine.id and ${IS_NEWS} ${until}
        order by s.created_at desc limit ${sql.raw(String(COMMENTS))}) s
    ),
    topics as materialized (
      select collection_id, post_id, asset_id, min(own_at) as since, array_agg(id) filter (where id is not null) as ids,
        array_agg(user_id) filter (where id is not null) as authors, array_agg(created_at) filter (where id is not null) as moments,
        array_agg(mentioned) filter (where id is not null) as mentions
      from (
        select *, null::timestamptz as own_at from said where user_id <> ${userId}
        union all
        select null, s.collection_id, s.post_id, s.asset_id, null, null, null, s.created_at from comments s
        where s.user_id = ${userId} and ${IS_WRITTEN} and exists (select from said)
      ) s group by collection_id, post_id, asset_id having count(id) > 0
    ),
    heard as materialized (
      select t.kind, t.collection_id, t.item, t.own, ${DAY(sql`s.created_at`)} as day, (array_agg(s.id order by s.created_at desc, s.id desc))[1] as id,
        (array_agg(s.user_id order by s.created_at desc, s.id desc))[1] as user_id, max(s.created_at) as added_at,
        count(*)::int as count, (count(distinct s.user_id) - 1)::int as others, bool_or(s.mentioned) as mentioned
      from (${topics('post')} union all ${topics('asset')}) t
        cross join lateral unnest(t.ids, t.authors, t.moments, t.mentions) s (id, user_id, created_at, mentioned)
      where t.own or s.mentioned or s.created_at > t.since
      group by t.kind, t.collection_id, t.item, t.own, day
    )`
}

/** Numbers of photos and videos in entry `s`, by the same rule as the web app (web/lib/media.ts). */
const MEDIA = sql`(select count(*) filter (where i.type like 'image/%' and i.type <> 'image/svg+xml') as photos,
    count(*) filter (where i.type like 'video/%') as videos
  from assets i where s.kind = 'asset' and i.id = any(s.ids))`

const assetFields = (alias: 'a' | 'i') => {
  const asset = sql.raw(alias)
  return sql`'id', ${asset}.id, 'type', ${asset}.type, 'version', ${fileVersionOf(alias)}, 'thumbhash', ${asset}.thumbhash,
    'renditions', array(select name from jsonb_object_keys(${asset}.renditions) name where name <> 'film' order by 1 desc)`
}

const SAMPLES_OF_ASSETS = sql`(select coalesce(json_agg(json_build_object(${assetFields('i')}, 'title', i.name, 'excerpt', '', 'cover', null)
      order by array_position(s.newest, i.id)), '[]')
    from assets i where i.id = any(s.newest) and ${ITEMS.asset.live})`

const samplesOfPosts = (userId: string) => sql`(select coalesce(json_agg(json_build_object('id', i.id, 'type', i.type, 'version', i.version,
      'thumbhash', null, 'renditions', array[]::text[], 'title', i.title, 'excerpt', ${EXCERPT}, 'cover', (
        select json_build_object(${assetFields('a')}) from post_assets pa join assets a on a.id = pa.asset_id
        where pa.post_id = i.id and ${assetSeenBy(userId)} order by pa.position, a.id limit 1))
      order by array_position(s.newest, i.id)), '[]')
    from posts i where i.id = any(s.newest) and ${ITEMS.post.live})`

/**
 * The thread of entry `s`: that of its first item, which stays the first while more are added. Of a day that fills the window, which may begin after it,
 * the first is looked up.
 */
function threadOf(kind: ItemKind, userId: string): SQL {
  const { table, links, key, live } = ITEMS[kind]
  const start = (days: number) => sql`(s.day + ${sql.raw(String(days))})::timestamp at time zone 'UTC'`
  return sql`(select json_build_object('item', json_build_object('kind', ${kind}::text, 'id', i.id), 'type', i.type,
      'title', ${kind === 'post' ? sql`i.title` : sql`i.name`}, 'answers', ${answersToItem(kind, userId, sql`s.collection_id`)})
    from ${table} i where ${live} and i.id = case when s.item is null and s.day = (select day from edge) then (
        select ${kind === 'asset' ? SHOWN_AS : sql`l.post_id`} from ${links} l where l.collection_id = s.collection_id and l.user_id = s.user_id and l.live
          and l.added_at >= ${start(0)} and l.added_at < ${start(1)} order by l.added_at, l.${key} limit 1)
      else s.ids[cardinality(s.ids)] end)`
}

/** The start of comment `h`, on one line. */
const SAID = sql`(select rtrim(left(btrim(regexp_replace(left(s.text, ${sql.raw(String(READ_FOR_EXCERPT))}), '\\s+', ' ', 'g')), ${sql.raw(String(FEED.excerpt))}))
  from comments s where s.id = h.id)`

/** The only entities in sanitised HTML (content/sanitize.ts). */
const ENTITIES = [
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&nbsp;', ' '],
  ['&amp;', '&'],
]

/** The body of post `i` without its tags. Inline tags do not separate words; others become a space. */
const UNTAGGED = sql`regexp_replace(regexp_replace(left(i.body, ${sql.raw(String(READ_FOR_EXCERPT))}),
  '</?(a|b|em|i|span|strong|u)( [^>]*)?>', '', 'g'), '<[^>]*(>|$)', ' ', 'g')`

const DECODED = ENTITIES.reduce(
  (text, [entity, character]) => sql`replace(${text}, ${sql.raw(`'${entity}'`)}, ${sql.raw(`'${character}'`)})`,
  UNTAGGED,
)

/** The first characters of the text of post `i`, on one line. */
export const EXCERPT = sql`rtrim(left(btrim(regexp_replace(${DECODED}, '\\s+', ' ', 'g')), ${sql.raw(String(FEED.excerpt))}))`

/** Binds each half of a cursor to the presence of the other, so that half a cursor is refused. */
const half = (scope: string, name: string, other: boolean) => `${scope} ${name} ${other ? 'of two' : 'alone'}`

async function readFeedCursor(cursor: string, scope: string): Promise<FeedPosition> {
  const at = cursor.indexOf('.')
  const [from, before] = at < 0 ? ['', ''] : [cursor.slice(0, at), cursor.slice(at + 1)]
  const read = (text: string, name: string, other: string) =>
    text === '' && other !== '' ? null : readCursor(text, half(scope, name, other !== ''))
  return { from: await read(from, 'from', before), before: await read(before, 'before', from) }
}

async function writeFeedCursor({ from, before }: FeedPosition, scope: string): Promise<string> {
  const write = (position: Position | null, name: string, other: Position | null) =>
    position ? writeCursor(position, half(scope, name, other !== null)) : ''
  return `${await write(from, 'from', before)}.${await write(before, 'before', from)}`
}
