import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'

/** Case-insensitive text, so that an address is unique in any spelling. */
const citext = customType<{ data: string }>({ dataType: () => 'citext' })

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })
const createdAt = () => moment('created_at').notNull().defaultNow()
const updatedAt = () => moment('updated_at').notNull().defaultNow()

/** Columns of both posts and assets. An unknown date is null. */
const dateAndLocation = () => ({
  date: moment('date'),
  date_zone: text('date_zone'),
  date_precision: text('date_precision').notNull().default('unknown'),
  lat: doublePrecision('lat'),
  lon: doublePrecision('lon'),
  place_name: text('place_name'),
  /** Only its author and admins see where. */
  place_hidden: boolean('place_hidden').notNull().default(false),
})

/** People with an account; `id` is the sign-in provider's subject. */
export const users = pgTable(
  'users',
  {
    /** `guest:{uuid}` for a guest who said something (decision 059); nobody signs in as it. */
    id: text('id').primaryKey(),
    email: citext('email').notNull().unique('users_email_key'),
    /** The last address that was confirmed. Mails are theirs only while it is `email`. */
    verified_email: citext('verified_email'),
    first_name: text('first_name'),
    last_name: text('last_name'),
    theme: jsonb('theme'),
    /** Other members see in which collections this user is at the moment. */
    shares_presence: boolean('shares_presence').notNull().default(true),
    // How they write dates and times (contract/date-settings.ts).
    language: text('language'),
    region: text('region'),
    hours: smallint('hours'),
    first_day: smallint('first_day'),
    time_zone: text('time_zone'),
    /** Version of the user's picture in storage; null without one. */
    avatar: text('avatar'),
    created_at: createdAt(),
    /** Time at which the account was deleted. The row stays, without address and name, as the author of items in the collections of others. */
    deleted_at: moment('deleted_at'),
  },
  (t) => [
    index('users_deleted').on(t.deleted_at).where(sql`deleted_at is not null`),
    index('users_guests').on(t.id).where(sql`id like 'guest:%'`),
  ],
)

/** Circles inside which others see the town instead of where a person's items are. `radius` in metres. */
export const homeZones = pgTable(
  'home_zones',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    lat: doublePrecision('lat').notNull(),
    lon: doublePrecision('lon').notNull(),
    radius: integer('radius').notNull(),
  },
  (t) => [
    index('home_zones_user').on(t.user_id),
    check('home_zones_place', sql`${t.lat} between -90 and 90 and ${t.lon} between -180 and 180 and ${t.radius} between 1 and 100000`),
  ],
)

/** Bytes and items of an account, those in the trash included. Only triggers write it. */
export const accountUsage = pgTable('account_usage', {
  user_id: text('user_id')
    .primaryKey()
    .references(() => users.id),
  bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
  items: integer('items').notNull().default(0),
})

/**
 * Changed quotas. `owner` is a user id or the id of a collection; `account` and `collection` are for all that have no row of their own. The defaults are in
 * the SQL function quota_of.
 */
export const quotas = pgTable('quotas', {
  owner: text('owner').primaryKey(),
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
  items: integer('items').notNull(),
})

/**
 * `revision` grows with every change inside; the counts are of visible items, `stored_bytes` and `stored_items` of all that are linked. Only
 * triggers write these five.
 */
export const collections = pgTable(
  'collections',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id),
    icon: text('icon').notNull().default('default'),
    theme: jsonb('theme'),
    /** What members below admin see of the places of items of others: exact, town or nothing. Changed last at `places_revision`, which a trigger writes. */
    places: text('places').notNull().default('exact'),
    places_revision: bigint('places_revision', { mode: 'number' }).notNull().default(0),
    revision: bigint('revision', { mode: 'number' }).notNull().default(0),
    post_count: integer('post_count').notNull().default(0),
    asset_count: integer('asset_count').notNull().default(0),
    stored_bytes: bigint('stored_bytes', { mode: 'number' }).notNull().default(0),
    stored_items: integer('stored_items').notNull().default(0),
    /** Lowest role that may comment and react; null if nobody may. */
    answers: text('answers').default('read'),
    /** When admins were last told of what guests have sent. */
    contributions_told_at: moment('contributions_told_at'),
    created_at: createdAt(),
    updated_at: updatedAt(),
    deleted_at: moment('deleted_at'),
  },
  (t) => [
    index('collections_user').on(t.user_id),
    index('collections_deleted').on(t.deleted_at).where(sql`deleted_at is not null`),
    check('collections_name', sql`length(${t.name}) between 1 and 3200`),
    check('collections_answers', sql`${t.answers} in ('read', 'write', 'admin')`),
    check('collections_places', sql`${t.places} in ('exact', 'town', 'nothing')`),
  ],
)

