import { DatePrecision } from './dates.ts'
import { Id } from './ids.ts'
import { Location } from './locations.ts'
import { Places } from './places.ts'
import { AnswerRole } from './policy.ts'
import { PostType } from './posts.ts'
import { Theme } from './themes.ts'
import { z } from './zod.ts'

/** Format and version of every export. Readers refuse newer versions. */
export const ARCHIVE_FORMAT = 'cairn-collection'
export const ARCHIVE_VERSION = 1

/** Paths in the ZIP. */
export const ARCHIVE_FILES = {
  collection: 'collection.json',
  page: 'index.html',
  events: 'events.ics',
  places: 'places.geojson',
  readme: 'README.txt',
  missing: 'MISSING.txt',
  leftOut: 'LEFT-OUT.txt',
  originals: 'originals/',
} as const

const When = { date: z.string().nullable(), date_zone: z.string().nullable(), date_precision: DatePrecision }
/** Only its author and admins see where. Of those who see it; missing in older archives. */
const Hidden = { place_hidden: z.boolean().optional() }
const Written = { author: z.string(), created_at: z.string(), updated_at: z.string(), added_by: z.string(), added_at: z.string() }

/** `who` are names. */
export const ArchivedReaction = z.object({ emoji: z.string(), who: z.array(z.string()) })

/** `author` is a name: of what was imported, the original one. */
export const ArchivedComment = z.object({
  id: Id,
  author: z.string(),
  text: z.string(),
  /** People whom the text names; missing in older archives. */
  mentions: z.array(Id).optional(),
  reply_to: Id.nullable(),
  created_at: z.string(),
  edited_at: z.string().nullable(),
  reactions: z.array(ArchivedReaction),
})

/** What people said about the item in the collection, without what is hidden; missing in archives from before that could be said. Names, no accounts. */
const Said = { comments: z.array(ArchivedComment).optional(), reactions: z.array(ArchivedReaction).optional() }

/** `file` is the path in the archive, `checksum` the SHA-256 of the original in hex. `author` and
 * `added_by` are names; the author of what was imported is the original one. */
export const ArchivedAsset = z.object({
  id: Id,
  file: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number().int(),
  checksum: z.string(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  duration: z.number().nullable(),
  thumbhash: z.string().nullable(),
  alt: z.string().nullable(),
  ...When,
  location: Location.nullable(),
  ...Hidden,
  people: z.array(Id),
  /** The group of assets that the collection shows as one item; missing in archives from before there were any. */
  group: z.object({ id: Id, cover: Id }).nullable().optional(),
  ...Said,
  ...Written,
})
export type ArchivedAsset = z.infer<typeof ArchivedAsset>

/** `assets` are in their order in the post; `body` is sanitised HTML. */
export const ArchivedPost = z.object({
  id: Id,
  type: PostType,
  kind: z.string().nullable(),
  title: z.string(),
  body: z.string(),
  ...When,
  ends_at: z.string().nullable(),
  location: Location.nullable(),
  ...Hidden,
  assets: z.array(Id),
  people: z.array(Id),
  ...Said,
  ...Written,
})
export type ArchivedPost = z.infer<typeof ArchivedPost>

const ArchivedCollection = z.object({
  id: Id,
  name: z.string(),
  icon: z.string(),
  theme: Theme.nullable(),
  /** Who may comment, and what members see of places; missing in older archives. */
  answers: AnswerRole.nullable().optional(),
  places: Places.optional(),
  created_at: z.string(),
})

/** Content of collection.json. Members have names, but no addresses. */
export const Archive = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  version: z.number().int().min(1),
  exported_at: z.string(),
  collection: ArchivedCollection,
  members: z.array(z.object({ name: z.string(), role: z.string() })),
  people: z.array(z.object({ id: Id, name: z.string() })),
  assets: z.array(ArchivedAsset),
  posts: z.array(ArchivedPost),
})
export type Archive = z.infer<typeof Archive>
