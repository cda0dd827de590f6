import { sql } from 'drizzle-orm'
import { bigint, boolean, check, doublePrecision, index, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { citext, createdAt, moment } from './columns.ts'

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
    /** The language that they chose for screens and mails; null for that of their browser. */
    display_language: text('display_language'),
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
