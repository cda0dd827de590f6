import { t } from '#say'
import type { Asset } from '../../../contract/assets.ts'
import { type Moment, nextAttempt } from '../back-off.ts'
import { begunFilm, failedFilm, meteredFilm, NEW_FILM, nextFilm, restoredFilm, retriedFilm } from './film-steps.ts'
import { duplicateOf, hasFailed, isActive, isFilmDue, isSettled } from './items.ts'
import { joinOverrides } from './overrides.ts'
import { afterFailure, continued, isOutage, restored, type UploadFailure } from './retries.ts'
import type { FilmVersion, PreparedMeta, UploadEvent, UploadItem, UploadState } from './types.ts'

const MAX_PREPARING = 2
const MAX_SENDING = 3
/** No more files than this wait with their renditions in memory. */
const MAX_PREPARED = 8
/** The queue of one tab. Times in milliseconds on any clock. */
export interface QueueState {
  items: ReadonlyMap<string, UploadItem>
  /** Ids of the files whose outcome is announced together. */
  batch: ReadonlySet<string>
  /** Whether this tab sends the files stored on the device, for all tabs. */
  leading: boolean
  stopped: boolean
  /** While the server is unreachable or rate-limits, no file is started: one failure counts for all. */
  outage: { until: number; failures: number }
  /** Time of the next timer event. */
  wakeAt: number | null
}

/** Without an `id`, an event of the user applies to all files. */
export type QueueEvent =
  | { type: 'added' | 'restored'; items: readonly UploadItem[] }
  | { type: 'leading' | 'following' | 'check' | 'online' | 'stopped' }
  /** The file is stored on the device, or did not fit. */
  | { type: 'stored'; id: string; saved: boolean }
  | { type: 'measured'; id: string; meta: PreparedMeta }
  | { type: 'prepared'; id: string; note: string | null }
  | { type: 'begun' | 'finishing'; id: string }
  | { type: 'progress'; id: string; sent: number }
  /** `film`: a version is to be made that more browsers play. */
  | { type: 'arrived'; id: string; asset: Asset; duplicate: boolean; completed?: boolean; film?: boolean }
  | { type: 'filmProgress'; id: string; share: number }
  /** Null if it is not on this device any more. */
  | { type: 'filmMade'; id: string; made: FilmVersion['made'] }
  /** It waits for a connection that is not metered. */
  | { type: 'filmMetered'; id: string }
  /** Without an asset there is none, because the user does not want it any more. */
  | { type: 'filmDone'; id: string; asset: Asset | null }
  | { type: 'filmFailed'; id: string; failure: UploadFailure }
  | { type: 'failed'; id: string; failure: UploadFailure }
  | { type: 'pause' | 'resume' | 'cancel'; id?: string | undefined }
  /** `dismissArrived` leaves what failed, with its reason. */
  | { type: 'dismiss' | 'dismissArrived' }

export type QueueEffect =
  | { type: 'prepare' | 'send' | 'makeFilm' | 'sendFilm' | 'abort' | 'handOver'; id: string }
  /** Stores a changed item on the device. */
  | { type: 'record'; item: UploadItem }
  /** Frees the bytes of an item, and its row if `removed`. */
  | { type: 'forget'; id: string; removed: boolean }
  /** Deletes the unfinished upload, or film, on the server. */
  | { type: 'discard' | 'discardFilm'; id: string }
  | { type: 'announce'; event: UploadEvent }

export interface Step {
  state: QueueState
  effects: QueueEffect[]
}

export const EMPTY_QUEUE: QueueState = {
  items: new Map(),
  batch: new Set(),
  leading: false,
  stopped: false,
  outage: { until: 0, failures: 0 },
  wakeAt: null,
}

/** The next state of the queue and the effects to run. Pure: no clock, storage or network. */
export function stepQueue(before: QueueState, event: QueueEvent, moment: Moment): Step {
  const draft = new Draft(before)
  apply(draft, event, moment)
  // Progress comes many times a second and changes nothing else.
  if (!draft.state.stopped && event.type !== 'progress' && event.type !== 'filmProgress') {
    wake(draft, moment.now)
    begin(draft, moment.now)
    beginFilm(draft, moment.now)
    announceOutcomes(draft)
  }
  return { state: draft.state, effects: draft.effects }
}

/** Mutable copy of the state within one step. */
class Draft {
  readonly items: Map<string, UploadItem>
  readonly effects: QueueEffect[] = []
  state: QueueState
  constructor(before: QueueState) {
    this.items = new Map(before.items)
    this.state = { ...before, items: this.items }
  }

