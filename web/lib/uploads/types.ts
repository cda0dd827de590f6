import type { Asset } from '../../../contract/assets.ts'
import { DatePrecision } from '../../../contract/dates.ts'
import { Location } from '../../../contract/locations.ts'
import { z } from '../../../contract/zod.ts'

/**
 * waiting → preparing → ready → uploading → finishing → done | duplicate.
 * `retrying` waits for `retryAt`; `paused` waits for the person; `failed` keeps the file and says why.
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
 * What somebody who brings a file knows of it beside its bytes. `exactly`: it holds whatever the file says, also that nothing is known;
 * otherwise a date of the file's own stays where it is the same but for its zone.
 */
export const Overrides = z.object({
  exactly: z.boolean(),
  date: z.string().nullable(),
  dateZone: z.string().nullable(),
  datePrecision: DatePrecision,
  location: Location.nullable(),
  alt: z.string().nullable(),
  peopleIds: z.array(z.string()),
  /** Where this browser cannot measure the file. */
  width: z.number().nullable().optional(),
  height: z.number().nullable().optional(),
  duration: z.number().nullable().optional(),
  thumbhash: z.string().nullable().optional(),
})
export type Overrides = z.infer<typeof Overrides>

/** What was learnt of a file; all that `POST /api/asset` wants beside name and size. `duration` in seconds. */
export const PreparedMeta = z.object({
  checksum: z.string(),
  type: z.string(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  duration: z.number().nullable(),
  thumbhash: z.string().nullable(),
  date: z.string().nullable(),
  dateZone: z.string().nullable(),
  datePrecision: z.enum(['minute', 'unknown']),
  location: z.object({ lat: z.number(), lon: z.number() }).nullable(),
})
export type PreparedMeta = z.infer<typeof PreparedMeta>

/** One file on its way. `id` is the asset's own id from the start, which makes every step repeatable. Sizes in bytes, times in ms. */
export const UploadItem = z.object({
  id: z.string(),
  userId: z.string(),
  collectionId: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  addedAt: z.number(),
  state: UploadState,
  sent: z.number(),
  attempts: z.number(),
  retryAt: z.number().nullable(),
  /** What went wrong, or what is worth knowing, in a sentence. */
  message: z.string().nullable(),
  /** Error code of a failure: `unauthenticated` ones resume by themselves after signing in. */
  code: z.string().nullable(),
  /** Trying again cannot help (an empty file). */
  final: z.boolean(),
  /** `kept` bytes are in this device's storage and survive a reload; `memory` ones found no room there. */
  keep: z.enum(['saving', 'kept', 'memory']),
  /** The server knows of the asset. */
  begun: z.boolean(),
  meta: PreparedMeta.nullable(),
  /** The item or asset whose bytes were there already, where that is another. */
  sameAs: z.string().optional(),
  given: Overrides.optional(),
})
export type UploadItem = z.infer<typeof UploadItem>

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
  note: string | null
}

export type Prepare = (file: Blob, options: { type: string; signal: AbortSignal; onProgress: (share: number) => void }) => Promise<Prepared>

export interface Renditions {
  thumb: Blob | null
  preview: Blob | null
}

/** Where files wait. `save` answers false when the device has no room; the file then lives in memory only. */
export interface UploadStore {
  save(item: UploadItem, file: Blob): Promise<boolean>
  update(item: UploadItem): Promise<void>
  saveRenditions(id: string, renditions: Renditions): Promise<void>
  renditions(id: string): Promise<Renditions>
  file(id: string): Promise<Blob | null>
  items(): Promise<UploadItem[]>
  remove(ids: string[]): Promise<void>
}

export interface SendOptions {
  signal: AbortSignal
  onProgress?: (loaded: number) => void
}

/** `duplicate`: the collection held this file before. */
export type Begun =
  | { state: 'ready'; asset: Asset; duplicate: boolean }
  | { state: 'open'; partSize: number; parts: number; received: number[] }

/** The calls of contract §3. All may throw; `failureOf` reads what. */
export interface UploadTransport {
  begin(item: UploadItem, meta: PreparedMeta, signal: AbortSignal): Promise<Begun>
  resume(id: string, signal: AbortSignal): Promise<Begun>
  putPart(id: string, part: number, bytes: Blob, options: SendOptions): Promise<void>
  putRendition(id: string, name: 'thumb' | 'preview', bytes: Blob, signal: AbortSignal): Promise<void>
  complete(item: UploadItem, signal: AbortSignal): Promise<{ asset: Asset; duplicate: boolean }>
  discard(id: string): Promise<void>
}

export type UploadEvent =
  | { kind: 'done'; item: UploadItem; asset: Asset }
  /** The bytes of `id` are on their way already, as the upload `sameAs`. */
  | { kind: 'duplicate'; id: string; sameAs: string }
  /** `added` holds the media types of what arrived. */
  | { kind: 'settled'; collectionId: string; added: string[]; duplicates: number; failed: number }
