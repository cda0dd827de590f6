import { say } from '#language'
import { newId } from '../../../contract/ids.ts'
import { setTimer } from '../scheduling.ts'
import { createUploadBytes } from './bytes.ts'
import { isRunning, isSettled, type NewFile, newItem } from './items.ts'
import type { UploadFailure } from './retries.ts'
import { sendFile } from './send.ts'
import { EMPTY_QUEUE, type QueueEffect, type QueueEvent, stepQueue } from './step.ts'
import type { FilmMaker, Prepare, UploadEvent, UploadItem, UploadStore, UploadTransport } from './types.ts'

export interface QueueDeps {
  userId: string
  store: UploadStore
  prepare: Prepare
  transport: UploadTransport
  films: FilmMaker
  failureOf: (error: unknown) => UploadFailure
  /** Whether a file with this checksum is among the assets on the screen. */
  isKnown: (checksum: string) => boolean
  onChange: () => void
  onEvent: (event: UploadEvent) => void
  /** Called when a stored file is left to the leading tab. */
  onHandedOver?: (id: string) => void
  now?: () => number
  random?: () => number
  /** Runs once after `ms`; returns a function that cancels it. */
  later?: (run: () => void, ms: number) => () => void
}

export type UploadQueue = ReturnType<typeof createUploadQueue>

/** Also the bytes of a file that failed are needed: the user may try it again. */
const needsBytes = ({ state, final, film }: UploadItem) => film !== undefined || (state !== 'done' && state !== 'duplicate' && !final)

const byName = new Intl.Collator('en', { numeric: true })

/** Ids in the order of the names: photos of one second are shown in the order of their ids. */
function idsByName(files: readonly File[], now: number): string[] {
  const inOrder = files.toSorted((a, b) => byName.compare(a.name, b.name))
  const places = new Map(inOrder.map((file, place) => [file, place]))
  return files.map((file) => newId(now + (places.get(file) ?? 0)))
}

/** Milliseconds. */
const DISCARD_AGAIN = 5_000

