import { atom, createStore } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'
import { type Asset, getAsset } from '../../contract/assets.ts'
import { getSession } from '../../contract/auth.ts'
import { newId } from '../../contract/ids.ts'
import { importPostAnswers } from '../../contract/imported-answers.ts'
import { ApiError, call } from '../lib/api.ts'
import { waitingPosts } from '../lib/import/waiting.ts'
import { writeLocal } from '../lib/storage.ts'
import { newItem } from '../lib/uploads/items.ts'
import type { UploadItem } from '../lib/uploads/types.ts'
import { followUploadAtom } from './follow-uploads.ts'
import { sendWaitingAtom } from './imports-send.ts'
import { askSessionAtom } from './session.ts'
import { toastsAtom } from './toasts.ts'

const create = vi.hoisted(() => vi.fn())
const queued = vi.hoisted((): { action: object; state: string }[] => [])
vi.mock('../lib/storage.ts')
vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))
vi.mock('./outbox.ts', () => ({ createPostAtom: atom(null, (_get, _set, ...post: unknown[]) => create(...post)) }))
vi.mock('./outbox-state.ts', () => ({ outboxAtom: atom({ ready: Promise.resolve(), operations: () => queued }) }))

const USER = newId()
const waiting = waitingPosts(USER)
const COLLECTION = newId()

async function oneWaits(pictures: string[] = []) {
  vi.mocked(call).mockImplementation((async (endpoint: unknown) =>
    endpoint === getSession ? { user: { id: USER }, expiresAt: null } : {}) as typeof call)
  const store = createStore()
  await store.set(askSessionAtom)
  const id = newId()
  await waiting.put([{ collectionId: COLLECTION, post: { id, type: 'note', title: 'Snow', collectionIds: [COLLECTION] }, pictures }])
  return store
}
beforeEach(() => void create.mockReset())

test('An imported post keeps waiting if the code that creates it cannot be loaded', async () => {
  const store = await oneWaits()
  create.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
  await store.set(sendWaitingAtom, []).catch(() => undefined)
  expect(await waiting.all()).toHaveLength(1)
  await store.set(sendWaitingAtom, [])
  expect(create).toHaveBeenCalledTimes(2)
  expect(await waiting.all()).toEqual([])
})

test('An imported post that can never be created is reported and removed', async () => {
  const store = await oneWaits()
  create.mockRejectedValueOnce(new ApiError('invalid', 'The title may have at most 200 characters'))
  await store.set(sendWaitingAtom, [])
  expect(store.get(toastsAtom)).toMatchObject([{ title: '“Snow” could not be imported' }])
  expect(await waiting.all()).toEqual([])
})

test('A post has its photo if the page is reloaded while the same bytes are uploaded for another post', async () => {
  const [first, second] = [newId(), newId()]
  const upload = (state: UploadItem['state']) => [{ ...newItem(USER, COLLECTION, new File(['x'], 'a.jpg'), 0, { id: first }), state }]
  const store = await oneWaits([second])
  store.set(followUploadAtom, { kind: 'duplicate', id: second, sameAs: first }, upload('uploading'))
  await vi.waitFor(async () => expect(await waiting.arrived(second)).toBe(first))
  const answer = vi.mocked(call).getMockImplementation() as typeof call
  const ready = { id: first, status: 'ready' } as Asset
  vi.mocked(call).mockImplementation((async (endpoint: unknown, options: { params: { id: string } }) => {
    if (endpoint !== getAsset) return answer(endpoint as typeof getAsset, options)
    if (options.params.id !== first) throw new ApiError('not_found', 'There is no such file')
    return { asset: ready }
  }) as typeof call)
  for (const state of ['uploading', 'retrying', 'paused'] as const) await store.set(sendWaitingAtom, upload(state))
  expect(create).not.toHaveBeenCalled()
  await store.set(sendWaitingAtom, [])
  expect(create).toHaveBeenCalledWith(COLLECTION, expect.objectContaining({ existingAssetIds: [first] }), true)
  expect(await waiting.all()).toEqual([])
})

test('A post whose photo failed as the copy of another waits for that one', async () => {
  const [first, second] = [newId(), newId()]
  const store = await oneWaits([second])
  await waiting.arrive(second, first)
  const failed = { ...newItem(USER, COLLECTION, new File(['x'], 'a.jpg'), 0, { id: first }), state: 'failed' as const }
  await store.set(sendWaitingAtom, [failed])
  expect(create).toHaveBeenCalledWith(COLLECTION, expect.objectContaining({ existingAssetIds: [] }), true)
  expect(writeLocal).toHaveBeenCalledWith('draft awaited-pictures', expect.stringContaining(`"pictures":["${first}"]`))
})

test('Comments wait for their post, and are sent again until the server takes or refuses them', async () => {
  const store = await oneWaits()
  const [row] = await waiting.all()
  const id = (row && 'post' in row && row.post.id) || ''
  const answers = { comments: [], reactions: [{ originalAuthor: 'Ada', emoji: '🎉' }] }
  await waiting.put([{ collectionId: COLLECTION, title: 'Snow', postId: id, pictures: [], answers }])
  create.mockImplementationOnce(() => queued.push({ action: { kind: 'create', post: { id } }, state: 'waiting' }))
  await store.set(sendWaitingAtom, [])
  const sent = () => vi.mocked(call).mock.calls.filter(([endpoint]) => endpoint === importPostAnswers)
  expect([sent(), (await waiting.all()).length]).toEqual([[], 1])
  queued.pop()
  const answer = vi.mocked(call).getMockImplementation() as typeof call
  vi.mocked(call).mockImplementation((async (endpoint: unknown) => {
    if (endpoint === importPostAnswers) throw new ApiError('offline', 'No connection')
    return {}
  }) as typeof call)
  await store.set(sendWaitingAtom, [])
  expect(await waiting.all()).toHaveLength(1)
  vi.mocked(call).mockImplementation(answer)
  await store.set(sendWaitingAtom, [])
  expect(sent().at(-1)).toEqual([importPostAnswers, { params: { id }, body: { collection_id: COLLECTION, ...answers } }])
  expect(await waiting.all()).toEqual([])
})