/** Roles in collections. The owner has a row too; a collection has exactly one. */
export const members = pgTable(
  'members',
  {
    collection_id: uuid('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id),
    role: text('role').notNull(),
    joined_at: moment('joined_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.collection_id, t.user_id] }),
    index('members_user').on(t.user_id),
    uniqueIndex('members_one_owner').on(t.collection_id).where(sql`role = 'owner'`),
    check('members_role', sql`${t.role} in ('read', 'write', 'admin', 'owner')`),
  ],
)

/** People who can be tagged. `user_id` is null if they are not linked to an account. */
export const people = pgTable(
  'people',
  {
    id: uuid('id').primaryKey(),
    collection_id: uuid('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    user_id: text('user_id').references(() => users.id),
    created_at: createdAt(),
  },
  (t) => [
    index('people_user').on(t.user_id),
    unique('people_id_collection').on(t.id, t.collection_id),
    uniqueIndex('people_one_per_user').on(t.collection_id, t.user_id).where(sql`user_id is not null`),
    check('people_name', sql`length(${t.name}) between 1 and 3200`),
  ],
)

/** One row per collection and address. Kept after the invitation is closed, so that accepting a cancelled one can say so. */
export const invites = pgTable(
  'invites',
  {
    id: uuid('id').primaryKey(),
    collection_id: uuid('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    email: citext('email').notNull(),
    user_id: text('user_id').references(() => users.id),
    role: text('role').notNull(),
    person_id: uuid('person_id'),
    invited_by: text('invited_by')
      .notNull()
      .references(() => users.id),
    state: text('state').notNull().default('pending'),
    created_at: createdAt(),
    expires_at: moment('expires_at').notNull(),
  },
  (t) => [
    unique('invites_one_per_address').on(t.collection_id, t.email),
    index('invites_email').on(t.email),
    index('invites_user').on(t.user_id),
    index('invites_invited_by').on(t.invited_by),
    index('invites_person').on(t.person_id),
    foreignKey({ columns: [t.person_id, t.collection_id], foreignColumns: [people.id, people.collection_id], name: 'invites_person_fk' }),
    check('invites_role', sql`${t.role} in ('read', 'write', 'admin')`),
    check('invites_state', sql`${t.state} in ('pending', 'accepted', 'declined', 'cancelled')`),
  ],
)

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

/** Photos that came without renditions or thumbhash. A row is deleted once they are made, and stays with its attempts if they cannot be. */
export const missingRenditions = pgTable(
  'missing_renditions',
  {
    asset_id: uuid('asset_id')
      .primaryKey()
      .references(() => assets.id, { onDelete: 'cascade' }),
    attempts: smallint('attempts').notNull().default(0),
    due_at: moment('due_at').notNull().defaultNow(),
  },
  (t) => [index('missing_renditions_due').on(t.due_at)],
)

/** Unfinished uploads. `received`: part number → {etag, size, sha256?}. */
export const uploads = pgTable(
  'uploads',
  {
    asset_id: uuid('asset_id')
      .primaryKey()
      .references(() => assets.id, { onDelete: 'cascade' }),
    r2_upload_id: text('r2_upload_id'),
    part_size: integer('part_size').notNull(),
    parts: integer('parts').notNull(),
    received: jsonb('received').$type<Record<string, ReceivedPart>>().notNull().default({}),
    created_at: createdAt(),
  },
  (t) => [index('uploads_created').on(t.created_at)],
)

/**
 * Playable films of assets whose codec few browsers know: at most one that is ready and one that is being sent, whose parts are as those in `uploads`. Triggers count
 * `size` for the asset's author (`user_id`) and in its collections.
 */
export const films = pgTable(
  'films',
  {
    /** The last part of its key in storage, so that none overwrites another. */
    id: uuid('id').primaryKey(),
    asset_id: uuid('asset_id')
      .notNull()
      .references(() => assets.id, { onDelete: 'cascade' }),
    user_id: text('user_id').notNull(),
    ready: boolean('ready').notNull().default(false),
    type: text('type').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    checksum: text('checksum').notNull(),
    r2_upload_id: text('r2_upload_id'),
    part_size: integer('part_size').notNull(),
    parts: integer('parts').notNull(),
    received: jsonb('received').$type<Record<string, ReceivedPart>>().notNull().default({}),
    created_at: createdAt(),
  },
  (t) => [
    unique('films_asset').on(t.asset_id, t.ready),
    index('films_unfinished').on(t.created_at).where(sql`not ready`),
    check('films_size', sql`${t.size} > 0`),
  ],
)

export interface ReceivedPart {
  etag: string
  size: number
  sha256?: string
}

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

/** The item, in one collection, to which a comment or reaction belongs. It stays while the item is in the trash, or not in the collection. */
const place = () => ({
  collection_id: uuid('collection_id')
    .notNull()
    .references(() => collections.id, { onDelete: 'cascade' }),
  post_id: uuid('post_id').references(() => posts.id, { onDelete: 'cascade' }),
  asset_id: uuid('asset_id').references(() => assets.id, { onDelete: 'cascade' }),
})

/**
 * `created_at` grows with every comment that is written in a collection, because it is read under the collection's lock. Imported ones, which have an
 * `original_author`, keep the time at which they were written.
 */
export const comments = pgTable(
  'comments',
  {
    id: uuid('id').primaryKey(),
    ...place(),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id),
    /** Only of an imported one, then always: the name of who wrote it, beside `user_id`, who imported it. */
    original_author: text('original_author'),
    text: text('text').notNull(),
    /** People whom the text names: an array of `{person_id, name}`, with the name as it is in the text. */
    mentions: jsonb('mentions').notNull().default([]),
    reply_to: uuid('reply_to').references((): AnyPgColumn => comments.id, { onDelete: 'set null' }),
    hidden_at: moment('hidden_at'),
    /** The admin who hid it. */
    hidden_by: text('hidden_by').references(() => users.id),
    /** The text stays as long as the deletion can be undone. */
    deleted_at: moment('deleted_at'),
    created_at: createdAt(),
    edited_at: moment('edited_at'),
    // Only triggers write these three. `shown`: not deleted, or answered by one that is shown. `revision`: at least that of the collection's last change of it.
    shown: boolean('shown').notNull().default(true),
    revision: bigint('revision', { mode: 'number' }).notNull().default(0),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    index('comments_post').on(t.post_id, t.collection_id, t.created_at, t.id).where(sql`post_id is not null`),
    index('comments_asset').on(t.asset_id, t.collection_id, t.created_at, t.id).where(sql`asset_id is not null`),
    index('comments_collection').on(t.collection_id, t.created_at),
    index('comments_reply').on(t.reply_to).where(sql`reply_to is not null`),
    index('comments_user').on(t.user_id),
    index('comments_hider').on(t.hidden_by).where(sql`hidden_by is not null`),
    index('comments_deleted').on(t.deleted_at).where(sql`deleted_at is not null`),
    check('comments_item', sql`num_nonnulls(${t.post_id}, ${t.asset_id}) = 1`),
    check('comments_text', sql`length(${t.text}) <= 64000`),
  ],
)

/** Makes several imported reactions of different people unique beside those of who imported them. */
const ORIGINAL = sql`coalesce(original_author, '')`

/** One emoji of one person, under an item in a collection or under a comment. */
export const reactions = pgTable(
  'reactions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    ...place(),
    comment_id: uuid('comment_id').references(() => comments.id, { onDelete: 'cascade' }),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id),
    /** As for comments. */
    original_author: text('original_author'),
    emoji: text('emoji').notNull(),
    created_at: createdAt(),
  },
  (t) => [
    uniqueIndex('reactions_post').on(t.post_id, t.collection_id, t.user_id, t.emoji, ORIGINAL).where(sql`post_id is not null`),
    uniqueIndex('reactions_asset').on(t.asset_id, t.collection_id, t.user_id, t.emoji, ORIGINAL).where(sql`asset_id is not null`),
    uniqueIndex('reactions_comment').on(t.comment_id, t.user_id, t.emoji, ORIGINAL).where(sql`comment_id is not null`),
    index('reactions_collection').on(t.collection_id, t.created_at),
    index('reactions_user').on(t.user_id),
    check('reactions_target', sql`num_nonnulls(${t.post_id}, ${t.asset_id}, ${t.comment_id}) = 1`),
    check('reactions_emoji', sql`length(${t.emoji}) between 1 and 32`),
  ],
)

/**
 * Posts and assets as their author last saw them, in the contract's shape. Triggers add a row when others change an item while its author is in none of
 * its collections, and delete it when they are in one again.
 */
export const authorSnapshots = pgTable(
  'author_snapshots',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    post_id: uuid('post_id')
      .unique('author_snapshots_post')
      .references(() => posts.id, { onDelete: 'cascade' }),
    asset_id: uuid('asset_id')
      .unique('author_snapshots_asset')
      .references(() => assets.id, { onDelete: 'cascade' }),
    /** The item's author. */
    user_id: text('user_id').notNull(),
    fields: jsonb('fields').notNull(),
  },
  (t) => [index('author_snapshots_user').on(t.user_id), check('author_snapshots_item', sql`num_nonnulls(${t.post_id}, ${t.asset_id}) = 1`)],
)

