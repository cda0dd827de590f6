import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { collections } from './collections.ts'
import { citext, createdAt, moment } from './columns.ts'

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
