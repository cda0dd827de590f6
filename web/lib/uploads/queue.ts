import { outcomesOf } from './batch.ts'
import { createUploadBytes } from './bytes.ts'
import { type Coming, newItem, twinOf } from './items.ts'
import { continued, isActive, isSettled, restored, type UploadFailure } from './machine.ts'
import { createOutage } from './outage.ts'
import { sendFile } from './send.ts'
import type { Prepare, UploadEvent, UploadItem, UploadState, UploadStore, UploadTransport } from './types.ts'

const PREPARE_AT_ONCE = 2
const SEND_AT_ONCE = 3
/** Prepared files hold two pictures each, so no more than this wait for their turn to be sent. */
const PREPARED_AHEAD = 8

export interface QueueDeps {
  userId: string
  store: UploadStore
  prepare: Prepare
  transport: UploadTransport
  failureOf: (error: unknown) => UploadFailure
  onChange: () => void
  onEvent: (event: UploadEvent) => void
  /** A stored file was left to the tab that leads. */
  onHandedOver?: () => void
  now?: () => number
  random?: () => number
  /** Runs later; returns how to call it off. */
  later?: (run: () => void, ms: number) => () => void
}

export type UploadQueue = ReturnType<typeof createUploadQueue>

/** The queue itself: no browser storage, network or React, so that every path can be tested. */
export function createUploadQueue(deps: QueueDeps) {
  const { store, transport, now = Date.now, random = Math.random, later = defaultLater } = deps
  const items = new Map<string, UploadItem>()
  const bytes = createUploadBytes(store)
  const running = new Map<string, AbortController>()
  let batch = new Set<string>()
  let leading = false
  let stopped = false
  let callOff = () => {}
  const outage = createOutage(now, random)

  function change(item: UploadItem) {
    items.set(item.id, item)
    if (item.keep === 'kept') void store.update(item).catch(() => {})
    deps.onChange()
  }
  function patch(id: string, fields: Partial<UploadItem>) {
    const item = items.get(id)
    if (item) change({ ...item, ...fields })
  }
  /** A stored file belongs to the tab that leads, one in memory to the tab that holds it. */
  const mine = (item: UploadItem) => leading || item.keep === 'memory'
  const count = (...states: UploadState[]) => items.values().reduce((n, item) => n + (states.includes(item.state) ? 1 : 0), 0)

  function pump() {
    if (stopped) return
    wake()
    let preparing = count('preparing')
    let prepared = count('ready')
    let sending = count('uploading', 'finishing')
    for (const item of items.values()) {
      if (!mine(item) || running.has(item.id)) continue
      if (item.state === 'ready' && sending < SEND_AT_ONCE && outage.until() <= now()) {
        sending++
        prepared--
        void run(item, send)
      } else if (item.state === 'waiting' && preparing < PREPARE_AT_ONCE && prepared + preparing < PREPARED_AHEAD) {
        preparing++
        void run(item, prepareOne)
      }
    }
    settle()
  }

  /** Retries whose time has come, and a clock for the next one. */
  function wake() {
    callOff()
    let next = outage.until() > now() ? outage.until() : Number.POSITIVE_INFINITY
    for (const item of items.values()) {
      if (item.state !== 'retrying' || !mine(item)) continue
      const due = item.retryAt ?? 0
      if (due <= now()) change(continued(item))
      else next = Math.min(next, due)
    }
    if (Number.isFinite(next)) callOff = later(pump, next - now())
  }

  async function run(item: UploadItem, step: (item: UploadItem, signal: AbortSignal) => Promise<void>) {
    const control = new AbortController()
    running.set(item.id, control)
    try {
      await step(item, control.signal)
    } catch (error) {
      const failed = items.get(item.id)
      if (failed && !control.signal.aborted) change(outage.judge(failed, deps.failureOf(error)))
    } finally {
      if (running.get(item.id) === control) running.delete(item.id)
      pump()
    }
  }

  async function prepareOne({ id, type, collectionId, size }: UploadItem, signal: AbortSignal) {
    patch(id, { state: 'preparing' })
    const { meta, note, thumb, preview } = await deps.prepare(await bytes.file(id), { type, signal, onProgress: () => {} })
    if (signal.aborted) return
    const twin = twinOf(items.values(), id, collectionId, meta.checksum)
    if (twin) {
      finish(id, { state: 'duplicate', message: `The same as ${twin.name}; kept once`, sent: size, sameAs: twin.id })
      return deps.onEvent({ kind: 'twin', id, sameAs: twin.id })
    }
    const current = items.get(id)
    // Before the first await, so that a twin that is ready at the same moment sees it.
    if (current) items.set(id, { ...current, meta })
    bytes.holdPictures(id, { thumb, preview })
    if (current?.keep === 'kept') await store.savePictures(id, { thumb, preview })
    if (!signal.aborted) patch(id, { state: 'ready', meta, message: note })
  }

  async function send({ id, meta, message }: UploadItem, signal: AbortSignal) {
    if (!meta) return patch(id, { state: 'waiting' })
    patch(id, { state: 'uploading' })
    const item = items.get(id)
    if (!item) return
    const unlessAborted = (fields: Partial<UploadItem>) => !signal.aborted && patch(id, fields)
    const [file, pictures] = [await bytes.file(id), await bytes.pictures(id)]
    const result = await sendFile(transport, {
      ...{ item, meta, file, pictures, signal },
      onBegun: () => unlessAborted({ begun: true }),
      // Not written to the store: after a reload the server is asked what it has.
      onSent: (sent) => {
        const current = items.get(id)
        if (current && !signal.aborted) items.set(id, { ...current, sent })
        deps.onChange()
      },
      onFinishing: () => unlessAborted({ state: 'finishing' }),
    })
    const sameAs = result.asset.id === id ? {} : { sameAs: result.asset.id }
    finish(id, {
      state: result.duplicate ? 'duplicate' : 'done',
      message: result.duplicate ? 'Already here' : message,
      sent: item.size,
      ...sameAs,
    })
    const done = items.get(id)
    if (done) deps.onEvent({ kind: 'done', item: done, asset: result.asset })
  }

  function finish(id: string, fields: Partial<UploadItem>) {
    if (fields.state === 'done') outage.over()
    const item = items.get(id)
    if (!item) return
    items.set(id, { ...item, ...fields, code: null, retryAt: null, attempts: 0 })
    bytes.forget(id)
    deps.onChange()
  }

  function settle() {
    const outcomes = outcomesOf([...batch].flatMap((id) => items.get(id) ?? []))
    if (outcomes.length > 0) batch = new Set()
    for (const outcome of outcomes) deps.onEvent(outcome)
  }

  async function keep({ id }: UploadItem, file: File) {
    const before = items.get(id)
    if (!before || isSettled(before)) return
    const saved = await store.save({ ...before, keep: 'kept' }, file).catch(() => false)
    const current = items.get(id)
    if (!current || isSettled(current)) return bytes.forget(id)
    const held = bytes.held(id)
    if (saved && held) await store.savePictures(id, held)
    if (saved && !running.has(id)) bytes.release(id)
    if (saved && !mine(current)) {
      items.delete(id)
      batch.delete(id)
      deps.onHandedOver?.()
    } else change({ ...(items.get(id) ?? current), keep: saved ? 'kept' : 'memory' })
    pump()
  }

  function remove(item: UploadItem) {
    running.get(item.id)?.abort()
    running.delete(item.id)
    items.delete(item.id)
    bytes.forget(item.id)
    bytes.forgetThumb(item.id)
  }

  function each(id: string | undefined, act: (item: UploadItem) => void) {
    for (const item of id ? [items.get(id)] : [...items.values()]) if (item) act(item)
    pump()
    deps.onChange()
  }

  /** Reads in what the store holds and this queue does not know, such as files added in another tab. */
  async function adopt() {
    for (const item of await store.items().catch(() => [])) {
      if (items.has(item.id) || item.userId !== deps.userId) continue
      items.set(item.id, restored(item))
      batch.add(item.id)
    }
    deps.onChange()
    pump()
  }

  return {
    items: () => [...items.values()],
    thumb: (id: string) => bytes.thumb(id),
    adopt,
    /** `coming` says more of the files, in their order. */
    async add(collectionId: string, files: readonly File[], coming: readonly Coming[] = []) {
      const added = files.map((file, i) => ({ file, item: newItem(deps.userId, collectionId, file, now(), coming[i]) }))
      for (const { item, file } of added) {
        items.set(item.id, item)
        batch.add(item.id)
        if (item.state === 'waiting') bytes.hold(item.id, file)
      }
      deps.onChange()
      pump()
      // One after the other: storing fifty large files at once would stop the disk for everything else.
      for (const { item, file } of added) await keep(item, file)
    },
    /** From now on this tab sends the files of all tabs. */
    lead() {
      leading = true
      return adopt()
    },
    pause: (id?: string) =>
      each(id, (item) => {
        if (!isActive(item) || item.state === 'finishing') return
        running.get(item.id)?.abort()
        running.delete(item.id)
        change({ ...item, state: 'paused', retryAt: null })
      }),
    resume: (id?: string) =>
      each(id, (item) => {
        if (item.final || !['paused', 'retrying', 'failed'].includes(item.state)) return
        batch.add(item.id)
        change({ ...continued(item), attempts: 0 })
      }),
    cancel: (id?: string) =>
      each(id, (item) => {
        if (item.state === 'done' || item.state === 'duplicate') return
        remove(item)
        if (item.begun) void transport.discard(item.id).catch(() => {})
      }),
    /** Forgets the lines of what has ended. */
    dismiss: () => each(undefined, (item) => isSettled(item) && remove(item)),
    /** The network may be back: nothing waits any longer for it. */
    hurry() {
      outage.over()
      for (const item of items.values()) if (item.state === 'retrying' && item.code === 'offline') change({ ...item, retryAt: now() })
      pump()
    },
    stop() {
      stopped = true
      callOff()
      for (const control of running.values()) control.abort()
    },
  }
}

function defaultLater(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
