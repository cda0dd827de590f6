import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { collections, people } from './collections.ts'
import { createdAt, dateAndLocation, moment, updatedAt } from './columns.ts'

export const posts = pgTable(
  'posts',
  {
    id: uuid('id').primaryKey(),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id),
    type: text('type').notNull(),
    kind: text('kind'),
    title: text('title').notNull(),
    body: text('body').notNull().default(''),
    /** As of an asset. */
    original_author: text('original_author'),
    ...dateAndLocation(),
    ends_at: moment('ends_at'),
    version: integer('version').notNull().default(1),
    created_at: createdAt(),
    updated_at: updatedAt(),
    deleted_at: moment('deleted_at'),
  },
  (t) => [
    index('posts_user_date').on(t.user_id, sql`coalesce(date, '-infinity') desc`, t.id.desc()),
    index('posts_deleted').on(t.deleted_at).where(sql`deleted_at is not null`),
    index('posts_user_deleted').on(t.user_id, t.deleted_at.desc()).where(sql`deleted_at is not null`),
    check('posts_type', sql`${t.type} in ('event', 'note')`),
    check('posts_date', sql`(${t.date} is null) = (${t.date_precision} = 'unknown')`),
    check('posts_precision', sql`${t.date_precision} in ('minute', 'day', 'month', 'year', 'unknown')`),
    check('posts_end', sql`${t.ends_at} is null or ${t.ends_at} >= ${t.date}`),
    check('posts_place', sql`(${t.lat} is null) = (${t.lon} is null) and ${t.lat} between -90 and 90 and ${t.lon} between -180 and 180`),
  ],
)

/**
 * Which assets their author's device may still read (queries/metadata.ts): pictures and films without a picture, films that nobody has read or measured,
 * raw photos that nobody has read, and photos whose tags the server did not find. Hardly any asset is among them for long.
 */
export const FOR_DEVICE = `status = 'ready' and deleted_at is null and coalesce(metadata_read, 0) < 2 and (
        ((type like 'image/%' or type like 'video/%') and type <> 'image/svg+xml' and not renditions ?& '{thumb,preview}')
        or (type like 'video/%' and (metadata_read is null or width is null or duration is null))
        or (type like 'image/x-%' and metadata_read is null) or metadata_read < 0)`

/** `checksum` is the SHA-256 in hex; `renditions` are those in object storage: name → media type. */
export const assets = pgTable(
  'assets',
  {
    id: uuid('id').primaryKey(),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id),
    status: text('status').notNull().default('uploading'),
    name: text('name').notNull(),
    type: text('type').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    checksum: text('checksum').notNull(),
    /** 0 for the first asset of a file; the next number if it is uploaded again while the others are frozen for their author (contract/policy.ts). */
    copy: smallint('copy').notNull().default(0),
    width: integer('width'),
    height: integer('height'),
    duration: doublePrecision('duration'),
    thumbhash: text('thumbhash'),
    alt: text('alt'),
    /** Who made it where it was imported from, as text: it gives no rights. */
    original_author: text('original_author'),
    /** Identifier that the camera wrote into every file of one shot. */
    content_id: text('content_id'),
    renditions: jsonb('renditions').$type<Record<string, string>>().notNull().default({}),
    ...dateAndLocation(),
    version: integer('version').notNull().default(1),
    /** Version at which the file or a rendition last changed; null if that is the current version. */
    file_version: integer('file_version'),
    /** Which reader has read date, place and caption in the file (queries/metadata.ts); null: none; 0: none any more, because a person has changed them; -1: a device may; 2: a device has. */
    metadata_read: smallint('metadata_read'),
    created_at: createdAt(),
    updated_at: updatedAt(),
    deleted_at: moment('deleted_at'),
  },
  (t) => [
    index('assets_user_date').on(t.user_id, sql`coalesce(date, '-infinity') desc`, t.id.desc()),
    index('assets_content_id').on(t.content_id).where(sql`content_id is not null`),
    index('assets_deleted').on(t.deleted_at).where(sql`deleted_at is not null`),
    index('assets_uploading').on(t.created_at).where(sql`status = 'uploading'`),
    index('assets_user_deleted').on(t.user_id, t.deleted_at.desc()).where(sql`deleted_at is not null`),
    index('assets_unread')
      .on(t.created_at)
      .where(
        sql`metadata_read is null and status = 'ready' and deleted_at is null and version > 1
        and (type in ('image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif', 'image/avif', 'image/tiff', 'image/jxl')
          or type like 'video/%')`,
      ),
    index('assets_for_device').on(t.user_id, t.id).where(sql.raw(FOR_DEVICE)),
    // For the minute's task, which looks for those that are nowhere.
    index('assets_of_guests').on(t.id).where(sql`user_id like 'guest:%' and deleted_at is null`),
    uniqueIndex('assets_one_per_file').on(t.user_id, t.checksum, t.copy).where(sql`status = 'ready' and deleted_at is null`),
    check('assets_status', sql`${t.status} in ('uploading', 'ready')`),
    // The length on its own: a regular expression that counts takes ten times as long, in every update of a row.
    check('assets_checksum', sql`length(${t.checksum}) = 64 and ${t.checksum} ~ '^[0-9a-f]*$'`),
    check('assets_size', sql`${t.size} > 0`),
    check('assets_date', sql`(${t.date} is null) = (${t.date_precision} = 'unknown')`),
    check('assets_precision', sql`${t.date_precision} in ('minute', 'day', 'month', 'year', 'unknown')`),
    check('assets_place', sql`(${t.lat} is null) = (${t.lon} is null) and ${t.lat} between -90 and 90 and ${t.lon} between -180 and 180`),
  ],
)

