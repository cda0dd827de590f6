import { Asset, NewAsset } from './assets.ts'
import { endpoint, Success } from './endpoint.ts'
import { Id } from './ids.ts'
import { Location } from './locations.ts'
import { z } from './zod.ts'

/** An own asset whose file has something that nobody has read: a picture, or the data of a film or a raw photo. */
export const UnreadAsset = Asset.pick({ id: true, name: true, type: true, size: true, renditions: true })
export type UnreadAsset = z.infer<typeof UnreadAsset>

/** Metadata that a device has found in the file of an asset. Fields that are missing or null were not found. */
export const FoundInFile = NewAsset.pick({
  width: true,
  height: true,
  duration: true,
  thumbhash: true,
  date: true,
  dateZone: true,
  datePrecision: true,
  alt: true,
  contentId: true,
}).extend({ location: Location.omit({ name: true }).nullable().optional() })
export type FoundInFile = z.infer<typeof FoundInFile>

/**
 * Lists assets that the caller may change and the server cannot read, newest first, a few per call. `after` is the last id of the call before. An asset
 * stays in the list until `recordFound`.
 */
export const listUnread = endpoint({
  method: 'GET',
  path: '/api/asset/unread',
  summary: 'Own assets that a device has to read',
  query: z.strictObject({ after: Id.optional() }),
  response: Success.extend({ assets: z.array(UnreadAsset) }),
})
/**
 * Fills what the asset lacks, and is not an edit. Date, location and description stay as they are once the file was read or a person has changed
 * one of them. The asset counts as read then, also if nothing was found.
 */
export const recordFound = endpoint({
  method: 'POST',
  path: '/api/asset/{id}/metadata',
  summary: 'Complete one of your assets with what is in its file',
  body: FoundInFile,
  response: Success,
})
