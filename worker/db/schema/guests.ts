import { sql } from 'drizzle-orm'
import { bigint, boolean, check, date, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { collections } from './collections.ts'
import { citext, createdAt, moment } from './columns.ts'
import { assets, posts } from './items.ts'

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
    /** An admin must accept what guests add before others see it. */
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
