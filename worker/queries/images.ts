import { type SQL, sql } from 'drizzle-orm'
import type { RenditionName } from '../../contract/limits.ts'
import type { Places } from '../../contract/places.ts'
import { type Db, firstRow, firstRows, rows } from '../db/client.ts'
import { fileVersionOf } from './asset-shape.ts'
import type { StoredFile } from './assets.ts'
import { type FileSays, filledFrom, IN_TURN, TURN_OF, type UnreadFile, ZONE_OF_AUTHOR } from './metadata.ts'
import { awaitsAnswerOf, ITEMS, linksSeenBy, visibleItem } from './permissions.ts'
import { filePlace } from './places.ts'

/** An asset from which images are made. `width` and `height` are as declared by the browser that uploaded it. */
export interface ImageSource extends StoredFile {
  width: number | null
  height: number | null
}

/** One that the caller sees; `place` is what they may learn of a place from the original. */
export interface SeenImage extends ImageSource {
  place: Places
}

/** A photo of which the minute's task makes what is missing. */
export interface ClaimedImage extends ImageSource, UnreadFile {
  /** Nobody has read date, place and caption in its file. */
  unread: boolean
}

/** Columns of asset `i` as an ImageSource. */
export const IMAGE_SOURCE = sql`i.id, i.name, i.type, i.size, i.checksum, i.renditions, ${fileVersionOf('i')} as version, i.width, i.height`
type ImageRow = Omit<ImageSource, 'size'> & { size: string }
const seenImage = (userId: string) => sql`${IMAGE_SOURCE}, ${filePlace(userId)} as place`
type SeenRow = ImageRow & Pick<SeenImage, 'place'>
const imageSource = <T extends ImageRow>(row: T) => ({ ...row, size: Number(row.size) })

/**
 * The asset, if it is ready and the caller sees it, and as many of its neighbours on either side in the list of one of the caller's collections.
 * In no particular order. The collection is the first one by time: to find any, Postgres might look through a whole one.
 */
export async function findImageSources(
  db: Db,
  userId: string,
  { id, neighbours }: { id: string; neighbours: number },
): Promise<SeenImage[]> {
  const beside = (order: SQL, than: SQL) => sql`(select l.asset_id from asset_collections l
    where l.collection_id = place.collection_id and l.live and (l.sort_at, l.asset_id) ${than} (place.sort_at, ${id}::uuid)
    order by l.sort_at ${order}, l.asset_id ${order} limit ${neighbours}::int)`
  const found = await rows<SeenRow>(
    db,
    sql`with asked as materialized (
      select i.* from assets i where i.id = ${id} and i.status = 'ready' and (${visibleItem('asset', userId)} or ${awaitsAnswerOf(userId)})
    ),
    place as materialized (
      select l.* from asked i cross join lateral (
        select l.collection_id, l.sort_at ${linksSeenBy('asset', userId)} and l.live order by l.added_at limit 1) l
    )
    select ${seenImage(userId)} from asked i
    union all
    select ${seenImage(userId)} from place cross join lateral (
      ${beside(sql`desc nulls last`, sql`<`)} union all ${beside(sql`asc nulls first`, sql`>`)}) near
    join assets i on i.id = near.asset_id and ${ITEMS.asset.live}`,
  )
  return found.map(imageSource)
}

/** The newest pictures of a collection. Empty if the caller is not a member. */
export async function findNewestImages(db: Db, userId: string, { collectionId, limit }: { collectionId: string; limit: number }) {
  const found = await rows<SeenRow>(
    db,
    sql`select ${seenImage(userId)} from (
      select l.asset_id from asset_collections l where l.collection_id = ${collectionId} and l.live
        and exists (select from memberships m join collections c on c.id = m.collection_id and c.deleted_at is null
          where m.collection_id = ${collectionId} and m.user_id = ${userId})
      order by l.sort_at desc nulls last, l.asset_id desc nulls last limit ${limit}::int) newest
    join assets i on i.id = newest.asset_id and ${ITEMS.asset.live}`,
  )
  return found.map(imageSource)
}

