import type { Said } from '#language'
import type { Asset } from '../../../contract/assets.ts'
import { DatePrecision } from '../../../contract/dates.ts'
import { FILM_TYPES } from '../../../contract/films.ts'
import { Location } from '../../../contract/locations.ts'
import { z } from '../../../contract/zod.ts'

/**
 * waiting → preparing → ready → uploading → finishing → done | duplicate. `retrying` waits for `retryAt`; `paused` waits for the user;
 * `failed` keeps the file and the reason.
 */
export const UploadState = z.enum([
  'waiting',
  'preparing',
  'ready',
  'uploading',
  'finishing',
  'retrying',
  'paused',
  'failed',
  'done',
  'duplicate',
])
export type UploadState = z.infer<typeof UploadState>

/**
 * Values known about a file besides its bytes. `exactly`: they replace the file's own values, even where they are null; otherwise a date
 * of the file is kept if it differs only by a time zone. `onlyMissing`: date and place of the file are kept wherever it has them.
 * `wallClock`: of the date only the clock is known, and its zone is the reader's.
 */
export const Overrides = z.object({
  exactly: z.boolean(),
  onlyMissing: z.boolean().optional(),
  date: z.string().nullable(),
  dateZone: z.string().nullable(),
  datePrecision: DatePrecision,
  wallClock: z.boolean().optional(),
  location: Location.nullable(),
  placeHidden: z.boolean().optional(),
  alt: z.string().nullable(),
  originalAuthor: z.string().optional(),
  peopleIds: z.array(z.string()),
  /** For files that this browser cannot measure. */
  width: z.number().nullable().optional(),
  height: z.number().nullable().optional(),
  duration: z.number().nullable().optional(),
  thumbhash: z.string().nullable().optional(),
})
export type Overrides = z.infer<typeof Overrides>

/** Whether most browsers play a film; `makeable` if few do, and this device can make one that most play. */
export const FilmPlays = z.enum(['widely', 'makeable', 'seldom'])
export type FilmPlays = z.infer<typeof FilmPlays>

