import { t } from '#say'
import { columnsOf } from './columns.ts'
import { DatePrecision, When } from './dates.ts'
import { DECLARED_FILE } from './declared-file.ts'
import { endpoint, Success } from './endpoint.ts'
import { GroupOfAsset } from './group.ts'
import { Id, NewId, UserId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { Location } from './locations.ts'
import { OriginalAuthor } from './original-author.ts'
import { CollectionIds, CollectionLink, CopyBody, ListFields, ListQuery, StillIn } from './paging.ts'
import { Place } from './places.ts'
import { Answers } from './reactions.ts'
import { line, optionalLine } from './text.ts'
import { DESCRIPTION, FILE_NAME, IDENTIFIER } from './text-words.ts'
import { z } from './zod.ts'

export const AssetStatus = z.enum(['uploading', 'ready'])

const StoredRendition = z.enum(['thumb', 'preview', 'film'])

/** A photo, video or file. `type` is a media type, `duration` seconds, `thumbhash` base64, `checksum` the SHA-256 in hex. */
export const Asset = z.object({
  id: Id,
  user_id: UserId,
  user_name: z.string(),
  status: AssetStatus,
  name: z.string(),
  type: z.string(),
  size: z.number().int(),
  checksum: z.string(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  duration: z.number().nullable(),
  thumbhash: z.string().nullable(),
  alt: z.string().nullable(),
  /** Who made it where it was imported from. Always sent; rows that a browser stored before there was this field lack it. */
  original_author: z.string().nullable().optional(),
  date: z.string().nullable(),
  date_zone: z.string().nullable(),
  date_precision: DatePrecision,
  location: Location.nullable(),
  /** Null if everybody sees where. Always sent; rows that a browser stored before there was this field lack it. */
  place: Place.nullable().optional(),
  /** `film`: one that more browsers play than the original. */
  renditions: z.array(StoredRendition),
  people: z.array(Id),
  collections: z.array(CollectionLink),
  version: z.number().int(),
  /**
   * The version at which the file or a rendition last changed: URLs of pictures contain it, so that an edited description loads none anew. Always
   * sent; rows that a browser stored before there was this field lack it.
   */
  file_version: z.number().int().optional(),
  /**
   * Identifier that the camera wrote into every file of one shot, such as the photo and the film of a Live Photo. Always sent; older stored rows lack it.
   */
  content_id: z.string().nullable().optional(),
  created_at: z.string(),
  updated_at: z.string(),
  /** The group in the collection of the list, or null. Answers that are not about one collection lack it. */
  group: GroupOfAsset.nullable().optional(),
  /** What the collection of the list says about it, or null. Answers that are not about one collection lack it. */
  answers: Answers.nullable().optional(),
})
export type Asset = z.infer<typeof Asset>

const pixels = z.number().int().min(1).max(100_000)
const Measured = {
  width: pixels.nullable().optional(),
  height: pixels.nullable().optional(),
  duration: z.number().min(0).max(10_000_000).nullable().optional(),
  thumbhash: z.base64().max(64).nullable().optional(),
}

/** The media type declared by the client. The type of the bytes takes precedence. */
const MediaType = z
  .string()
  .max(127)
  .regex(/^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/i, { error: () => t`Use a media type such as image/jpeg` })

export const NewAsset = z.strictObject({
  id: NewId.optional(),
  name: line(LIMITS.fileName, FILE_NAME),
  type: MediaType,
  ...DECLARED_FILE,
  ...Measured,
  ...When,
  location: Location.nullable().optional(),
  placeHidden: z.boolean().optional(),
  alt: optionalLine(LIMITS.altText, DESCRIPTION).nullable().optional(),
  originalAuthor: OriginalAuthor,
  /** From the file's own metadata. It cannot be changed later. */
  contentId: optionalLine(LIMITS.contentId, IDENTIFIER).nullable().optional(),
  peopleIds: z.array(Id).max(LIMITS.peoplePerItem).optional(),
  collectionIds: CollectionIds.optional(),
})
export type NewAsset = z.infer<typeof NewAsset>

/** The editable fields. PUT replaces all of them: a missing field becomes empty, but for the name and `placeHidden`, which stay. */
export const AssetEdit = z.strictObject({
  name: line(LIMITS.fileName, FILE_NAME).optional(),
  ...When,
  location: Location.nullable().optional(),
  /** Only author and admins see where. */
  placeHidden: z.boolean().optional(),
  alt: optionalLine(LIMITS.altText, DESCRIPTION).nullable().optional(),
  peopleIds: z.array(Id).max(LIMITS.peoplePerItem).optional(),
})
export type AssetEdit = z.infer<typeof AssetEdit>

export const Upload = z.object({ partSize: z.number().int(), parts: z.number().int() })
export type Upload = z.infer<typeof Upload>

/** `changeId` undoes the call. */
const WithChangeId = { changeId: Id }
const OneAsset = Success.extend({ asset: Asset })
/** The caller had this file already. `linked` are the collections to which it was linked now. */
const Duplicate = { duplicate: z.literal(true).optional(), linked: z.array(Id).optional() }
export const BegunUpload = z.object({ asset: Asset, upload: Upload.optional(), ...Duplicate })
export const listAssets = endpoint({
  method: 'GET',
  path: '/api/asset',
  guests: true,
  summary: 'Assets, newest first',
  conditionalHeaders: ['if-none-match'],
  query: ListQuery,
  response: Success.extend({ assets: z.array(Asset), ...ListFields }),
  columns: Success.extend({ assets: columnsOf(Asset), ...ListFields }),
})
/** A guest's file goes into the collection of the link, whatever `collectionIds` say, or waits for an admin. */
export const createAsset = endpoint({
  method: 'POST',
  path: '/api/asset',
  guests: true,
  summary: 'Begin an upload',
  creates: true,
  body: NewAsset,
  response: Success.extend(BegunUpload.shape),
})
export const getAsset = endpoint({
  method: 'GET',
  path: '/api/asset/{id}',
  guests: true,
  summary: 'One asset',
  query: z.strictObject({ collection_id: Id.optional() }),
  response: OneAsset,
})
export const replaceAsset = endpoint({
  method: 'PUT',
  path: '/api/asset/{id}',
  guests: true,
  summary: 'Replace the editable fields',
  conditionalHeaders: ['if-match'],
  body: AssetEdit,
  response: OneAsset.extend(WithChangeId),
})
/** Guests may call this and PUT for what they have added. An unfinished upload is discarded, which cannot be undone: then there is no `changeId`. */
export const deleteAsset = endpoint({
  method: 'DELETE',
  path: '/api/asset/{id}',
  guests: true,
  summary: 'Move an asset to the trash',
  response: Success.extend({ changeId: Id.optional(), stillIn: StillIn.optional() }),
})
export const linkAsset = endpoint({
  method: 'POST',
  path: '/api/asset/{id}/collections',
  summary: 'Put an asset into more collections',
  body: z.strictObject({ collectionIds: CollectionIds.min(1) }),
  response: OneAsset.extend(WithChangeId),
})
export const copyAsset = endpoint({
  method: 'POST',
  path: '/api/asset/{id}/copy',
  summary: 'Copy one of your assets, with its file, into a new one',
  creates: true,
  body: CopyBody,
  response: OneAsset,
})
export const getUpload = endpoint({
  method: 'GET',
  path: '/api/asset/{id}/upload',
  guests: true,
  summary: 'What an upload still needs',
  response: Success.extend({ ...Upload.shape, received: z.array(z.number().int()) }),
})
export const putPart = endpoint({
  method: 'PUT',
  path: '/api/asset/{id}/parts/{part}',
  guests: true,
  summary: 'Send one part, raw bytes',
  requestTypes: ['application/octet-stream'],
  response: Success.extend({ part: z.number().int() }),
})
export const putRendition = endpoint({
  method: 'PUT',
  path: '/api/asset/{id}/renditions/{rendition}',
  summary: 'Send a picture made in the browser: thumb or preview',
  requestTypes: ['image/webp', 'image/avif', 'image/jpeg'],
  response: Success,
})
export const completeUpload = endpoint({
  method: 'POST',
  path: '/api/asset/{id}/complete',
  guests: true,
  summary: 'Finish an upload',
  response: OneAsset.extend(Duplicate),
})

/**
 * Responds with raw bytes, not JSON. Supports Range, If-Range, If-None-Match and `?download=1`. Types other than images, video, audio and PDF
 * are always downloads.
 */
export const getFile = endpoint({
  method: 'GET',
  path: '/api/asset/{id}/file',
  guests: true,
  summary: 'The original, whole or in part',
  responseType: '*/*',
  fileOptions: ['download'],
  conditionalHeaders: ['range', 'if-none-match'],
  response: z.file(),
})
/** Responds with raw bytes. With the asset's `file_version` as `?v=`, it may be cached for ever. */
export const getRendition = endpoint({
  method: 'GET',
  path: '/api/asset/{id}/renditions/{rendition}',
  guests: true,
  summary: 'A small picture of the asset: thumb or preview',
  responseType: 'image/*',
  fileOptions: ['v'],
  conditionalHeaders: ['if-none-match'],
  response: z.file(),
})