/** The newest picture that a link shows, for apps in which the link is sent. */
export async function findLinkImage(db: Db, linkId: string): Promise<ImageSource | null> {
  const [, row] = await firstRows<[unknown, ImageRow]>(
    db,
    sql`select cover_link(l.id) from links l join collections c on c.id = l.collection_id
      where l.id = ${linkId} and l.kind <> 'collection' and l.covered_revision is distinct from c.revision`,
    sql`select ${IMAGE_SOURCE} from links l join asset_collections ac on ac.collection_id = l.collection_id and ac.live
      join assets i on i.id = ac.asset_id and i.renditions ? 'preview'
      where l.id = ${linkId} and (l.kind = 'collection'
        or exists (select from link_items li where li.link_id = l.id and li.asset_id = ac.asset_id and li.live))
      order by ac.sort_at desc nulls last, ac.asset_id desc limit 1`,
  )
  return row && imageSource(row)
}

/** Photos per run of the minute's task: each takes about ten calls of storage, the image service and the database. */
const BATCH = 40
const MAX_ATTEMPTS = 5
/** Minutes until a photo is due again, doubled with each attempt. */
const DELAY = 5

/** Claims photos whose missing renditions are due, the first of each author before others of theirs. The attempt is counted first, so that one that ends the worker counts too. */
export async function claimMissingRenditions(db: Db): Promise<ClaimedImage[]> {
  const claimed = await rows<ImageRow & Pick<ClaimedImage, 'unread' | 'zone'>>(
    db,
    sql`with waiting as materialized (
      select r.asset_id, r.due_at, ${TURN_OF} as whose from missing_renditions r join assets i on i.id = r.asset_id and ${ITEMS.asset.live}
      where r.due_at <= now() and r.attempts < ${MAX_ATTEMPTS} order by r.due_at limit ${IN_TURN}::int
    ),
    next as materialized (
      select asset_id from (select *, row_number() over (partition by whose order by due_at) as turn from waiting) w
      order by turn, due_at limit ${BATCH}
    ),
    due as materialized (
      select r.asset_id from missing_renditions r join next using (asset_id)
      where r.due_at <= now() and r.attempts < ${MAX_ATTEMPTS} for update of r skip locked
    ),
    claimed as (
      update missing_renditions r set attempts = r.attempts + 1, due_at = now() + make_interval(mins => ${DELAY} * (2 ^ r.attempts)::int)
      from due where r.asset_id = due.asset_id returning r.asset_id
    )
    select ${IMAGE_SOURCE}, i.metadata_read is null as unread, ${ZONE_OF_AUTHOR} as zone from claimed join assets i on i.id = claimed.asset_id`,
  )
  return claimed.map(imageSource)
}

/** Makes this the last attempt, for which nothing waits. */
export async function giveUpRenditions(db: Db, id: string): Promise<void> {
  await rows(db, sql`update missing_renditions set attempts = ${MAX_ATTEMPTS}, due_at = now() where asset_id = ${id}`)
}

export interface MadeRenditions {
  /** Media types by name, of those that were missing. */
  types: Partial<Record<RenditionName, string>>
  width: number | null
  height: number | null
  thumbhash: string | null
}

/**
 * Records what was made, with what the file says of itself, in one update. Fields that the asset has already stay. False if it was deleted
 * meanwhile.
 */
export async function recordMadeRenditions(
  db: Db,
  id: string,
  { types, width, height, thumbhash }: MadeRenditions,
  says: FileSays | null,
): Promise<boolean> {
  const row = await firstRow(
    db,
    sql`with done as (delete from missing_renditions where asset_id = ${id})
    update assets a set renditions = renditions || ${JSON.stringify(types)}::jsonb, thumbhash = coalesce(thumbhash, ${thumbhash}),
      width = coalesce(width, ${width}::int), height = coalesce(height, ${height}::int)${says ? sql`, ${filledFrom(says)}` : sql``}
    where id = ${id} returning 1 as recorded`,
  )
  return row !== null
}
