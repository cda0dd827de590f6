import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

/** One row, filled by its migration. The bucket names the database that it belongs to by this id. */
export const site = pgTable('site', { id: uuid('id').primaryKey().defaultRandom() })

/** Objects that had no row when the bucket was compared with the rows. */
export const orphans = pgTable('orphans', { key: text('key').primaryKey(), found_at: moment('found_at').notNull().defaultNow() })
