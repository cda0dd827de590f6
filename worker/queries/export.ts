import { type SQL, sql } from 'drizzle-orm'
import type { Archive, ArchivedAsset, ArchivedPost } from '../../contract/archive.ts'
import type { DatePrecision } from '../../contract/dates.ts'
import type { Places } from '../../contract/places.ts'
import type { Span } from '../content/calendar.ts'
import { type Db, firstRow, oneRow } from '../db/client.ts'
import { groupJson } from './group-shape.ts'
import { displayNameOf, ITEMS, type ItemKind, roleIn, uuids } from './permissions.ts'
import { DATE_ZONE, filePlace, LOCATION, placeSeen } from './places.ts'

export type ExportHead = Pick<Archive, 'collection' | 'members' | 'people'>

const LIST_PAGE = 5_000
/** Of a comment in an archive, besides its text. */
const COMMENT_BYTES = 300

/** Null if the caller is not a member. */
export async function findExportHead(db: Db, userId: string, collectionId: string): Promise<ExportHead | null> {
  return firstRow<ExportHead>(
    db,
    sql`select json_build_object('id', c.id, 'name', c.name, 'icon', c.icon, 'theme', c.theme, 'answers', c.answers, 'places', c.places,
        'created_at', c.created_at) as collection,
      (select json_agg(json_build_object('name', ${displayNameOf}, 'role', m.role)
        order by array_position('{owner,admin,write,read}', m.role), lower(${displayNameOf}), m.user_id)
        from members m join users u on u.id = m.user_id where m.collection_id = c.id) as members,
      (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name) order by lower(p.name), p.id), '[]')
        from people p where p.collection_id = c.id) as people
    from collections c where c.id = ${collectionId} and ${roleIn(collectionId, userId)} is not null`,
  )
}

export interface ExportFile {
  id: string
  name: string
  type: string
  size: number
  date: string | null
  date_zone: string | null
  date_precision: DatePrecision
  /** Bytes of what is said about it. */
  said: number
}

/** What everyone reads of comments. */
const SHOWN = sql`deleted_at is null and hidden_at is null`

/** Bytes of the comments on item `i`, about as they are in an archive. */
const saidBytes = (kind: ItemKind, collectionId: string) => sql`(
  select coalesce(sum(octet_length(s.text) + ${COMMENT_BYTES}::int), 0) from comments s
  where s.collection_id = ${collectionId} and s.${ITEMS[kind].key} = i.id and ${SHOWN})`

/** Pages of all files of the collection, in the order of their ids. Ends if the caller is no longer a member. */
export async function* listExportFiles(db: Db, userId: string, collectionId: string): AsyncGenerator<ExportFile[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { list } = await oneRow<{ list: ExportFile[] }>(
      db,
      sql`select coalesce(json_agg(json_build_object('id', i.id, 'name', i.name, 'type', i.type, 'size', i.size,
          'date', i.date, 'date_zone', ${DATE_ZONE}, 'date_precision', i.date_precision,
          'said', ${saidBytes('asset', collectionId)}) order by page.asset_id), '[]') as list
        from (select asset_id from asset_collections l
          where l.collection_id = ${collectionId} and l.live and l.asset_id > ${after}::uuid and ${roleIn(collectionId, userId)} is not null
          order by l.asset_id limit ${LIST_PAGE}) page
        join assets i on i.id = page.asset_id cross join lateral ${placeSeen('asset', userId)} placed`,
    )
    if (list.length > 0) yield list
    const last = list.at(-1)
    if (!last || list.length < LIST_PAGE) return
    after = last.id
  }
}

/** A post without its content. `event` is the time of an event whose date is known at least to the day. */
export interface ExportPost {
  id: string
  /** Of the body and what is said about it. */
  bytes: number
  event: Span | null
}