/** Runs the effects of `step.ts`: prepares, sends and stores files. Uses no browser API directly, so that every path can be tested. */
export function createUploadQueue(deps: QueueDeps) {
  const { userId, store, transport, now = Date.now, random = Math.random, later = setTimer } = deps
  const bytes = createUploadBytes(store)
  const running = new Map<string, AbortController>()
  let state = EMPTY_QUEUE
  let cancelTimer = () => {}

  function dispatch(event: QueueEvent): void {
    const step = stepQueue(state, event, { now: now(), random: random() })
    state = step.state
    cancelTimer()
    cancelTimer = state.wakeAt === null ? () => {} : later(() => dispatch({ type: 'check' }), state.wakeAt - now())
    for (const effect of step.effects) perform(effect)
    deps.onChange()
  }

  function perform(effect: QueueEffect): void {
    switch (effect.type) {
      case 'prepare':
        void run(effect.id, prepare)
        break
      case 'send':
        void run(effect.id, send)
        break
      case 'makeFilm':
        void run(effect.id, makeFilm, 'filmFailed')
        break
      case 'sendFilm':
        void run(effect.id, sendFilm, 'filmFailed')
        break
      case 'abort':
        abort(effect.id)
        break
      case 'record':
        void store.update(effect.item).catch(() => {})
        break
      case 'forget':
        bytes.forget(effect.id, effect.removed)
        deps.films.remove(effect.id)
        break
      case 'discard':
        discard(() => transport.discard(effect.id))
        break
      case 'discardFilm':
        discard(() => transport.discardFilm(effect.id))
        break
      case 'handOver':
        deps.onHandedOver?.(effect.id)
        break
      case 'announce':
        deps.onEvent(effect.event)
    }
  }

  /** Deletes it on the server. A request that was under way may make its row after that, so it is tried again when there is none. */
  function discard(work: () => Promise<void>, again = true): void {
    work().catch((error: unknown) => {
      if (again && deps.failureOf(error).code === 'not_found') later(() => discard(work, false), DISCARD_AGAIN)
    })
  }

  function abort(id: string): void {
    running.get(id)?.abort()
    running.delete(id)
  }

  async function run(
    id: string,
    work: (item: UploadItem, signal: AbortSignal) => Promise<void>,
    onFailure: 'failed' | 'filmFailed' = 'failed',
  ): Promise<void> {
    const item = state.items.get(id)
    if (!item) return
    const control = new AbortController()
    running.set(id, control)
    try {
      await work(item, control.signal)
    } catch (error) {
      if (control.signal.aborted) return
      dispatch({ type: onFailure, id, failure: deps.failureOf(error) })
      if (state.items.get(id)?.keep === 'kept') void bytes.release(id)
    } finally {
      if (running.get(id) === control) running.delete(id)
    }
  }

  async function prepare({ id, name, type }: UploadItem, signal: AbortSignal): Promise<void> {
    const { meta, note, thumb, preview } = await deps.prepare(await bytes.file(id), { name, type, signal, onProgress: () => {} })
    if (signal.aborted) return
    dispatch({ type: 'measured', id, meta })
    const item = state.items.get(id)
    // The same bytes are being uploaded already.
    if (!item || isSettled(item)) return
    bytes.setRenditions(id, { thumb, preview })
    if (item.keep === 'kept') await store.saveRenditions(id, { thumb, preview })
    if (!signal.aborted) dispatch({ type: 'prepared', id, note: note && say(note) })
  }

  async function send(item: UploadItem, signal: AbortSignal): Promise<void> {
    const { id, meta } = item
    if (!meta) throw new Error('A file has to be prepared before it is sent')
    const unlessAborted = (event: QueueEvent) => signal.aborted || dispatch(event)
    const [file, renditions] = [await bytes.file(id), await bytes.renditions(id)]
    const sent = await sendFile(transport, {
      ...{ item, meta, file, renditions, signal },
      known: deps.isKnown(meta.checksum),
      onBegun: () => unlessAborted({ type: 'begun', id }),
      onSent: (sent) => unlessAborted({ type: 'progress', id, sent }),
      onFinishing: () => unlessAborted({ type: 'finishing', id }),
    })
    // Another copy of it may have come meanwhile, about which more is known.
    const latest = state.items.get(id)
    const asset = latest?.joined ? await transport.fillIn(sent.asset, { ...latest, meta, completed: sent.completed }, signal) : sent.asset
    const film = !sent.duplicate && meta.plays === 'makeable' && deps.films.wanted() && !asset.renditions.includes('film')
    dispatch({ type: 'arrived', id, ...sent, asset, film })
  }

  async function makeFilm({ id }: UploadItem, signal: AbortSignal): Promise<void> {
    if (!deps.films.wanted()) return dispatch({ type: 'filmDone', id, asset: null })
    const onProgress = (share: number) => signal.aborted || dispatch({ type: 'filmProgress', id, share })
    const made = await deps.films.make(id, await bytes.file(id), { signal, onProgress })
    if (!signal.aborted) dispatch({ type: 'filmMade', id, made })
  }

  async function sendFilm({ id, film }: UploadItem, signal: AbortSignal): Promise<void> {
    if (!deps.films.wanted()) return dispatch({ type: 'filmDone', id, asset: null })
    if (!deps.films.mayBeSent()) return dispatch({ type: 'filmMetered', id })
    const made = film?.made
    const file = made && (await deps.films.film(id))
    if (!made || file?.size !== made.size) return dispatch({ type: 'filmMade', id, made: null })
    const onSent = (sent: number) => {
      if (!signal.aborted)
        dispatch(deps.films.mayBeSent() ? { type: 'filmProgress', id, share: sent / made.size } : { type: 'filmMetered', id })
    }
    const asset = await transport.sendFilm(id, file, made, { signal, onSent })
    if (!signal.aborted) dispatch({ type: 'filmDone', id, asset })
  }

  async function keep(id: string, file: File): Promise<void> {
    const before = state.items.get(id)
    if (!before || !needsBytes(before)) return
    const saved = await store.save({ ...before, keep: 'kept' }, file).catch(() => false)
    const item = state.items.get(id)
    if (!item || !needsBytes(item)) return bytes.forget(id)
    const renditions = bytes.inMemory(id)
    if (saved && renditions) await store.saveRenditions(id, renditions)
    if (saved && !isRunning(state.items.get(id) ?? item)) void bytes.release(id)
    dispatch({ type: 'stored', id, saved })
  }

  /** Adds the files from the store that this queue does not have, or the one with this id, which another tab has added. */
  async function adopt(id?: string): Promise<UploadItem[]> {
    const items = (await store.items(id).catch(() => [])).filter((item) => item.userId === userId)
    dispatch({ type: 'restored', items })
    return items
  }

  return {
    items: () => [...state.items.values()],
    thumb: (id: string) => bytes.thumb(id),
    adopt,
    /** `known` are known properties of the files, in their order. */
    async add(collectionId: string, files: readonly File[], known: readonly NewFile[] = []): Promise<void> {
      const ids = idsByName(files, now())
      const added = files.map((file, i) => ({ file, item: newItem(userId, collectionId, file, now(), { id: ids[i], ...known[i] }) }))
      for (const { item, file } of added) if (!isSettled(item)) bytes.hold(item.id, file)
      dispatch({ type: 'added', items: added.map(({ item }) => item) })
      // One after the other: storing fifty large files at once would block the disk for everything else.
      for (const { item, file } of added) await keep(item.id, file)
    },
    /** Adds a file to another collection, under a new id: the server may have the old one in the first. */
    async addTo(id = '', collectionId = ''): Promise<void> {
      await run(id, async ({ name, type, modifiedAt, addedAt, given, keep }) => {
        const file = new File([await bytes.file(id)], name, { type, lastModified: modifiedAt ?? addedAt })
        const to = newId(now())
        // People belong to their collection.
        await this.add(collectionId, [file], [{ id: to, overrides: given && { ...given, peopleIds: [] } }])
        // Without room for both on the device, the first stays there.
        if (keep === 'memory' || state.items.get(to)?.keep !== 'memory') dispatch({ type: 'cancel', id })
      })
    },
    /** From now on this tab sends the files of all tabs. */
    async lead() {
      dispatch({ type: 'leading' })
      deps.films.keepOnly((await adopt()).map(({ id }) => id))
    },
    /** Another tab sends the stored files from now on. */
    follow: () => dispatch({ type: 'following' }),
    pause: (id?: string) => dispatch({ type: 'pause', id }),
    resume: (id?: string) => dispatch({ type: 'resume', id }),
    cancel: (id?: string) => dispatch({ type: 'cancel', id }),
    /** Removes finished files from the list. */
    dismiss: () => dispatch({ type: 'dismiss' }),
    dismissArrived: () => dispatch({ type: 'dismissArrived' }),
    /** Call when the network may be back: no file waits for it any longer. */
    retryNow: () => dispatch({ type: 'online' }),
    stop() {
      dispatch({ type: 'stopped' })
      for (const control of running.values()) control.abort()
    },
  }
}