  /** Changes an item; `recorded` also stores the change on the device. */
  patch(id: string, fields: Partial<UploadItem>, recorded = true): void {
    const item = this.items.get(id)
    if (!item) return
    const changed = { ...item, ...fields }
    this.items.set(id, changed)
    if (recorded && changed.keep === 'kept') this.effects.push({ type: 'record', item: changed })
  }

  /** The server has the file: frees its bytes, unless a film is made of them, while the row stays until it is dismissed. */
  finish(id: string, fields: Partial<UploadItem>): void {
    const kept = fields.film !== undefined
    this.patch(id, { ...fields, code: null, retryAt: null, attempts: 0 }, kept)
    if (!kept) this.effects.push({ type: 'forget', id, removed: false })
  }

  remove(id: string): void {
    this.items.delete(id)
    this.effects.push({ type: 'abort', id }, { type: 'forget', id, removed: true })
  }

  /** Leaves a stored file to the leading tab, which sends it from the device. */
  leave(id: string): void {
    this.items.delete(id)
    const batch = new Set(this.state.batch)
    batch.delete(id)
    this.state = { ...this.state, batch }
    this.effects.push({ type: 'abort', id }, { type: 'handOver', id })
  }

  addToBatch(ids: Iterable<string>): void {
    this.state = { ...this.state, batch: new Set([...this.state.batch, ...ids]) }
  }

  /** A stored file belongs to the leading tab, one in memory to the tab that has it. */
  isOwn(item: UploadItem): boolean {
    return this.state.leading || item.keep === 'memory'
  }
}

function apply(draft: Draft, event: QueueEvent, moment: Moment): void {
  switch (event.type) {
    case 'added':
    case 'restored': {
      const fresh = event.items.filter(({ id }) => !draft.items.has(id))
      for (const item of fresh) draft.items.set(item.id, event.type === 'added' ? item : withFilm(restored(item)))
      // What was done before a reload has been announced.
      draft.addToBatch(fresh.filter(({ state }) => state !== 'done').map(({ id }) => id))
      return
    }
    case 'leading':
      draft.state = { ...draft.state, leading: true }
      return
    case 'following':
      draft.state = { ...draft.state, leading: false }
      for (const item of draft.items.values()) if (item.keep === 'kept' && (!isSettled(item) || isFilmDue(item))) draft.leave(item.id)
      return
    case 'stopped':
      draft.state = { ...draft.state, stopped: true, wakeAt: null }
      return
    case 'check':
      return
    case 'online':
      draft.state = { ...draft.state, outage: EMPTY_QUEUE.outage }
      for (const item of draft.items.values()) {
        if (item.state === 'retrying' && item.code === 'offline') draft.patch(item.id, { retryAt: moment.now })
        if (item.film?.retryAt) draft.patch(item.id, { film: { ...item.film, retryAt: moment.now } })
      }
      return
    case 'stored':
      stored(draft, event.id, event.saved)
      return
    case 'measured':
      measured(draft, event.id, event.meta)
      return
    case 'prepared':
      draft.patch(event.id, { state: 'ready', message: event.note })
      return
    case 'begun':
      // A file that was refused whole is in parts now.
      draft.patch(event.id, { begun: true, state: 'uploading' })
      return
    case 'finishing':
      draft.patch(event.id, { state: 'finishing' })
      return
    case 'progress':
      // Not recorded: after a reload the server reports how much it has.
      draft.patch(event.id, { sent: event.sent }, false)
      return
    case 'arrived':
      arrived(draft, event)
      return
    case 'failed':
      failed(draft, event.id, event.failure, moment)
      return
    case 'filmProgress':
    case 'filmMade':
    case 'filmMetered':
    case 'filmDone':
    case 'filmFailed':
      filmed(draft, event, moment)
      return
    case 'dismiss':
    case 'dismissArrived':
      for (const item of draft.items.values()) {
        if (!isSettled(item) || isFilmDue(item) || (event.type === 'dismissArrived' && hasFailed(item))) continue
        discardFilm(draft, item.id)
        draft.remove(item.id)
      }
      return
    case 'pause':
    case 'resume':
    case 'cancel':
      for (const item of event.id ? [draft.items.get(event.id)] : [...draft.items.values()]) if (item) byUser(draft, event.type, item)
  }
}

const withFilm = (item: UploadItem) => (item.film ? { ...item, film: restoredFilm(item.film) } : item)

function stored(draft: Draft, id: string, saved: boolean): void {
  const item = draft.items.get(id)
  if (!item) return
  if (!saved || draft.isOwn(item)) {
    draft.patch(id, { keep: saved ? 'kept' : 'memory' })
    return
  }
  draft.leave(id)
}

