import { z } from 'zod'
import { NewCollection } from '../../contract/collections.ts'
import { DatePrecision, Moment, Zone } from '../../contract/dates.ts'
import { EVENT_KINDS, NOTE_KINDS } from '../../contract/posts.ts'
import pictures from './pictures.json' with { type: 'json' }
import posts from './posts.json' with { type: 'json' }
import story from './story.json' with { type: 'json' }

const UserKey = z.enum(['nora', 'tomas', 'maija'])
const CollectionKey = z.enum(['seasons', 'allotment', 'cabin'])
const Place = z.strictObject({ lat: z.number(), lon: z.number(), name: z.string() })

/** `people` are names in the first of `collections`: people belong to one collection. An unknown date is null, and so is its zone. */
const item = {
  date: Moment.nullable(),
  zone: Zone.nullable(),
  precision: DatePrecision,
  location: Place.nullable(),
  people: z.array(z.string()),
  by: UserKey,
  collections: z.array(CollectionKey).min(1),
}

/** `file` is in `pictures/`; its EXIF has the same date, offset and location. */
export const DemoPicture = z.strictObject({ file: z.string(), alt: z.string(), ...item })
export type DemoPicture = z.infer<typeof DemoPicture>

const post = { title: z.string(), body: z.string(), endsAt: Moment.nullable(), pictures: z.array(z.string()), ...item }
const DemoPost = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('event'), kind: z.enum(EVENT_KINDS), ...post }),
  z.strictObject({ type: z.literal('note'), kind: z.enum(NOTE_KINDS), ...post }),
])

const DemoUser = z.strictObject({ key: UserKey, email: z.email(), firstName: z.string(), lastName: z.string() })

/** `person` names one of `people`, to whom the invitation will be linked. */
const DemoInvite = z.strictObject({ email: z.email(), role: z.enum(['read', 'write']), by: UserKey, person: z.string().nullable() })

const DemoCollection = z.strictObject({
  key: CollectionKey,
  name: NewCollection.shape.name,
  icon: NewCollection.shape.icon.unwrap(),
  theme: NewCollection.shape.theme.unwrap(),
  members: z.array(z.strictObject({ user: UserKey, role: z.enum(['owner', 'write', 'read']) })),
  people: z.array(z.strictObject({ name: z.string(), user: UserKey.nullable() })),
  invites: z.array(DemoInvite),
})

const Demo = z.strictObject({
  password: z.string(),
  users: z.array(DemoUser),
  collections: z.array(DemoCollection),
  pictures: z.array(DemoPicture),
  posts: z.array(DemoPost),
})
export type Demo = z.infer<typeof Demo>

/** Three years of a family's travels, in three collections. Sign in as Nora, who owns the first. */
export const demo: Demo = Demo.parse({ ...story, pictures, posts })
