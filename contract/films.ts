import { t } from '#say'
import { Asset, Upload } from './assets.ts'
import { DECLARED_FILE } from './declared-file.ts'
import { endpoint, Success } from './endpoint.ts'
import { z } from './zod.ts'

/** A playable film has at most this many times the bytes of its original. */
export const FILM_GROWTH = 2

/** Media types of playable films. */
export const FILM_TYPES = ['video/mp4', 'video/webm'] as const

export const NewFilm = z.strictObject({
  type: z.enum(FILM_TYPES, { error: () => t`A playable film is an MP4 or a WebM` }),
  ...DECLARED_FILE,
})
export type NewFilm = z.infer<typeof NewFilm>

/**
 * Only its author may, while they may edit the video. At most twice as large as the original. The same film again goes on where it stopped; another one
 * replaces what is unfinished. `complete`: it is there already, and nothing has to be sent.
 */
export const beginFilm = endpoint({
  method: 'POST',
  path: '/api/asset/{id}/renditions/film',
  summary: 'Begin a playable film of a video whose codec few browsers know',
  body: NewFilm,
  response: Success.extend({ ...Upload.shape, complete: z.literal(true).optional() }),
})
export const putFilmPart = endpoint({
  method: 'PUT',
  path: '/api/asset/{id}/renditions/film/parts/{part}',
  summary: 'Send one part of a playable film, raw bytes',
  requestTypes: ['application/octet-stream'],
  response: Success.extend({ part: z.number().int() }),
})
export const getFilmUpload = endpoint({
  method: 'GET',
  path: '/api/asset/{id}/renditions/film/upload',
  summary: 'What a playable film still needs',
  response: Success.extend({ ...Upload.shape, received: z.array(z.number().int()) }),
})
/** Size and SHA-256 are checked, and that it is of the declared type. It takes the place of an earlier one. */
export const completeFilm = endpoint({
  method: 'POST',
  path: '/api/asset/{id}/renditions/film/complete',
  summary: 'Finish a playable film',
  response: Success.extend({ asset: Asset }),
})
/** Only its author may. What it has taken of quotas is free at once. 404 without one that is being sent. */
export const discardFilm = endpoint({
  method: 'DELETE',
  path: '/api/asset/{id}/renditions/film/upload',
  summary: 'Discard a playable film that is not finished',
  response: Success,
})
/** For whoever may edit the video, which stays. One that is being sent is discarded too. 404 without any. */
export const deleteFilm = endpoint({
  method: 'DELETE',
  path: '/api/asset/{id}/renditions/film',
  summary: 'Delete the playable film of a video',
  response: Success.extend({ asset: Asset }),
})
/** Responds with raw bytes. With the asset's `file_version` as `?v=`, it may be cached for ever. Supports Range, If-Range and If-None-Match. */
export const getFilm = endpoint({
  method: 'GET',
  path: '/api/asset/{id}/renditions/film',
  guests: true,
  summary: 'The playable film of a video, whole or in part',
  responseType: 'video/*',
  fileOptions: ['v', 'download'],
  conditionalHeaders: ['range', 'if-none-match'],
  response: z.file(),
})