/** Edits that can be undone. `before` and `after` are snapshots of the rows in `scope` (queries/edits.ts). */
export const edits = pgTable(
  'edits',
  {
    id: uuid('id').primaryKey(),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id),
    action: text('action').notNull(),
    scope: jsonb('scope').notNull().default({}),
    before: jsonb('before').notNull(),
    after: jsonb('after'),
    created_at: createdAt(),
    undone_at: moment('undone_at'),
  },
  (t) => [index('edits_user').on(t.user_id, t.created_at.desc()), index('edits_created').on(t.created_at)],
)

/** Change log of every collection, which is relayed to the live rooms: one row per collection and statement. Written by triggers only. */
export const changes = pgTable(
  'changes',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Null for the change of a profile that is published to the user's own room. */
    collection_id: uuid('collection_id'),
    revision: bigint('revision', { mode: 'number' }).notNull(),
    table_name: text('table_name').notNull(),
    event: text('event').notNull(),
    ids: text('ids').array().notNull(),
    user_ids: text('user_ids').array().notNull().default(sql`'{}'`),
    /** When it was written, which may be long after its transaction began. */
    created_at: moment('created_at').notNull().default(sql`clock_timestamp()`),
    /** Only versions before migration 0032 use it. */
    claimed_until: moment('claimed_until'),
    published_at: moment('published_at'),
  },
  (t) => [
    uniqueIndex('changes_log').on(t.collection_id, t.revision),
    index('changes_outbox').on(t.id).where(sql`published_at is null`),
    index('changes_created').on(t.created_at),
  ],
)

