import { sql } from 'drizzle-orm'
import { type AnyPgColumn, bigint, boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { collections } from './collections.ts'
import { createdAt, moment } from './columns.ts'
import { assets, posts } from './items.ts'

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
