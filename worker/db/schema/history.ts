import { sql } from 'drizzle-orm'
import { bigint, check, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { createdAt, moment } from './columns.ts'
import { assets, posts } from './items.ts'

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
  (t) => [
    index('edits_user').on(t.user_id, t.created_at.desc()),
    index('edits_created').on(t.created_at),
    index('edits_undone').on(t.undone_at).where(sql`undone_at is not null`),
  ],
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