/** What the caller may now learn of a place from the bytes of these assets, as far as they are in the collection. Null if the caller is no longer a member. */
export async function readFilePlaces(db: Db, userId: string, { collectionId, ids }: Page): Promise<Map<string, Places> | null> {
  const { places } = await oneRow<{ places: Record<string, Places> | null }>(
    db,
    sql`select case when ${roleIn(collectionId, userId)} is not null then (
      select coalesce(json_object_agg(i.id, ${filePlace(userId)}), '{}') from unnest(${uuids(ids)}) wanted(id)
      join asset_collections l on l.asset_id = wanted.id and l.collection_id = ${collectionId} and l.live
      join assets i on i.id = wanted.id) end as places`,
  )
  return places && new Map(Object.entries(places))
}

/** The collection's posts, oldest first. Null if the caller is no longer a member. */
export async function listExportPosts(db: Db, userId: string, collectionId: string): Promise<ExportPost[] | null> {
  const { list } = await oneRow<{ list: ExportPost[] | null }>(
    db,
    sql`select case when ${roleIn(collectionId, userId)} is not null then (select coalesce(json_agg(json_build_object('id', i.id, 'bytes', octet_length(i.body) + ${saidBytes('post', collectionId)}, 'event',
        case when i.type = 'event' and i.date_precision in ('minute', 'day') then json_build_object(${WHEN}, 'ends_at', i.ends_at) end)
        order by l.sort_at, l.post_id), '[]')
      from post_collections l join posts i on i.id = l.post_id cross join lateral ${placeSeen('post', userId)} placed
      where l.collection_id = ${collectionId} and l.live) end as list`,
  )
  return list
}

const WRITTEN = sql`'author', coalesce(i.original_author, (select ${displayNameOf} from users u where u.id = i.user_id)), 'created_at', i.created_at, 'updated_at', i.updated_at,
  'added_by', (select ${displayNameOf} from users u where u.id = l.user_id), 'added_at', l.added_at`
const HIDDEN = sql`place_seen = 2 and i.place_hidden`
const WHEN = sql`'date', i.date, 'date_zone', ${DATE_ZONE}, 'date_precision', i.date_precision`

const nameOf = (userId: SQL) => sql`(select ${displayNameOf} from users u where u.id = ${userId})`

/** Reactions `r` to what `where` names, by emoji, with the names of who chose them. */
const reactionsTo = (where: SQL) => sql`(
  select coalesce(json_agg(json_build_object('emoji', emoji, 'who', who) order by first, emoji), '[]') from (
    select r.emoji, min(r.created_at) as first, json_agg(coalesce(r.original_author, ${nameOf(sql`r.user_id`)}) order by r.created_at, r.id) as who
    from reactions r where ${where} group by r.emoji) kind)`

/** People whom comment `s` names, as far as they are in the collection. */
const mentionedBy = sql`(
  select coalesce(json_agg(p.id order by x.nth), '[]') from jsonb_array_elements(s.mentions) with ordinality x (entry, nth)
  join people p on p.id = (x.entry ->> 'person_id')::uuid and p.collection_id = s.collection_id)`

/** What is said about item `i` in the collection, as far as everyone reads it. */
const saidAbout = (kind: ItemKind, collectionId: string) => {
  const { key } = ITEMS[kind]
  return sql`'comments', (select coalesce(json_agg(json_build_object('id', s.id, 'author', coalesce(s.original_author, ${nameOf(sql`s.user_id`)}), 'text', s.text,
      'mentions', ${mentionedBy},
      'reply_to', (select id from comments where id = s.reply_to and ${SHOWN}), 'created_at', s.created_at, 'edited_at', s.edited_at,
      'reactions', ${reactionsTo(sql`r.comment_id = s.id`)}) order by s.created_at, s.id), '[]')
    from comments s where s.collection_id = ${collectionId} and s.${key} = i.id and ${SHOWN}),
  'reactions', ${reactionsTo(sql`r.collection_id = ${collectionId} and r.${key} = i.id`)}`
}