/**
 * Links repeat what lists need of an item, so that each list reads one index: `sort_at`, its date or -infinity; `month`, the first day of its
 * month in its time zone, or null; `live`, false if it is invisible. Only triggers write these three.
 */
const link = () => ({
  collection_id: uuid('collection_id')
    .notNull()
    .references(() => collections.id, { onDelete: 'cascade' }),
  user_id: text('user_id')
    .notNull()
    .references(() => users.id),
  added_at: moment('added_at').notNull().defaultNow(),
  sort_at: moment('sort_at').notNull().default(sql`'-infinity'`),
  month: date('month', { mode: 'string' }),
  live: boolean('live').notNull().default(true),
})

/** `event` is written by triggers, too: calendars read few events among many notes. */
export const postCollections = pgTable(
  'post_collections',
  {
    ...link(),
    event: boolean('event').notNull().default(false),
    post_id: uuid('post_id')
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.collection_id, t.post_id] }),
    index('post_collections_list').on(t.collection_id, t.sort_at.desc(), t.post_id.desc()).where(sql`live`),
    index('post_collections_events').on(t.collection_id, t.sort_at.desc(), t.post_id.desc()).where(sql`live and event`),
    index('post_collections_month').on(t.collection_id, t.month).where(sql`live`),
    index('post_collections_added').on(t.collection_id, t.added_at.desc(), t.post_id.desc()).where(sql`live`),
    index('post_collections_post').on(t.post_id),
    index('post_collections_user').on(t.user_id),
  ],
)

/** Assets that one collection shows as one item: what it is is read from its visible parts (queries/group-shape.ts). */
export const groups = pgTable(
  'groups',
  {
    id: uuid('id').primaryKey(),
    collection_id: uuid('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    /** Id of an asset. */
    cover: uuid('cover').notNull(),
    created_at: createdAt(),
    /** When its last part left it, written by triggers. It may be back since then. */
    emptied_at: moment('emptied_at'),
  },
  (t) => [
    index('groups_collection').on(t.collection_id),
    index('groups_emptied').on(t.emptied_at).where(sql`emptied_at is not null`),
    check('groups_kind', sql`${t.kind} in ('live', 'raw', 'burst', 'stack')`),
  ],
)

/** `bytes` is the size of the asset with its playable films, also written by triggers. */
export const assetCollections = pgTable(
  'asset_collections',
  {
    ...link(),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    /** The group in this collection that the asset is a part of, also while it is in the trash. */
    group_id: uuid('group_id').references(() => groups.id, { onDelete: 'set null' }),
    /** Whether other files of its shot were looked for (queries/shots.ts). 0: no; 1: yes; 2: a person took its group apart; null: no, and it is from before this. */
    parts_sought: smallint('parts_sought').default(0),
    asset_id: uuid('asset_id')
      .notNull()
      .references(() => assets.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.collection_id, t.asset_id] }),
    index('asset_collections_list').on(t.collection_id, t.sort_at.desc(), t.asset_id.desc()).where(sql`live`),
    index('asset_collections_month').on(t.collection_id, t.month).where(sql`live`),
    index('asset_collections_added').on(t.collection_id, t.added_at.desc(), t.asset_id.desc()).where(sql`live`),
    index('asset_collections_asset').on(t.asset_id),
    index('asset_collections_user').on(t.user_id),
    index('asset_collections_group').on(t.group_id).where(sql`group_id is not null`),
    index('asset_collections_grouped').on(t.collection_id, t.group_id).where(sql`group_id is not null and live`),
    index('asset_collections_unsought').on(t.parts_sought, t.added_at.desc()).where(sql`coalesce(parts_sought, 0) = 0 and live`),
  ],
)

export const postAssets = pgTable(
  'post_assets',
  {
    post_id: uuid('post_id')
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    asset_id: uuid('asset_id')
      .notNull()
      .references(() => assets.id, { onDelete: 'cascade' }),
    position: smallint('position').notNull(),
  },
  (t) => [primaryKey({ columns: [t.post_id, t.asset_id] }), index('post_assets_asset').on(t.asset_id)],
)

export const postPeople = pgTable(
  'post_people',
  {
    post_id: uuid('post_id')
      .notNull()
      .references(() => posts.id, { onDelete: 'cascade' }),
    person_id: uuid('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.post_id, t.person_id] }), index('post_people_person').on(t.person_id)],
)

export const assetPeople = pgTable(
  'asset_people',
  {
    asset_id: uuid('asset_id')
      .notNull()
      .references(() => assets.id, { onDelete: 'cascade' }),
    person_id: uuid('person_id')
      .notNull()
      .references(() => people.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.asset_id, t.person_id] }), index('asset_people_person').on(t.person_id)],
)
