import { t } from '#say'
import { newId } from '../../../contract/ids.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { countCharacters } from '../../../contract/text.ts'
import type { Overrides, UploadItem, UploadState } from './types.ts'

/** Known properties of a file before it enters the queue: the asset's id, if already chosen, and values that override the file's own. */
export interface NewFile {
  id?: string | undefined
  overrides?: Overrides | undefined
}

/** A new item of the queue. A file that can never be stored has failed already, with the reason. */
export function newItem(
  userId: string,
  collectionId: string,
  file: File,
  now: number,
  { id = newId(now), overrides }: NewFile = {},
): UploadItem {
  const refused = file.size === 0 ? t`The file is empty` : file.size > LIMITS.fileSize ? t`A file may have at most 5 GiB` : null
  return {
    id,
    userId,
    collectionId,
    name: cleanName(file.name),
    type: typeOf(file),
    size: file.size,
    addedAt: now,
    state: refused ? 'failed' : 'waiting',
    sent: 0,
    attempts: 0,
    retryAt: null,
    message: refused,
    code: refused ? 'invalid' : null,
    final: refused !== null,
    keep: 'saving',
    begun: false,
    meta: null,
    // Named `given` because devices have stored it under that name.
    ...(overrides ? { given: overrides } : { modifiedAt: file.lastModified }),
  }
}

const ACTIVE: readonly UploadState[] = ['waiting', 'preparing', 'ready', 'uploading', 'finishing', 'retrying']
const RUNNING: readonly UploadState[] = ['preparing', 'uploading', 'finishing']
const SETTLED: readonly UploadState[] = ['done', 'duplicate', 'failed']

/** Whether it continues without the user. */
export function isActive(item: UploadItem): boolean {
  return ACTIVE.includes(item.state)
}

export function isRunning(item: UploadItem): boolean {
  return RUNNING.includes(item.state)
}

export function isSettled(item: UploadItem): boolean {
  return SETTLED.includes(item.state)
}

/** Whether it, or the version of it that more browsers play, could not be added. */
export function hasFailed({ state, film }: UploadItem): boolean {
  return state === 'failed' || film?.state === 'failed'
}

/** Whether it failed, and its bytes may be sent again. */
export function isRetryable({ state, final }: UploadItem): boolean {
  return state === 'failed' && !final
}

/** Whether its collection is gone, or takes nothing from this user any more. */
export function lacksCollection({ state, code }: UploadItem): boolean {
  return state === 'failed' && (code === 'forbidden' || code === 'not_found')
}

/** Whether its bytes are still needed and exist only in the memory of a tab. */
export function isLosable({ keep, state, final }: UploadItem): boolean {
  return keep !== 'kept' && state !== 'done' && state !== 'duplicate' && !final
}

/**
 * Another item that is uploading the same bytes to the same collection. A finished one does not count: its asset may have changed since.
 */
export function duplicateOf(items: Iterable<UploadItem>, id: string, collectionId: string, checksum: string): UploadItem | undefined {
  for (const other of items) {
    if (other.id !== id && !isSettled(other) && other.collectionId === collectionId && other.meta?.checksum === checksum) return other
  }
  return undefined
}

/** The asset of an upload: another one if the same bytes existed before. */
export function assetIdOf(id: string, byId: ReadonlyMap<string, UploadItem>): string {
  const sameAs = byId.get(id)?.sameAs
  return sameAs && sameAs !== id ? assetIdOf(sameAs, byId) : id
}

export function assetIdsOf(ids: readonly string[], items: readonly UploadItem[]): string[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  return [...new Set(ids.map((id) => assetIdOf(id, byId)))]
}

/** Whether it was added, but can be shown to nobody: its row says why, until it is dismissed. */
export function isUnshown({ state, meta }: UploadItem): boolean {
  return state === 'done' && meta !== null && !meta.thumbhash && /^(?:image\/(?!svg)|video\/)/.test(meta.type)
}

/** Whether a version that more browsers play is still to be made or sent. */
export function isFilmDue({ film }: UploadItem): boolean {
  return film !== undefined && film.state !== 'failed'
}

/** Whether such a version is under way. */
export function isFilming({ film }: UploadItem): boolean {
  return film?.state === 'making' || film?.state === 'sending'
}

export interface UploadSummary {
  total: number
  /** Files that continue without the user. */
  active: number
  paused: number
  added: number
  duplicates: number
  failed: number
  /** Of those that failed: closing the list discards their bytes. */
  retryable: number
  /** Added, but without a picture. */
  unshown: number
  /** Versions that more browsers play: still to be made, and those that could not be. */
  films: number
  filmsFailed: number
  /** The one under way: what is done with it, and its share from 0 to 1. Null without one. */
  filming: { state: 'making' | 'sending'; share: number } | null
  /** 0 to 1 over the bytes of all files that have not failed. */
  progress: number
  waitingForConnection: boolean
  /** Files that a reload would lose. */
  memoryOnly: number
}

export function summarize(items: readonly UploadItem[]): UploadSummary {
  const count = (matches: (item: UploadItem) => boolean) => items.filter(matches).length
  const wanted = items.filter(({ state }) => state !== 'failed')
  const bytes = wanted.reduce((sum, { size }) => sum + size, 0)
  const sent = wanted.reduce(
    (sum, { state, size, sent }) => sum + (state === 'done' || state === 'duplicate' ? size : Math.min(sent, size)),
    0,
  )
  return {
    total: items.length,
    active: count(isActive),
    paused: count(({ state }) => state === 'paused'),
    added: count(({ state }) => state === 'done'),
    duplicates: count(({ state }) => state === 'duplicate'),
    failed: items.length - wanted.length,
    retryable: count(isRetryable),
    unshown: count(isUnshown),
    films: count(isFilmDue),
    filmsFailed: count(({ film }) => film?.state === 'failed'),
    filming: filmingOf(items),
    progress: bytes === 0 ? 0 : sent / bytes,
    waitingForConnection: items.some(({ state, code }) => state === 'retrying' && code === 'offline'),
    memoryOnly: count((item) => item.keep === 'memory' && isLosable(item)),
  }
}

function filmingOf(items: readonly UploadItem[]): UploadSummary['filming'] {
  for (const { film } of items) if (film?.state === 'making' || film?.state === 'sending') return { state: film.state, share: film.share }
  return null
}

/** A file name as the server accepts it: one line without control characters, shortened before the extension. */
function cleanName(name: string): string {
  const base = name.replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').replace(/^.*[/\\]/, '')
  const clean = base.toWellFormed().normalize('NFC').replace(/\s+/g, ' ').trim() || 'file'
  if (countCharacters(clean, LIMITS.fileName) <= LIMITS.fileName) return clean
  const extension = /\.[a-z0-9]{1,10}$/i.exec(clean)?.[0] ?? ''
  return `${[...clean].slice(0, LIMITS.fileName - extension.length - 1).join('')}…${extension}`
}

const BY_EXTENSION: Record<string, string> = {
  heic: 'image/heic',
  heif: 'image/heic',
  avif: 'image/avif',
  '3gp': 'video/3gpp',
  avi: 'video/x-msvideo',
  m2ts: 'video/mp2t',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  mts: 'video/mp2t',
}

/** The media type guessed by the browser, without parameters; by extension for a few types that browsers do not know. */
function typeOf(file: { name: string; type: string }): string {
  const declared = file.type.split(';')[0]?.trim().toLowerCase() ?? ''
  if (/^[a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*$/.test(declared)) return declared
  return BY_EXTENSION[file.name.split('.').pop()?.toLowerCase() ?? ''] ?? 'application/octet-stream'
}