interface Page {
  collectionId: string
  ids: readonly string[]
}

/** The descriptions of these assets, as far as they have one and are in the collection. Null if the caller is no longer a member. */
export async function readExportAlts(db: Db, userId: string, { collectionId, ids }: Page): Promise<Map<string, string> | null> {
  const { alts } = await oneRow<{ alts: Record<string, string> | null }>(
    db,
    sql`select case when ${roleIn(collectionId, userId)} is not null then (
      select coalesce(json_object_agg(i.id, i.alt), '{}') from assets i
      join asset_collections l on l.asset_id = i.id and l.collection_id = ${collectionId} and l.live
      where i.id = any(${uuids(ids)}) and i.alt is not null) end as alts`,
  )
  return alts && new Map(Object.entries(alts))
}

/** The assets with these ids, in this order, as far as they are in the collection. Null if the caller is no longer a member. */
export async function readExportAssets(db: Db, userId: string, { collectionId, ids }: Page): Promise<Omit<ArchivedAsset, 'file'>[] | null> {
  const { list } = await oneRow<{ list: Omit<ArchivedAsset, 'file'>[] | null }>(
    db,
    sql`select case when ${roleIn(collectionId, userId)} is not null then (
      select coalesce(json_agg(json_build_object('id', i.id, 'name', i.name, 'type', i.type, 'size', i.size, 'checksum', i.checksum,
        'width', i.width, 'height', i.height, 'duration', i.duration, 'thumbhash', i.thumbhash, 'alt', i.alt, ${WHEN}, 'location', ${LOCATION}, 'place_hidden', ${HIDDEN},
        'people', array(select p.id from asset_people ap join people p on p.id = ap.person_id
          where ap.asset_id = i.id and p.collection_id = ${collectionId} order by p.id),
        'group', (select json_build_object('id', shown -> 'id', 'cover', shown -> 'cover')
          from (select ${groupJson} as shown from groups g where g.id = l.group_id) found where shown is not null), ${saidAbout('asset', collectionId)}, ${WRITTEN}) order by wanted.nth), '[]')
      from unnest(${uuids(ids)}) with ordinality wanted(id, nth)
      join asset_collections l on l.asset_id = wanted.id and l.collection_id = ${collectionId} and l.live
      join assets i on i.id = wanted.id cross join lateral ${placeSeen('asset', userId)} placed) end as list`,
  )
  return list
}

/** The same for posts. Their `assets` are only those that are in the collection. */
export async function readExportPosts(db: Db, userId: string, { collectionId, ids }: Page): Promise<ArchivedPost[] | null> {
  const { list } = await oneRow<{ list: ArchivedPost[] | null }>(
    db,
    sql`select case when ${roleIn(collectionId, userId)} is not null then (
      select coalesce(json_agg(json_build_object('id', i.id, 'type', i.type, 'kind', i.kind, 'title', i.title, 'body', i.body, ${WHEN},
        'ends_at', i.ends_at, 'location', ${LOCATION}, 'place_hidden', ${HIDDEN},
        'assets', array(select pa.asset_id from post_assets pa
          join asset_collections al on al.asset_id = pa.asset_id and al.collection_id = ${collectionId} and al.live
          where pa.post_id = i.id order by pa.position, pa.asset_id),
        'people', array(select p.id from post_people pp join people p on p.id = pp.person_id
          where pp.post_id = i.id and p.collection_id = ${collectionId} order by p.id), ${saidAbout('post', collectionId)}, ${WRITTEN}) order by wanted.nth), '[]')
      from unnest(${uuids(ids)}) with ordinality wanted(id, nth)
      join post_collections l on l.post_id = wanted.id and l.collection_id = ${collectionId} and l.live
      join posts i on i.id = wanted.id cross join lateral ${placeSeen('post', userId)} placed) end as list`,
  )
  return list
}
