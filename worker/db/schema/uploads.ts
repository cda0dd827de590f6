import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, smallint, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment } from './columns.ts'
import { assets } from './items.ts'

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