/** Counts of attempts in fixed windows. `key` is a hash, so that the table has no addresses. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    tries: integer('tries').notNull(),
    resets_at: moment('resets_at').notNull(),
    /** Of slowed attempts: no other before this time. */
    next_at: moment('next_at'),
  },
  (t) => [index('rate_limits_resets').on(t.resets_at)],
)

/**
 * The newest link of its kind that was mailed for an address: older and used ones are void. `key` is a hash of kind and address, so that addresses without
 * an account are not stored. Rows whose key is a hash of a link's id have the event that claimed its mail, so that it is sent once.
 */
export const mailedLinks = pgTable(
  'mailed_links',
  {
    key: text('key').primaryKey(),
    id: uuid('id').notNull(),
    expires_at: moment('expires_at').notNull(),
  },
  (t) => [index('mailed_links_expires').on(t.expires_at)],
)

/**
 * Browsers that are signed in. The id is in the sealed session cookie, and every transaction in the name of the session first checks that its
 * row is there (check_access), so deleting the row ends the session at once. `used_at` is exact to an hour.
 */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** User-Agent at the sign-in. */
    agent: text('agent'),
    created_at: createdAt(),
    used_at: moment('used_at').notNull().defaultNow(),
  },
  (t) => [index('sessions_user').on(t.user_id), index('sessions_used').on(t.used_at), index('sessions_created').on(t.created_at)],
)