function measured(draft: Draft, id: string, meta: PreparedMeta): void {
  const item = draft.items.get(id)
  if (!item) return
  const duplicate = duplicateOf(draft.items.values(), id, item.collectionId, meta.checksum)
  if (!duplicate) {
    draft.patch(id, { meta }, false)
    return
  }
  if (item.given) {
    const peopleIds = [...new Set([...(duplicate.given?.peopleIds ?? []), ...item.given.peopleIds])]
    const given = { ...(duplicate.given ? joinOverrides(duplicate.given, item.given) : item.given), peopleIds }
    draft.patch(duplicate.id, { given, joined: true })
  }
  draft.finish(id, { state: 'duplicate', message: t`The same as ${duplicate.name}; kept once`, sent: item.size, sameAs: duplicate.id })
  draft.effects.push({ type: 'announce', event: { kind: 'duplicate', id, sameAs: duplicate.id } })
}

function arrived(draft: Draft, { id, asset, duplicate, completed = false, film }: Extract<QueueEvent, { type: 'arrived' }>): void {
  const item = draft.items.get(id)
  if (!item) return
  if (!duplicate) draft.state = { ...draft.state, outage: EMPTY_QUEUE.outage }
  draft.finish(id, {
    state: duplicate ? 'duplicate' : 'done',
    message: duplicate ? (completed ? t`Already here, now with more details` : t`Already here`) : item.message,
    ...(completed && { completed }),
    sent: item.size,
    ...(asset.id !== id && { sameAs: asset.id }),
    ...(film && { film: NEW_FILM }),
  })
  const done = draft.items.get(id)
  if (done) draft.effects.push({ type: 'announce', event: { kind: 'done', item: done, asset } })
}

function failed(draft: Draft, id: string, failure: UploadFailure, moment: Moment): void {
  const item = draft.items.get(id)
  if (!item) return
  if (!isOutage(failure)) {
    draft.patch(id, afterFailure(item.attempts + 1, failure, moment))
    return
  }
  const { until, failures: before } = draft.state.outage
  const failures = until <= moment.now ? before + 1 : before
  const pause = nextAttempt(failures, moment, failure.retryAfter)
  // A file that fails while others arrive waits longer than they do.
  draft.patch(id, afterFailure(Math.max(failures, item.attempts + 1), failure, moment))
  draft.state = { ...draft.state, outage: { failures, until: Math.max(until, pause) } }
}

function byUser(draft: Draft, act: 'pause' | 'resume' | 'cancel', item: UploadItem): void {
  const { id, state, final, begun, film } = item
  if (film) {
    filmByUser(draft, act, id, film)
    return
  }
  if (act === 'pause' && isActive(item) && state !== 'finishing') {
    draft.effects.push({ type: 'abort', id })
    draft.patch(id, { state: 'paused', retryAt: null })
  } else if (act === 'resume' && !final && (state === 'paused' || state === 'retrying' || state === 'failed')) {
    draft.addToBatch([id])
    draft.patch(id, { ...continued(item), attempts: 0 })
  } else if (act === 'cancel' && state !== 'done' && state !== 'duplicate') {
    draft.remove(id)
    // Its copies were dropped in its favour, so they go too.
    for (const other of [...draft.items.values()]) if (other.sameAs === id) draft.remove(other.id)
    if (begun) draft.effects.push({ type: 'discard', id })
  }
}

function filmed(draft: Draft, event: Extract<QueueEvent, { type: `film${string}` }>, moment: Moment): void {
  const { id } = event
  const film = draft.items.get(id)?.film
  if (!film) return
  switch (event.type) {
    case 'filmProgress':
      draft.patch(id, { film: { ...film, share: event.share } }, false)
      return
    case 'filmMade':
      draft.patch(id, { film: { ...film, state: 'waiting', share: 0, made: event.made } })
      return
    case 'filmMetered':
      draft.effects.push({ type: 'abort', id })
      draft.patch(id, { film: meteredFilm(film, moment.now) })
      return
    case 'filmFailed':
      // The video is gone, or nobody's to change any more.
      if (['not_found', 'forbidden'].includes(event.failure.code)) draft.finish(id, { film: undefined })
      else draft.patch(id, { film: failedFilm(film, event.failure, moment) })
      return
    case 'filmDone': {
      if (!event.asset) discardFilm(draft, id)
      draft.finish(id, { film: undefined, ...(event.asset && { message: t`Added, with a version that plays everywhere` }) })
      const item = draft.items.get(id)
      if (item && event.asset) draft.effects.push({ type: 'announce', event: { kind: 'filmed', item, asset: event.asset } })
    }
  }
}

