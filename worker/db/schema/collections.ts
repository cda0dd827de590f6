import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { citext, createdAt, moment, updatedAt } from './columns.ts'

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
    /** How much members below admin see of where the items of others were made: exact, town or nothing. A trigger writes the last change to `places_revision`. */
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

/** The secret part before the @ of the address at which a collection takes mail. */
export const mailAddresses = pgTable('mail_addresses', {
  collection_id: uuid('collection_id')
    .primaryKey()
    .references(() => collections.id, { onDelete: 'cascade' }),
  secret: text('secret').notNull().unique('mail_addresses_secret'),
  created_at: createdAt(),
})