/**
 * Personal access tokens. Only a hash of the token's 256 random bits is stored. `verified_email` is the address that was confirmed when the
 * token was made: the token is valid only while the account has this address.
 */
export const tokens = pgTable(
  'tokens',
  {
    id: uuid('id').primaryKey(),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The only collection that the token opens; null for all of the user's. Triggers delete the token when the collection is deleted, or the membership ends. */
    collection_id: uuid('collection_id').references(() => collections.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    scope: text('scope').notNull(),
    hash: text('hash').notNull().unique('tokens_hash'),
    verified_email: citext('verified_email'),
    created_at: createdAt(),
    last_used_at: moment('last_used_at'),
    expires_at: moment('expires_at'),
  },
  (t) => [
    index('tokens_user').on(t.user_id, t.id),
    index('tokens_collection').on(t.collection_id),
    check('tokens_scope', sql`${t.scope} in ('read', 'write')`),
    check('tokens_name', sql`length(${t.name}) between 1 and 3200`),
  ],
)

/**
 * Secret URLs for calendar programs, at most one per member. Only a hash is stored, as for tokens. The foreign key to the membership deletes
 * the link together with it.
 */
export const calendarLinks = pgTable(
  'calendar_links',
  {
    collection_id: uuid('collection_id').notNull(),
    user_id: text('user_id').notNull(),
    hash: text('hash').notNull().unique('calendar_links_hash'),
    /** The calendar has notes beside events. */
    notes: boolean('notes').notNull().default(false),
    created_at: createdAt(),
    last_used_at: moment('last_used_at'),
  },
  (t) => [
    primaryKey({ columns: [t.collection_id, t.user_id] }),
    foreignKey({
      columns: [t.collection_id, t.user_id],
      foreignColumns: [members.collection_id, members.user_id],
      name: 'calendar_links_member',
    }).onDelete('cascade'),
  ],
)

/** Time up to which a user has seen the feed, on any device. */
export const feedVisits = pgTable('feed_visits', {
  user_id: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  seen_at: moment('seen_at').notNull(),
})

/** Browsers that notifications are sent to (queries/push.ts), until the session that subscribed them ends. `verified_email` is the address that was confirmed when the browser subscribed. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: uuid('id').primaryKey(),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    session_id: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    endpoint: text('endpoint').notNull().unique('push_subscriptions_endpoint'),
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    verified_email: citext('verified_email'),
    created_at: createdAt(),
  },
  (t) => [
    index('push_subscriptions_user').on(t.user_id),
    index('push_subscriptions_session').on(t.session_id),
    check('push_subscriptions_length', sql`length(${t.endpoint}) <= 1000`),
  ],
)

/** Notifications of a member about a collection. None while it is muted. `told_at`: time up to which they have been notified. */
export const notices = pgTable(
  'notices',
  {
    collection_id: uuid('collection_id').notNull(),
    user_id: text('user_id').notNull(),
    muted: boolean('muted').notNull().default(false),
    told_at: moment('told_at'),
    /** The same for comments. */
    answers_told_at: moment('answers_told_at'),
  },
  (t) => [
    primaryKey({ columns: [t.collection_id, t.user_id] }),
    foreignKey({
      columns: [t.collection_id, t.user_id],
      foreignColumns: [members.collection_id, members.user_id],
      name: 'notices_member',
    }).onDelete('cascade'),
  ],
)

/**
 * Refreshes of sessions whose credential can be used only once. The request that claims the row calls the sign-in service; others read the
 * result. `key` is a hash of the credential, `sealed` the new session, which only the worker can open.
 */
export const refreshes = pgTable(
  'refreshes',
  {
    key: text('key').primaryKey(),
    claim: text('claim').notNull(),
    /** Another request may take over after this time. Also determines when the row is swept. */
    claimed_until: moment('claimed_until').notNull(),
    state: text('state').notNull().default('claimed'),
    sealed: text('sealed'),
  },
  (t) => [
    index('refreshes_claimed').on(t.claimed_until),
    check('refreshes_state', sql`${t.state} in ('claimed', 'failed', 'done', 'refused', 'ended')`),
    check('refreshes_sealed', sql`(${t.sealed} is not null) = (${t.state} = 'done')`),
  ],
)

/**
 * Links by which people without an account see a collection or a part of it, made by `user_id`. `hash` is that of the secret in the address. An ended link stays,
 * so that its address answers that it has ended.
 */
export const links = pgTable(
  'links',
  {
    id: uuid('id').primaryKey(),
    collection_id: uuid('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind').notNull(),
    hash: text('hash').notNull().unique('links_hash'),
    name: text('name'),
    filters: jsonb('filters'),
    /** Slow hash of the password (services/links/password.ts); null without one. */
    password: text('password'),
    ends_at: moment('ends_at'),
    ended_at: moment('ended_at'),
    allows: text('allows').notNull().default('look'),
    /** What guests add waits until an admin accepts it. */
    approve: boolean('approve').notNull().default(true),
    location: text('location').notNull().default('hidden'),
    download: boolean('download').notNull().default(false),
    ask_name: boolean('ask_name').notNull().default(false),
    /** Role for which people who sign in may ask to become members; null if they may not. */
    join_role: text('join_role'),
    /** Apps in which the link is sent may show its title and newest picture. */
    preview: boolean('preview').notNull().default(true),
    /** Grows with every change of the link. */
    version: integer('version').notNull().default(1),
    /** Revision of the collection at the last change of the link. Older revisions cannot be continued from. */
    changed_revision: bigint('changed_revision', { mode: 'number' }).notNull().default(0),
    /** Revision of the collection that `link_items` are right for. */
    covered_revision: bigint('covered_revision', { mode: 'number' }),
    created_at: createdAt(),
    last_used_at: moment('last_used_at'),
  },
  (t) => [
    index('links_collection').on(t.collection_id),
    index('links_user').on(t.user_id),
    check('links_kind', sql`${t.kind} in ('collection', 'filter', 'items')`),
    check('links_allows', sql`${t.allows} in ('look', 'answer') or (${t.allows} = 'add' and ${t.kind} = 'collection')`),
    check('links_location', sql`${t.location} in ('hidden', 'town', 'exact')`),
    check('links_filters', sql`(${t.kind} = 'filter') = (${t.filters} is not null)`),
    check('links_join', sql`${t.join_role} is null or (${t.kind} = 'collection' and ${t.join_role} in ('read', 'write', 'admin'))`),
  ],
)

/** People with an account who opened a link and asked to become members. One row for each of them in a collection, whatever became of it. */
export const joinRequests = pgTable(
  'join_requests',
  {
    id: uuid('id').primaryKey(),
    collection_id: uuid('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    user_id: text('user_id')
      .notNull()
      .references(() => users.id),
    /** The one that their link offered. */
    role: text('role').notNull(),
    state: text('state').notNull().default('pending'),
    created_at: createdAt(),
  },
  (t) => [
    unique('join_requests_one_per_user').on(t.collection_id, t.user_id),
    index('join_requests_user').on(t.user_id),
    check('join_requests_role', sql`${t.role} in ('read', 'write', 'admin')`),
    check('join_requests_state', sql`${t.state} in ('pending', 'accepted', 'declined')`),
  ],
)

/**
 * Files that guests of a link have sent, and that are not in its collection yet: while they are being uploaded, and where the link wants it until an admin
 * accepts them. Written by triggers, but for an admin's answer.
 */
export const contributions = pgTable(
  'contributions',
  {
    asset_id: uuid('asset_id')
      .primaryKey()
      .references(() => assets.id, { onDelete: 'cascade' }),
    collection_id: uuid('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    /** Null once it has been deleted. */
    link_id: uuid('link_id').references(() => links.id, { onDelete: 'set null' }),
    /** It is being sent, or complete, so that an admin may answer, or was declined or taken back and is in the trash. */
    state: text('state').notNull().default('sending'),
    /** When admins were told of it. */
    told_at: moment('told_at'),
    created_at: createdAt(),
  },
  (t) => [
    index('contributions_collection').on(t.collection_id),
    index('contributions_link').on(t.link_id),
    index('contributions_untold').on(t.created_at).where(sql`state = 'waiting' and told_at is null`),
    check('contributions_state', sql`${t.state} in ('sending', 'waiting', 'gone')`),
  ],
)

/**
 * Items of links that do not show all of their collection. `chosen`: named by the link itself; others follow from its filter or its posts, and those that have
 * left it stay with `live` false, so that guests learn that they have.
 */
export const linkItems = pgTable(
  'link_items',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    link_id: uuid('link_id')
      .notNull()
      .references(() => links.id, { onDelete: 'cascade' }),
    post_id: uuid('post_id').references(() => posts.id, { onDelete: 'cascade' }),
    asset_id: uuid('asset_id').references(() => assets.id, { onDelete: 'cascade' }),
    chosen: boolean('chosen').notNull().default(false),
    live: boolean('live').notNull().default(true),
    /** Revision of the collection at which it was found to have left. */
    left_revision: bigint('left_revision', { mode: 'number' }),
  },
  (t) => [
    unique('link_items_post').on(t.link_id, t.post_id),
    unique('link_items_asset').on(t.link_id, t.asset_id),
    index('link_items_of_post').on(t.post_id).where(sql`post_id is not null`),
    index('link_items_of_asset').on(t.asset_id).where(sql`asset_id is not null`),
    check('link_items_item', sql`num_nonnulls(${t.post_id}, ${t.asset_id}) = 1`),
  ],
)

/** People who have opened a link. `access` is in their cookie; null once they have to enter the link's password again. */
export const guests = pgTable(
  'guests',
  {
    id: uuid('id').primaryKey(),
    link_id: uuid('link_id')
      .notNull()
      .references(() => links.id, { onDelete: 'cascade' }),
    access: uuid('access').unique('guests_access'),
    name: text('name'),
    /** An address that they left and confirmed. */
    email: citext('email'),
    created_at: createdAt(),
    seen_at: moment('seen_at'),
  },
  (t) => [index('guests_link').on(t.link_id), index('guests_email').on(t.email).where(sql`email is not null`)],
)

/** Guests per day and link, each counted once. */
export const linkViews = pgTable(
  'link_views',
  {
    link_id: uuid('link_id')
      .notNull()
      .references(() => links.id, { onDelete: 'cascade' }),
    day: date('day').notNull(),
    views: integer('views').notNull(),
  },
  (t) => [primaryKey({ columns: [t.link_id, t.day] })],
)

/** The secret part before the @ of the address at which a collection takes mail. */
export const mailAddresses = pgTable('mail_addresses', {
  collection_id: uuid('collection_id')
    .primaryKey()
    .references(() => collections.id, { onDelete: 'cascade' }),
  secret: text('secret').notNull().unique('mail_addresses_secret'),
  created_at: createdAt(),
})

/** Members and guests who want a weekly mail about a collection. */
export const weeklyMails = pgTable(
  'weekly_mails',
  {
    id: uuid('id').primaryKey(),
    collection_id: uuid('collection_id')
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    user_id: text('user_id'),
    guest_id: uuid('guest_id')
      .unique('weekly_mails_guest')
      .references(() => guests.id, { onDelete: 'cascade' }),
    /** Of a member: their address, which was confirmed when they asked for the mail. Another one gets none. */
    verified_email: citext('verified_email'),
    /** IANA name, of the browser that asked. A member's own one in `users` comes first. */
    time_zone: text('time_zone'),
    /** When the next one is due, in the morning of the reader's time zone. */
    due_at: moment('due_at').notNull(),
    /** What is newer than this is in the next one. */
    told_at: moment('told_at').notNull().defaultNow(),
    created_at: createdAt(),
  },
  (t) => [
    unique('weekly_mails_member').on(t.collection_id, t.user_id),
    index('weekly_mails_due').on(t.due_at),
    foreignKey({
      columns: [t.collection_id, t.user_id],
      foreignColumns: [members.collection_id, members.user_id],
      name: 'weekly_mails_membership',
    }).onDelete('cascade'),
    check('weekly_mails_reader', sql`num_nonnulls(${t.user_id}, ${t.guest_id}) = 1 and num_nulls(${t.user_id}, ${t.verified_email}) <> 1`),
  ],
)
