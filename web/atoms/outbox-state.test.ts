import { createStore } from 'jotai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { newId } from '../../contract/ids.ts'
import { create, edit, type Fate, memoryStore } from '../../tests/support/outbox-device.ts'
import { fakeServer, ME } from '../../tests/support/outbox-server.ts'
import { ApiError, call } from '../lib/api.ts'
import { assetsPage, postsPage } from '../lib/content/source.ts'
import { openOutboxStore } from '../lib/outbox/store.ts'
import type { Action } from '../lib/outbox/types.ts'
import { holdLock } from '../lib/with-lock.ts'
import { postsAtom } from './content.ts'
import { fetchContentAtom } from './content-fetch.ts'
import { bulkAtom, enqueueAtom, undoAtom, withUndoToastAtom } from './outbox.ts'
import { openOutboxAtom } from './outbox-state.ts'
import { operationsAtom } from './pending.ts'
import { selectCollectionAtom } from './selected-collection.ts'
import { toastsAtom } from './toasts.ts'

vi.mock('../lib/api.ts', async (original) => ({ ...(await original<typeof import('../lib/api.ts')>()), call: vi.fn() }))
vi.mock('../lib/content/source.ts')
vi.mock('../lib/storage.ts')
vi.mock('../lib/outbox/store.ts')
vi.mock('../lib/with-lock.ts')
vi.mock('./session.ts', async (original) => ({ ...(await original<object>()), sessionUserIdAtom: (await import('jotai')).atom('ada') }))

const SOON = { timeout: 10_000 }
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  vi.unstubAllGlobals()
})

let server: ReturnType<typeof fakeServer>
let fates: (Fate | ApiError)[]
let device: EventTarget

beforeEach(() => {
  server = fakeServer()
  fates = []
  device = new EventTarget()
  vi.stubGlobal('addEventListener', device.addEventListener.bind(device))
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('navigator', { onLine: true })
  const store = memoryStore()
  vi.mocked(openOutboxStore).mockImplementation(() => ({ ...store, close() {} }))
  vi.mocked(call).mockImplementation((async (endpoint: Endpoint, options: object = {}) => {
    const fate = fates.shift() ?? 'arrives'
    if (fate instanceof ApiError) throw fate
    const answer = server.answer(endpoint, options)
    if (fate === 'lost') throw new ApiError('offline', 'No connection')
    return structuredClone(answer)
  }) as never)
  vi.mocked(assetsPage).mockResolvedValue({ rows: [], deleted: [], nextCursor: null, revision: 1 })
  vi.mocked(postsPage).mockImplementation(async () => ({ rows: server.list(), deleted: [], nextCursor: null, revision: 1 }))
})

/** A tab of the same account that shows the collection of these posts. The first one sends for all. */
async function tab(first = true) {
  vi.mocked(holdLock).mockImplementation(async (_name, _signal, { granted }) => void (first && (await granted())))
  const store = createStore()
  const collectionId = server.list()[0]?.collections[0]?.collection_id ?? newId()
  store.set(selectCollectionAtom, collectionId)
  await store.set(fetchContentAtom, collectionId)
  await store.set(openOutboxAtom, ME)?.ready
  stops.push(() => store.set(openOutboxAtom, null))
  return {
    store,
    toasts: () => store.get(toastsAtom).flatMap(({ title, open }) => (open ? [title] : [])),
    act: (title: string, action: Action) => store.set(enqueueAtom, title, [action]),
    done: () => expect.poll(() => store.get(operationsAtom), SOON).toEqual([]),
  }
}

function posts(...titles: string[]) {
  for (const title of titles) server.answer({ method: 'POST', path: '/api/post' } as Endpoint, { body: postOf(title) })
  return server.list()
}

function postOf(title: string) {
  const action = create(newId(), title)
  return action.kind === 'create' ? action.post : {}
}

/** The answer to the first attempt has been lost. */
const lost = (store: ReturnType<typeof createStore>) =>
  expect.poll(() => store.get(operationsAtom).map(({ problem }) => problem?.code), SOON).toEqual(['offline'])
const reconnect = () => device.dispatchEvent(new Event('online'))

