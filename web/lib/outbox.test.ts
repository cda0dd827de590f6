import fc from 'fast-check'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { newId } from '../../contract/ids.ts'
import type { Post } from '../../contract/posts.ts'
import { ApiError, call } from './api.ts'
import { mergeDelta } from './content-merge.ts'
import { fieldsOf, namesOf, pick } from './outbox-merge.ts'
import { applyPending } from './outbox-overlay.ts'
import { createOutboxQueue, type OutboxEvent, type OutboxFailure } from './outbox-queue.ts'
import { edited, targetOf, written } from './outbox-rows.ts'
import { ConflictError, sendOperation } from './outbox-send.ts'
import type { Action, Operation, OutboxStore } from './outbox-types.ts'

vi.mock('./api.ts', async (original) => ({ ...(await original<typeof import('./api.ts')>()), call: vi.fn() }))

const HERE = newId()
const ME = 'ada'

/** A server that knows posts: versions, revisions, the trash, and what an undo brings back. */
function fakeServer() {
  const posts = new Map<string, Post>()
  const gone = new Map<string, Post>()
  const changed = new Map<string, number>()
  const edits = new Map<string, Post[]>()
  let revision = 1
  const touch = (id: string) => changed.set(id, ++revision)
  const row = (id: string) => {
    const post = posts.get(id)
    if (!post) throw new ApiError('not_found', 'The post was not found')
    return post
  }
  const write = (next: Post) => {
    posts.set(next.id, { ...next, version: next.version + 1 })
    touch(next.id)
  }
  const note = (before: Post[]) => {
    const changeId = newId()
    edits.set(changeId, before)
    return changeId
  }
  type Options = { params?: Record<string, string>; body?: Record<string, unknown>; headers?: Record<string, string> }
  function answer({ method, path }: Endpoint, { params = {}, body = {}, headers = {} }: Options): unknown {
    const id = params.id ?? ''
    switch (`${method} ${path}`) {
      case 'POST /api/post': {
        const known = posts.get(String(body.id)) ?? gone.get(String(body.id))
        // The body was parsed by the schema of the action.
        if (!known) write(written({ kind: 'create', post: body as never, author: 'Ada' }, ME, () => undefined))
        return { post: posts.get(String(body.id)) ?? known }
      }
      case 'GET /api/post/{id}':
        return { post: row(id) }
      case 'PATCH /api/post/{id}': {
        const held = row(id)
        if (headers['if-match'] !== String(held.version)) throw new ApiError('conflict', 'Somebody changed this post meanwhile')
        write(edited(held, body, () => undefined))
        return { post: posts.get(id), changeId: note([held]) }
      }
      case 'POST /api/undo/{changeId}': {
        for (const before of edits.get(params.changeId ?? '') ?? []) {
          const now = posts.get(before.id)
          if (now && now.version !== before.version + 1) throw new ApiError('conflict', 'Somebody changed this since')
        }
        for (const before of edits.get(params.changeId ?? '') ?? []) bringBack(before)
        return {}
      }
      case 'POST /api/trash/restore': {
        const ids = body.postIds as string[]
        if (ids.some((other) => !gone.has(other))) throw new ApiError('not_found', 'Posts not found')
        for (const other of ids) bringBack(gone.get(other) as Post)
        return {}
      }
      default:
        return inBulk(path, body)
    }
  }
  function bringBack(before: Post) {
    write({ ...before, version: (posts.get(before.id) ?? before).version + 1 })
    gone.delete(before.id)
  }
  function inBulk(path: string, body: Record<string, unknown>) {
    const ids = body.ids as string[]
    const missing = ids.filter((id) => !posts.has(id))
    if (missing.length > 0)
      throw new ApiError('not_found', 'Posts not found', { fields: { ids: `Posts not found: ${missing.join(', ')}` } })
    const before = ids.map(row)
    for (const post of before) {
      if (path.endsWith('bulk.date')) write({ ...post, date: targetOf(post, body).date, date_precision: 'minute' })
      else if (path.endsWith('bulk.location')) write({ ...post, location: body.location as Post['location'] })
      else {
        gone.set(post.id, post)
        posts.delete(post.id)
        touch(post.id)
      }
    }
    return { changeId: note(before), ids }
  }
  return {
    answer,
    write,
    row: (id: string) => posts.get(id),
    list: () => mergeDelta<Post>([], [...posts.values()]),
    since(from: number) {
      const ids = [...changed].filter(([, at]) => at > from).map(([id]) => id)
      return { rows: ids.flatMap((id) => posts.get(id) ?? []), deleted: ids.filter((id) => !posts.has(id)), revision }
    },
  }
}

