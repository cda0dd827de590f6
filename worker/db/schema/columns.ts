import { boolean, customType, doublePrecision, text, timestamp } from 'drizzle-orm/pg-core'

/** Case-insensitive text, so that an address is unique in any spelling. */
export const citext = customType<{ data: string }>({ dataType: () => 'citext' })

export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })

export const createdAt = () => moment('created_at').notNull().defaultNow()

export const updatedAt = () => moment('updated_at').notNull().defaultNow()

/** Columns of both posts and assets. An unknown date is null. */
export const dateAndLocation = () => ({
  date: moment('date'),
  date_zone: text('date_zone'),
  date_precision: text('date_precision').notNull().default('unknown'),
  lat: doublePrecision('lat'),
  lon: doublePrecision('lon'),
  place_name: text('place_name'),
  /** Only its author and admins see where. */
  place_hidden: boolean('place_hidden').notNull().default(false),
  /** The place is from somebody other than the author, so home zones do not apply to it. */
  placed_by_other: boolean('placed_by_other').notNull().default(false),
})