/** Cancelling leaves the video as it is. */
function filmByUser(draft: Draft, act: 'pause' | 'resume' | 'cancel', id: string, film: FilmVersion): void {
  if (act === 'resume' && film.state === 'failed') draft.patch(id, { film: retriedFilm(film) })
  if (act !== 'cancel') return
  draft.effects.push({ type: 'abort', id })
  discardFilm(draft, id)
  draft.finish(id, { film: undefined })
}

/** Of a film that is made the server may have a part, which counts toward quotas. */
function discardFilm(draft: Draft, id: string): void {
  if (draft.items.get(id)?.film?.made) draft.effects.push({ type: 'discardFilm', id })
}

/** Sending a film waits for files that have been added meanwhile, and goes on where it was. */
function beginFilm(draft: Draft, now: number): void {
  const items = [...draft.items.values()]
  const sending = items.find(({ film }) => film?.state === 'sending')
  if (sending?.film && items.some(isActive)) {
    draft.effects.push({ type: 'abort', id: sending.id })
    draft.patch(sending.id, { film: restoredFilm(sending.film) })
  }
  if (draft.state.outage.until > now) return
  const next = nextFilm(items, (item) => draft.isOwn(item), now)
  if (!next?.film) return
  const film = begunFilm(next.film)
  draft.patch(next.id, { film })
  if (film.state === 'making') draft.effects.push({ type: 'makeFilm', id: next.id })
  if (film.state === 'sending') draft.effects.push({ type: 'sendFilm', id: next.id })
}

/** Continues items whose retry is due, and sets the timer for the next. */
function wake(draft: Draft, now: number): void {
  const { until } = draft.state.outage
  let next = until > now ? until : Number.POSITIVE_INFINITY
  for (const item of draft.items.values()) {
    const again = item.film?.retryAt ?? 0
    if (again > now && draft.isOwn(item)) next = Math.min(next, again)
    if (item.state !== 'retrying' || !draft.isOwn(item)) continue
    const due = item.retryAt ?? 0
    if (due <= now) draft.patch(item.id, continued(item))
    else next = Math.min(next, due)
  }
  draft.state = { ...draft.state, wakeAt: Number.isFinite(next) ? next : null }
}

function begin(draft: Draft, now: number): void {
  const those = (matches: (item: UploadItem) => boolean) => [...draft.items.values()].filter(matches)
  const own = (state: UploadState) => those((item) => item.state === state && draft.isOwn(item))
  if (draft.state.outage.until <= now) {
    // Files that have failed come last, so that one which the server never takes does not hold up the others.
    const next = own('ready').toSorted((a, b) => a.attempts - b.attempts)
    const sending = those(({ state }) => state === 'uploading' || state === 'finishing').length
    for (const { id } of next.slice(0, Math.max(0, MAX_SENDING - sending))) start(draft, id, 'send')
  }
  const preparing = those(({ state }) => state === 'preparing').length
  const room = Math.min(MAX_PREPARING, MAX_PREPARED - those(isHeld).length) - preparing
  for (const { id } of own('waiting').slice(0, Math.max(0, room))) start(draft, id, 'prepare')
}

/** Whether it waits with its renditions in memory. Those of a file that failed are left to the device, if that has room. */
function isHeld({ state, meta, attempts, keep }: UploadItem): boolean {
  if (keep === 'kept' && attempts > 0) return false
  return state === 'ready' || (state === 'retrying' && meta !== null)
}

function start(draft: Draft, id: string, type: 'prepare' | 'send'): void {
  draft.patch(id, { state: type === 'send' ? 'uploading' : 'preparing' })
  draft.effects.push({ type, id })
}

/** Announces one event per collection once no file of the batch is active or paused. */
function announceOutcomes(draft: Draft): void {
  const batch = [...draft.state.batch].flatMap((id) => draft.items.get(id) ?? [])
  if (batch.length === 0 || !batch.every(isSettled)) return
  draft.state = { ...draft.state, batch: new Set() }
  for (const collectionId of new Set(batch.map((item) => item.collectionId))) {
    const inState = (state: UploadState) => batch.filter((item) => item.collectionId === collectionId && item.state === state)
    const added = inState('done').map((item) => item.meta?.type ?? item.type)
    const event = {
      kind: 'settled' as const,
      collectionId,
      added,
      duplicates: inState('duplicate').length,
      completed: batch.filter((item) => item.collectionId === collectionId && item.completed).length,
      failed: inState('failed').length,
    }
    draft.effects.push({ type: 'announce', event })
  }
}