test.each([[['Snow']], [['Snow', 'Rain']]])('%j moved to the trash are back after Undo, also if the answer was lost', async (titles) => {
  const rows = posts(...titles)
  const { store, done } = await tab()
  fates.push('lost')
  const change = await store.set(bulkAtom, { posts: rows.map(({ id }) => id) }, 'Posts', { kind: 'trash' })
  await lost(store)
  expect(server.list()).toEqual([])
  await store.set(undoAtom, change.id)
  expect(store.get(postsAtom)).toHaveLength(titles.length)
  reconnect()
  await expect.poll(() => server.list().map(({ title }) => title), SOON).toEqual(expect.arrayContaining(titles))
  await done()
})

test('Undo of a bulk change whose answer was lost restores what was there before', async () => {
  const [row] = posts('Snow')
  if (!row) throw new Error('No post')
  const { store, done } = await tab()
  const location = { lat: 1, lon: 2 }
  fates.push('lost')
  const change = await store.set(bulkAtom, { posts: [row.id] }, '“Snow”', { kind: 'location', location })
  await lost(store)
  expect(server.row(row.id)).toMatchObject({ location })
  await store.set(undoAtom, change.id)
  reconnect()
  await expect.poll(() => server.row(row.id)?.location, SOON).toBeNull()
  await done()
})

test('Undo of an edit whose answer was lost says that it cannot be undone', async () => {
  const [row] = posts('Snow')
  if (!row) throw new Error('No post')
  const { store, act, toasts } = await tab()
  fates.push('lost')
  const change = await act('“Snow”', edit(row, { title: 'Rain' }))
  await lost(store)
  await store.set(undoAtom, change.id)
  reconnect()
  await expect.poll(toasts, SOON).toEqual(['“Snow” could not be undone'])
  expect(server.row(row.id)?.title).toBe('Rain')
})

test('The tab in which a change was made says that it was refused, also if another tab sent it', async () => {
  const [row] = posts('Snow')
  if (!row) throw new Error('No post')
  const sender = await tab()
  const { store, act, toasts } = await tab(false)
  fates.push(new ApiError('forbidden', 'Your role lets you look.'))
  await store.set(withUndoToastAtom, act('“Snow”', edit(row, { title: 'Rain' })), '“Snow” changed', 'check-circle')
  await expect.poll(toasts, SOON).toEqual(['“Snow” could not be saved'])
  expect(store.get(toastsAtom).find(({ open }) => open)?.description).toBe('Your role lets you look.')
  await expect.poll(sender.toasts, SOON).toEqual(['“Snow” could not be saved'])
  expect(store.get(operationsAtom)).toMatchObject([{ state: 'refused' }])
})

test('A refused reaction is reported in every tab, and dropped once', async () => {
  const [row] = posts('Snow')
  if (!row) throw new Error('No post')
  const sender = await tab()
  const { act, toasts, done } = await tab(false)
  fates.push(new ApiError('forbidden', 'Reactions are off.'))
  await act('❤️', { kind: 'react', item: { kind: 'post', id: row.id }, commentId: null, emoji: '❤️', on: true })
  await expect.poll(toasts, SOON).toEqual(['❤️ could not be added'])
  expect(sender.toasts()).toEqual(['❤️ could not be added'])
  await done()
  await sender.done()
})

test('A refusal shows the message of the server without ids and names of columns', async () => {
  const [row] = posts('Snow')
  if (!row) throw new Error('No post')
  const { store, act } = await tab()
  const shown = () => store.get(toastsAtom).at(-1)?.description
  const rule = 'Only admins of its collections may change this'
  const message = `${rule}: ${newId()}, ${newId()}`
  fates.push(new ApiError('forbidden', message, { fields: { ids: message } }))
  await store.set(bulkAtom, { posts: [row.id] }, '1 post', { kind: 'location', location: null })
  await expect.poll(shown, SOON).toBe(rule)
  const changed = 'Somebody changed this since. Nothing has been undone'
  fates.push(new ApiError('conflict', changed, { fields: { [`posts.${row.id}`]: 'Changed since: date_zone, place_name' } }))
  await act('“Snow”', { kind: 'undo', changeId: newId(), posts: [], assets: [] })
  await expect.poll(shown, SOON).toBe(changed)
})
