import { vi } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { newId } from '../../contract/ids.ts'
import type { Post } from '../../contract/posts.ts'
import { ApiError, call } from '../../web/lib/api.ts'
import { mergeDelta } from '../../web/lib/content/merge.ts'
import { fieldsOf, namesOf, pick } from '../../web/lib/outbox/merge.ts'
import { applyPending } from '../../web/lib/outbox/overlay.ts'
import { createOutboxQueue, type OutboxEvent } from '../../web/lib/outbox/queue.ts'
import { targetOf } from '../../web/lib/outbox/rows.ts'
import { ConflictError, sendOperation } from '../../web/lib/outbox/send.ts'
import type { OutboxFailure } from '../../web/lib/outbox/step.ts'
import type { Action, Operation, OutboxStore } from '../../web/lib/outbox/types.ts'
import { fakeServer, ME } from './outbox-server.ts'

const HERE = newId()

export function memoryStore(room = true): OutboxStore {
  let rows: Operation[] = []
  let seq = 0
  return {
    all: async () => rows,
    async add(operation) {
      if (!room) return null
      const stored = { ...operation, seq: ++seq }
      rows = [...rows, stored]
      return stored
    },
    async change(id, change) {
      const found = rows.find((operation) => operation.id === id)
      const next = found ? change(found) : null
      rows = rows.flatMap((operation) => (operation.id === id ? (next ?? []) : operation))
      return next
    },
    wasCleared: () => false,
    clear: async () => {
      rows = []
    },
  }
}

function failureOf(error: unknown): OutboxFailure {
  if (error instanceof ConflictError) return { code: 'conflict', message: '', fields: {}, retryAfter: null, theirs: error.theirs }
  const { code, message, fields } = error instanceof ApiError ? error : { code: 'unreadable', message: String(error), fields: {} }
  return { code, message, fields, retryAfter: null, theirs: null }
}

/** The outcome of a call. */
export type Fate = 'arrives' | 'lost' | 'unreached' | 'busy' | 'limited' | 'broken'

/** One device and one server: actions of the user, faults of the network, and the screen. The test file mocks `call` of web/lib/api.ts. */
export function stage(store = memoryStore()) {
  const server = fakeServer()
  const fates: Fate[] = []
  const events: OutboxEvent[] = []
  let content = { collectionId: HERE, posts: [] as Post[], assets: [] }
  let revision = 0
  let online = true
  let settling: Operation[] = []
  let time = 0
  let timers: (() => void)[] = []

  vi.mocked(call).mockImplementation((async (endpoint: Endpoint, options: object = {}) => {
    const fate = fates.shift() ?? 'arrives'
    if (fate === 'unreached') throw new ApiError('offline', 'No connection')
    if (fate === 'busy') throw new ApiError('unavailable', 'Busy')
    if (fate === 'limited') throw new ApiError('rate_limited', 'Too many')
    if (fate === 'broken') throw new ApiError('internal', 'Broken')
    const answer = server.answer(endpoint, options)
    if (fate === 'lost') throw new ApiError('offline', 'No connection')
    return structuredClone(answer)
  }) as never)

  const open = () => {
    return createOutboxQueue({
      ...{ store, failureOf, send: sendOperation, online: () => online, onChange: () => {}, random: () => 0, now: () => time },
      later: (run) => {
        timers.push(run)
        return () => {
          timers = timers.filter((other) => other !== run)
        }
      },
      onEvent(event) {
        events.push(event)
        if (event.kind !== 'done') return
        if (event.answer.post) content = { ...content, posts: mergeDelta(content.posts, [event.answer.post]) }
        else settling = [...settling, event.operation]
      },
    })
  }
  let queue = open()
  const shownOperations = () => {
    const known = new Set(queue.operations().map(({ id }) => id))
    return [...settling.filter(({ id }) => !known.has(id)), ...queue.operations()]
  }
  const screen = () => applyPending(content, shownOperations()).posts
  const flush = async () => {
    for (let i = 0; i < 100; i++) await Promise.resolve()
  }
  async function refresh() {
    const delta = server.since(revision)
    content = { ...content, posts: mergeDelta(content.posts, delta.rows, delta.deleted) }
    revision = delta.revision
    const done = settling
    settling = []
    for (const { id } of done) await queue.drop(id)
    await flush()
  }
  return {
    server,
    events,
    fates,
    screen,
    refresh,
    flush,
    queue: () => queue,
    setOnline: (value: boolean) => {
      online = value
    },
    async act(action: Action) {
      const operation: Operation = {
        ...{ id: newId(), userId: ME, collectionId: HERE, seq: Number.MAX_SAFE_INTEGER, action, title: 'It', state: 'waiting' },
        ...{ uncertain: false, undone: false, attempts: 0, problem: null, theirs: null, changeId: null },
      }
      await queue.add(operation)
      await flush()
      return operation.id
    },
    /** Closes the tab and opens it again with the stored data. */
    async reload() {
      queue.stop()
      await flush()
      queue = open()
      settling = []
      content = { collectionId: HERE, posts: server.list(), assets: [] }
      revision = server.since(0).revision
      await queue.lead()
      settling = queue.operations().filter(({ state }) => state === 'sent')
      await flush()
    },
    async pass() {
      time += 60_000
      const due = timers
      timers = []
      for (const run of due) run()
      await flush()
    },
  }
}

export const NEW = { type: 'note', title: 'Snow', body: '<p>White</p>', date: '2025-01-01T10:00:00Z', datePrecision: 'minute' } as const
export const create = (id = newId(), title = 'Snow'): Action => ({
  kind: 'create',
  author: 'Ada',
  post: { ...NEW, id, title, collectionIds: [HERE] },
})
export function edit(row: Post, patch: { title?: string; body?: string }): Action {
  return { kind: 'editPost', id: row.id, patch, before: pick(fieldsOf(row), namesOf(patch)), version: row.version }
}
export const trash = (id: string): Action => ({ kind: 'trash', item: 'post', ids: [id] })
export function shift(row: Post, days: number): Action {
  return {
    kind: 'date',
    item: 'post',
    ids: [row.id],
    change: { shift: { days } },
    targets: { [row.id]: targetOf(row, { shift: { days } }) },
  }
}

/** A device whose first post has reached the server. */
export async function begun(store?: OutboxStore) {
  const s = stage(store)
  await s.queue().lead()
  const id = newId()
  await s.act(create(id))
  await s.refresh()
  const row = s.server.row(id)
  if (!row) throw new Error('It was not made')
  return { ...s, id, row }
}