/** Metadata read from a file; all fields that `POST /api/asset` needs besides name and size. `duration` in seconds. */
export const PreparedMeta = z.object({
  checksum: z.string(),
  type: z.string(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  duration: z.number().nullable(),
  thumbhash: z.string().nullable(),
  date: z.string().nullable(),
  dateZone: z.string().nullable(),
  datePrecision: DatePrecision,
  location: z.object({ lat: z.number(), lon: z.number() }).nullable(),
  /** The caption that the file has inside. Files that wait since an older version have none. */
  alt: z.string().nullable().optional(),
  /** The camera's identifier of all files of one shot. */
  contentId: z.string().nullable().optional(),
  /** Of films, if that is known. */
  plays: FilmPlays.nullable().optional(),
  /** `name`: the file itself has no date. */
  dateFrom: z.literal('name').optional(),
  /** The moment is certain, and only its zone is the reader's. */
  isMoment: z.boolean().optional(),
})
export type PreparedMeta = z.infer<typeof PreparedMeta>

/** A playable film that has been made on this device, waiting to be sent. `size` in bytes, `checksum` as of an asset. */
export const MadeFilm = z.object({ type: z.enum(FILM_TYPES), size: z.number(), checksum: z.string() })
export type MadeFilm = z.infer<typeof MadeFilm>

/**
 * A version of an uploaded film that more browsers play: waiting → making → waiting (with `made`) → sending, and then gone. `failed` keeps the reason and
 * waits for the user. It begins when no file of the queue is under way.
 */
export const FilmVersion = z.object({
  state: z.enum(['waiting', 'making', 'sending', 'failed']),
  /** 0 to 1, of what is under way. */
  share: z.number(),
  /** How often making it has begun: one that ends the page again and again is given up. */
  starts: z.number(),
  attempts: z.number(),
  retryAt: z.number().nullable(),
  message: z.string().nullable(),
  made: MadeFilm.nullable(),
})
export type FilmVersion = z.infer<typeof FilmVersion>

/** One file of the queue. `id` is the asset's id from the start, so that every step can be repeated. Sizes in bytes, times in ms. */
export const UploadItem = z.object({
  id: z.string(),
  userId: z.string(),
  collectionId: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  addedAt: z.number(),
  /** When the device says that the file was last changed; only of files about which nothing else is given. */
  modifiedAt: z.number().optional(),
  state: UploadState,
  sent: z.number(),
  attempts: z.number(),
  retryAt: z.number().nullable(),
  /** An error or a notice, as a sentence. */
  message: z.string().nullable(),
  /** Error code of a failure: `unauthenticated` ones resume automatically after signing in. */
  code: z.string().nullable(),
  /** Whether another attempt is pointless (an empty file). */
  final: z.boolean(),
  /** `kept` bytes are in this device's storage and survive a reload; `memory` ones found no room there. */
  keep: z.enum(['saving', 'kept', 'memory']),
  begun: z.boolean(),
  meta: PreparedMeta.nullable(),
  /** The other item or asset that already has these bytes, if any. */
  sameAs: z.string().optional(),
  given: Overrides.optional(),
  /** `given` has grown by another copy, maybe after the server got it. */
  joined: z.boolean().optional(),
  /** Of a film that is `done`: its bytes are needed until this is made. */
  film: FilmVersion.optional(),
  /** The asset was here already, and has been completed. */
  completed: z.boolean().optional(),
})
export type UploadItem = z.infer<typeof UploadItem>

/** What a video element shows of a film: all null if the browser does not play it. */
export interface Probe {
  width: number | null
  height: number | null
  duration: number | null
  frame: ImageBitmap | null
}

export interface Prepared {
  meta: PreparedMeta
  thumb: Blob | null
  preview: Blob | null
  /** Not yet in the language of the page, which a worker does not know. */
  note: Said | null
}

export type Prepare = (
  file: Blob,
  options: { name: string; type: string; signal: AbortSignal; onProgress: (share: number) => void },
) => Promise<Prepared>

export interface Renditions {
  thumb: Blob | null
  preview: Blob | null
}

/** Storage of waiting files. `save` returns false when the device has no room; the file is then kept in memory only. */
export interface UploadStore {
  save(item: UploadItem, file: Blob): Promise<boolean>
  update(item: UploadItem): Promise<void>
  saveRenditions(id: string, renditions: Renditions): Promise<void>
  renditions(id: string): Promise<Renditions>
  file(id: string): Promise<Blob | null>
  /** All of them, or the one with this id. */
  items(id?: string): Promise<UploadItem[]>
  remove(ids: string[]): Promise<void>
}

export interface SendOptions {
  signal: AbortSignal
  onProgress?: (loaded: number) => void
  /** All bytes are sent, and the server has not answered yet. */
  onUploaded?: () => void
}

/** `duplicate`: the collection already contained this file. `completed`: the existing asset lacked something that was given. */
export interface Sent {
  asset: Asset
  duplicate: boolean
  completed?: boolean
}

export type Begun = ({ state: 'ready' } & Sent) | { state: 'open'; partSize: number; parts: number; received: number[] }

/** The API calls of an upload. All may throw; `failureOf` converts the error. */
export interface UploadTransport {
  /** Sends a file of at most one part with its renditions. */
  sendWhole(item: UploadItem, parts: { meta: PreparedMeta; file: Blob; renditions: Renditions }, options: SendOptions): Promise<Sent>
  begin(item: UploadItem, meta: PreparedMeta, signal: AbortSignal): Promise<Begun>
  resume(id: string, signal: AbortSignal): Promise<Begun>
  putPart(id: string, part: number, bytes: Blob, options: SendOptions): Promise<void>
  putRendition(id: string, name: 'thumb' | 'preview', bytes: Blob, signal: AbortSignal): Promise<void>
  complete(item: UploadItem, signal: AbortSignal): Promise<Sent>
  /** Completes the asset of an item with what is given about it, unless somebody else has edited it. */
  fillIn(asset: Asset, item: UploadItem, signal: AbortSignal): Promise<Asset>
  /** Sends what the server does not have yet of a playable film. `onSent` receives bytes. */
  sendFilm(id: string, film: Blob, made: MadeFilm, options: { signal: AbortSignal; onSent: (bytes: number) => void }): Promise<Asset>
  discard(id: string): Promise<void>
  /** Discards a playable film that is not finished. */
  discardFilm(id: string): Promise<void>
}

/** Makes playable films, and keeps them on the device until they are sent. */
export interface FilmMaker {
  /** Whether the user wants them. */
  wanted(): boolean
  /** False on a connection on which data may cost the user something. */
  mayBeSent(): boolean
  /** Throws FilmRefused if this device cannot make it. */
  make(id: string, file: Blob, options: { signal: AbortSignal; onProgress: (share: number) => void }): Promise<MadeFilm>
  /** Null if it is not on this device any more. */
  film(id: string): Promise<Blob | null>
  remove(id: string): void
  /** Removes films of files that are not in the queue any more. */
  keepOnly(ids: readonly string[]): void
}

export type UploadEvent =
  | { kind: 'done'; item: UploadItem; asset: Asset }
  /** The asset has its playable film. */
  | { kind: 'filmed'; item: UploadItem; asset: Asset }
  /** The bytes of `id` are being uploaded already, as the upload `sameAs`. */
  | { kind: 'duplicate'; id: string; sameAs: string }
  /** `added` are the media types of the uploaded files; `completed` counts existing ones that have gained something. */
  | { kind: 'settled'; collectionId: string; added: string[]; duplicates: number; completed: number; failed: number }