function memoryStore(room = true): OutboxStore {
  let rows: Operation[] = []
  let seq = 0
  return {
    all: async () => rows,
    async add(operation) {
      if (!room) return null
      const kept = { ...operation, seq: ++seq }
      rows = [...rows, kept]
      return kept
    },
    async change(id, change) {
      const held = rows.find((operation) => operation.id === id)
      const next = held ? change(held) : null
      rows = rows.flatMap((operation) => (operation.id === id ? (next ?? []) : operation))
      return next
    },
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

type Fate = 'arrives' | 'lost' | 'unreached' | 'busy'

/** One device before one server: what the person does, what the network does, and what is on the screen. */
function stage(store = memoryStore()) {
  const server = fakeServer()
  const fates: Fate[] = []
  const events: OutboxEvent[] = []
  let held = { collectionId: HERE, posts: [] as Post[], assets: [] }
  let revision = 0
  let online = true
  let settling: Operation[] = []
  let time = 0
  let timers: (() => void)[] = []

  vi.mocked(call).mockImplementation((async (endpoint: Endpoint, options: object = {}) => {
    const fate = fates.shift() ?? 'arrives'
    if (fate === 'unreached') throw new ApiError('offline', 'No connection')
    if (fate === 'busy') throw new ApiError('unavailable', 'Busy')
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
        if (event.answer.post) held = { ...held, posts: mergeDelta(held.posts, [event.answer.post]) }
        else settling = [...settling, event.operation]
      },
    })
  }
  let queue = open()
  const shownOperations = () => {
    const known = new Set(queue.operations().map(({ id }) => id))
    return [...settling.filter(({ id }) => !known.has(id)), ...queue.operations()]
  }
  const screen = () => applyPending(held, shownOperations()).posts
  const flush = async () => {
    for (let i = 0; i < 40; i++) await Promise.resolve()
  }
  async function refresh() {
    const delta = server.since(revision)
    held = { ...held, posts: mergeDelta(held.posts, delta.rows, delta.deleted) }
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
    /** The tab is closed, and opened again with what the device kept. */
    async reload() {
      queue.stop()
      await flush()
      queue = open()
      settling = []
      held = { collectionId: HERE, posts: server.list(), assets: [] }
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

const NEW = { type: 'note', title: 'Snow', body: '<p>White</p>', date: '2025-01-01T10:00:00Z', datePrecision: 'minute' } as const
const create = (id = newId(), title = 'Snow'): Action => ({
  kind: 'create',
  author: 'Ada',
  post: { ...NEW, id, title, collectionIds: [HERE] },
})
function edit(row: Post, patch: { title?: string; body?: string }): Action {
  return { kind: 'editPost', id: row.id, patch, before: pick(fieldsOf(row), namesOf(patch)), version: row.version }
}
const trash = (id: string): Action => ({ kind: 'trash', item: 'post', ids: [id] })
function shift(row: Post, days: number): Action {
  return {
    kind: 'date',
    item: 'post',
    ids: [row.id],
    change: { shift: { days } },
    targets: { [row.id]: targetOf(row, { shift: { days } }) },
  }
}

beforeEach(() => {
  vi.mocked(call).mockReset()
})

async function begun(store?: OutboxStore) {
  const s = stage(store)
  await s.queue().lead()
  const id = newId()
  await s.act(create(id))
  await s.refresh()
  const row = s.server.row(id)
  if (!row) throw new Error('It was not made')
  return { ...s, id, row }
}

describe('the queue', () => {
  test('what is done offline shows at once, waits, and goes out in order', async () => {
    const s = await begun()
    s.setOnline(false)
    const id = newId()
    await s.act(create(id, 'Offline'))
    const shown = s.screen().find((post) => post.id === id)
    expect(shown).toMatchObject({ title: 'Offline', body: '<p>White</p>', version: 0 })
    if (shown) await s.act(edit(shown, { title: 'Changed' }))
    expect(s.screen().map(({ title }) => title)).toEqual(expect.arrayContaining(['Changed', 'Snow']))
    await s.reload()
    expect(s.screen().map(({ title }) => title)).toEqual(expect.arrayContaining(['Changed', 'Snow']))
    expect(s.server.list()).toHaveLength(1)
    s.setOnline(true)
    s.queue().hurry()
    await s.flush()
    expect(s.server.row(id)).toMatchObject({ title: 'Changed' })
    expect(s.queue().operations()).toEqual([])
  })

  test('a lost answer makes no second post, nor shifts a date twice', async () => {
    const s = await begun()
    s.fates.push('lost')
    await s.act(create(newId(), 'Once'))
    await s.pass()
    expect(s.server.list().filter(({ title }) => title === 'Once')).toHaveLength(1)
    s.fates.push('lost')
    await s.act(shift(s.row, 1))
    await s.reload()
    await s.pass()
    await s.refresh()
    expect(s.server.row(s.id)?.date).toBe('2025-01-02T10:00:00.000Z')
    expect(s.queue().operations()).toEqual([])
  })

  test('what was about to go when its person left is not sent under the next one, and waits', async () => {
    const s = await begun()
    s.setOnline(false)
    await s.act(create(newId(), 'Of the one who left'))
    s.setOnline(true)
    s.queue().hurry()
    s.queue().stop()
    await s.flush()
    expect(s.server.list().map(({ title }) => title)).toEqual(['Snow'])
    await s.reload()
    expect(s.server.list().map(({ title }) => title)).toEqual(expect.arrayContaining(['Of the one who left', 'Snow']))
  })

  test('an edit whose answer was lost is known for what it is', async () => {
    const s = await begun()
    s.fates.push('lost')
    await s.act(edit(s.row, { title: 'Mine' }))
    await s.pass()
    expect(s.events.filter(({ kind }) => kind === 'stuck')).toEqual([])
    expect(s.server.row(s.id)).toMatchObject({ title: 'Mine', version: s.row.version + 1 })
  })

  test('edits of different fields meet without a question, of the same with one', async () => {
    const s = await begun()
    s.server.write({ ...s.row, title: 'Theirs' })
    await s.act(edit(s.row, { body: '<p>Mine</p>' }))
    expect(s.server.row(s.id)).toMatchObject({ title: 'Theirs', body: '<p>Mine</p>' })
    await s.act(edit(s.row, { title: 'Mine' }))
    const [stuck] = s.queue().operations()
    expect(stuck).toMatchObject({ state: 'conflict', theirs: { title: 'Theirs' } })
    expect(s.screen().find(({ id }) => id === s.id)?.title).toBe('Mine')
  })

  test('what waits for its person holds up the same item only', async () => {
    const s = await begun()
    s.server.write({ ...s.row, title: 'Theirs' })
    await s.act(edit(s.row, { title: 'Mine' }))
    await s.act(trash(s.id))
    const other = newId()
    await s.act(create(other, 'Other'))
    expect(s.server.row(other)?.title).toBe('Other')
    expect(s.server.row(s.id)?.title).toBe('Theirs')
  })

  test('an error of the server is tried again with patience, and then left to the person', async () => {
    const s = await begun()
    vi.mocked(call).mockRejectedValue(new ApiError('internal', 'Broken'))
    await s.act(create(newId(), 'Stuck'))
    for (let i = 0; i < 6; i++) await s.pass()
    expect(s.queue().operations()).toMatchObject([{ state: 'refused', problem: { code: 'internal' } }])
  })

  test('a busy server is asked for as long as it takes', async () => {
    const s = await begun()
    s.fates.push(...Array<Fate>(12).fill('busy'))
    const id = newId()
    await s.act(create(id, 'Patient'))
    for (let i = 0; i < 12; i++) await s.pass()
    expect(s.server.row(id)?.title).toBe('Patient')
  })

  test('the trash of many forgives what others took away', async () => {
    const s = await begun()
    const other = newId()
    await s.act(create(other))
    await s.refresh()
    s.server.answer({ method: 'DELETE', path: '/api/post/bulk' } as Endpoint, { body: { ids: [other] } })
    await s.act({ kind: 'trash', item: 'post', ids: [s.id, other] })
    expect(s.server.list()).toEqual([])
  })

  test('what never left is taken back by dropping it', async () => {
    const s = await begun()
    s.setOnline(false)
    const operation = await s.act(trash(s.id))
    expect(s.screen()).toEqual([])
    expect(await s.queue().takeBack(operation)).toBe('dropped')
    expect(s.screen()).toHaveLength(1)
  })

  test('what may have left is marked, and hidden at once', async () => {
    const s = await begun()
    s.fates.push('unreached')
    const operation = await s.act(trash(s.id))
    expect(await s.queue().takeBack(operation)).toBe('marked')
    expect(s.screen()).toHaveLength(1)
    await s.pass()
    expect(s.events.at(-1)).toMatchObject({ kind: 'done', operation: { undone: true } })
  })

  test('what was taken back and is then refused is gone, and holds up nothing', async () => {
    const s = await begun()
    s.fates.push('unreached')
    const operation = await s.act(edit(s.row, { title: 'Mine' }))
    expect(await s.queue().takeBack(operation)).toBe('marked')
    s.server.write({ ...s.row, title: 'Theirs' })
    await s.pass()
    expect(s.queue().operations()).toEqual([])
    expect(s.events.filter(({ kind }) => kind === 'stuck')).toEqual([])
    await s.act(trash(s.id))
    expect(s.server.row(s.id)).toBeUndefined()
  })

  test('what is taken back while its answer is being written down knows what undoes it', async () => {
    const store = memoryStore()
    const s = await begun(store)
    const { change } = store
    const takenBack: unknown[] = []
    store.change = async (id, to) => {
      const next = await change(id, to)
      if (next?.state !== 'sent' || takenBack.length > 0) return next
      takenBack.push('now')
      const outcome = await s.queue().takeBack(id)
      const { changeId } =
        s
          .queue()
          .operations()
          .find((operation) => operation.id === id) ?? {}
      takenBack.push(outcome, changeId)
      return next
    }
    await s.act(edit(s.row, { title: 'Mine' }))
    expect(takenBack).toEqual(['now', 'gone', expect.any(String)])
  })

  test('a device that cannot write for a while delays what waits, and loses nothing', async () => {
    const store = memoryStore()
    const s = await begun(store)
    const { change } = store
    store.change = async () => {
      throw new DOMException('No room', 'QuotaExceededError')
    }
    const id = newId()
    await s.act(create(id, 'Later'))
    expect(s.server.row(id)).toBeUndefined()
    store.change = change
    await s.pass()
    expect(s.server.row(id)?.title).toBe('Later')
  })

  test('where the device has no room, this tab keeps and sends it', async () => {
    const s = stage(memoryStore(false))
    await s.queue().reload()
    s.setOnline(false)
    await s.act(create(newId(), 'Roomless'))
    expect(s.events).toEqual([{ kind: 'memory' }])
    expect(s.queue().losable()).toBe(true)
    s.setOnline(true)
    s.queue().hurry()
    await s.flush()
    expect(s.server.list().map(({ title }) => title)).toEqual(['Roomless'])
    expect(s.queue().losable()).toBe(false)
  })
})

test('an asset is put whole, so that nothing that was not changed is emptied', async () => {
  const before = {
    name: 'a.jpg',
    alt: 'A hut',
    date: null,
    dateZone: null,
    datePrecision: 'unknown',
    location: { lat: 1, lon: 2 },
    peopleIds: [],
  } as const
  const action: Action = { kind: 'editAsset', id: newId(), patch: { alt: 'A tent' }, before: { ...before, peopleIds: [] }, version: 3 }
  vi.mocked(call).mockResolvedValue({} as never)
  await sendOperation({ ...({} as Operation), action }, false)
  const options = { headers: { 'if-match': '3' }, body: { ...before, alt: 'A tent' } }
  expect(call).toHaveBeenCalledWith(expect.objectContaining({ method: 'PUT', path: '/api/asset/{id}' }), expect.objectContaining(options))
})

test('whatever happens in whatever order, the screen ends as a fresh load', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constantFrom('create', 'edit', 'body', 'trash', 'shift', 'place', 'undo'), at: fc.nat(5), n: fc.nat(99) }),
    fc.record({ do: fc.constantFrom('refresh', 'reload', 'pass', 'offline', 'online', 'theirs', 'take'), at: fc.nat(5), n: fc.nat(99) }),
  )
  const fate = fc.constantFrom<Fate>('arrives', 'arrives', 'lost', 'unreached', 'busy')
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 3, maxLength: 25 }),
    fc.array(fate, { maxLength: 12 }),
    async (steps, fates) => {
      const s = stage()
      await s.queue().lead()
      s.fates.push(...fates)
      const mine: string[] = []
      const shifts = new Map<string, number>()
      for (const { do: what, at, n } of steps) {
        const screen = s.screen()
        const row = screen[at % Math.max(1, screen.length)]
        if (what === 'create') mine.push(await s.act(create(newId(), `New ${n}`)))
        else if (what === 'refresh') await s.refresh()
        else if (what === 'reload') await s.reload()
        else if (what === 'pass') await s.pass()
        else if (what === 'offline') s.setOnline(false)
        else if (what === 'online') s.setOnline(true)
        else if (what === 'theirs') {
          const theirs = s.server.list()[at]
          if (theirs) s.server.write({ ...theirs, title: `Theirs ${n}` })
        } else if (what === 'take') await s.queue().takeBack(mine.at(-1) ?? '')
        else if (!row) continue
        else if (what === 'edit') mine.push(await s.act(edit(row, { title: `Mine ${n}` })))
        else if (what === 'body') mine.push(await s.act(edit(row, { body: `<p>${n}</p>` })))
        else if (what === 'trash') mine.push(await s.act(trash(row.id)))
        else if (what === 'place')
          mine.push(await s.act({ kind: 'location', item: 'post', ids: [row.id], location: { lat: n / 2, lon: n } }))
        else if (what === 'shift') {
          shifts.set(row.id, (shifts.get(row.id) ?? 0) + 1)
          mine.push(await s.act(shift(row, 1)))
        }
      }
      s.fates.length = 0
      s.setOnline(true)
      for (let round = 0; round < 40 && s.queue().operations().length > 0; round++) {
        s.queue().hurry()
        await s.flush()
        for (const { id, state, theirs, action } of s.queue().operations()) {
          if (state === 'refused') await s.queue().drop(id)
          if (state !== 'conflict' || !theirs || action.kind !== 'editPost') continue
          if (round % 2) await s.queue().drop(id)
          else await s.queue().again(id, { ...action, version: theirs.version, before: pick(fieldsOf(theirs), namesOf(action.patch)) })
        }
        await s.refresh()
      }
      await s.refresh()
      expect(s.queue().operations()).toEqual([])
      expect(s.screen()).toEqual(s.server.list())
      for (const post of s.server.list()) {
        const days = (Date.parse(post.date ?? '') - Date.parse(NEW.date)) / 86_400_000
        expect(days).toBeLessThanOrEqual(shifts.get(post.id) ?? 0)
      }
    },
  )
  await fc.assert(property, { numRuns: 500 })
})
