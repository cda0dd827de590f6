import { t } from '#say'
import { endpoint, Success } from './endpoint.ts'
import { COLLECTION_ICON_NAMES } from './icons.ts'
import { Id, NewId, UserId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { Places } from './places.ts'
import { AnswerRole, Permissions, Role } from './policy.ts'
import { line } from './text.ts'
import { NAME } from './text-words.ts'
import { Theme } from './themes.ts'
import { z } from './zod.ts'

export const CollectionIcon = z.enum(COLLECTION_ICON_NAMES, { error: () => t`Choose one of the icons` })

/** A cover of a collection's card: an asset with a thumb. `version` is that of the file (`file_version`). */
export const Cover = z.object({ id: Id, version: z.number().int(), thumbhash: z.string().nullable() })
export type Cover = z.infer<typeof Cover>

/**
 * A collection as seen by a member. `user_id` is the owner; `revision` grows with every change in it; `covers` are the newest assets with a
 * thumb, at most four.
 */
export const Collection = z.object({
  id: Id,
  name: z.string(),
  user_id: UserId,
  icon: z.string(),
  theme: Theme.nullable(),
  /** What members below admin see of where items of others are. Always sent; cards that a browser stored before there was this field lack it. */
  places: Places.optional(),
  revision: z.number().int(),
  created_at: z.string(),
  updated_at: z.string(),
  role: Role,
  member_count: z.number().int(),
  /** A group counts once. */
  asset_count: z.number().int(),
  post_count: z.number().int(),
  covers: z.array(Cover),
  /** Lowest role that may comment and react; null if nobody may. */
  answers: AnswerRole.nullable(),
  /** Number of people who ask to become members; null for those who may not answer them. Cards that a browser stored before there was this field lack it. */
  join_requests: z.number().int().nullish(),
  /** Number of files of guests that wait for an admin; likewise. */
  contributions: z.number().int().nullish(),
})
export type Collection = z.infer<typeof Collection>

/** A collection as seen by a person with a pending invitation to it, who is `user_id`. */
export const InvitedCollection = z.object({
  id: Id,
  invite_id: Id,
  user_id: UserId,
  name: z.string(),
  icon: z.string(),
  theme: Theme.nullable(),
  role: Role,
  invited_by_name: z.string(),
  expires_at: z.string(),
})
export type InvitedCollection = z.infer<typeof InvitedCollection>

const name = line(LIMITS.collectionName, NAME)
const settings = {
  icon: CollectionIcon.optional(),
  theme: Theme.optional(),
  answers: AnswerRole.nullable().optional(),
  places: Places.optional(),
}
export const NewCollection = z.strictObject({ id: NewId.optional(), name, ...settings })
export type NewCollection = z.infer<typeof NewCollection>
export const CollectionEdit = z.strictObject({ name: name.optional(), ...settings })
export type CollectionEdit = z.infer<typeof CollectionEdit>

const One = Success.extend({ collection: Collection })
export const listCollections = endpoint({
  method: 'GET',
  path: '/api/collections',
  summary: 'Collections you are a member of',
  response: Success.extend({ collections: z.array(Collection) }),
})
export const listInvitedCollections = endpoint({
  method: 'GET',
  path: '/api/collections/invited',
  summary: 'Collections you are invited to',
  response: Success.extend({ invitedCollections: z.array(InvitedCollection) }),
})
export const createCollection = endpoint({
  method: 'POST',
  path: '/api/collections',
  summary: 'Make a collection',
  creates: true,
  body: NewCollection,
  response: One,
})
export const getCollection = endpoint({
  method: 'GET',
  path: '/api/collections/{id}',
  guests: true,
  summary: 'One collection, with what you may do in it',
  response: One.extend({ role: Role, permissions: Permissions }),
})
export const updateCollection = endpoint({
  method: 'PUT',
  path: '/api/collections/{id}',
  summary: 'Change name, icon, theme, who may answer or what members see of places',
  body: CollectionEdit,
  response: One,
})
export const deleteCollection = endpoint({
  method: 'DELETE',
  path: '/api/collections/{id}',
  summary: 'Delete a collection',
  response: Success,
})
export const transferCollection = endpoint({
  method: 'POST',
  path: '/api/collections/{id}/transfer',
  summary: 'Give the collection to another member',
  body: z.strictObject({ userId: UserId }),
  response: One,
})
export const getCollectionTheme = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/theme',
  summary: 'Theme of a collection',
  response: Success.extend({ theme: Theme.nullable() }),
})
export const putCollectionTheme = endpoint({
  method: 'PUT',
  path: '/api/collections/{id}/theme',
  summary: 'Change the theme of a collection',
  body: Theme,
  response: Success.extend({ theme: Theme }),
})
