import { createStore } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'
import { getSession } from '../../contract/auth.ts'
import { newId } from '../../contract/ids.ts'
import { call } from '../lib/api.ts'
import { newItem } from '../lib/uploads/items.ts'
import type { UploadItem } from '../lib/uploads/types.ts'
import { askSessionAtom, forgetSessionAtom } from './session.ts'
import { closeUploadsIfLeftAtom, openUploadsAtom, uploadItemsAtom } from './uploads.ts'

const queue = vi.hoisted(() => ({ open: vi.fn(), act: vi.fn(), close: vi.fn() }))
vi.mock('../lib/storage.ts')
vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))
vi.mock('../lib/uploads/uploads.ts', () => ({ openUploads: queue.open }))

const USER = newId()
const item = (fields: Partial<UploadItem>): UploadItem => ({ ...newItem(USER, newId(), new File(['x'], 'a.jpg'), 0), ...fields })
const refused = item({ state: 'failed', code: 'unauthenticated' })
const ITEMS = [refused, item({ state: 'failed', code: 'forbidden' }), item({ state: 'paused' })]

/** A signed-in user with these files in the queue. */
async function uploading() {
  vi.mocked(call).mockImplementation((async (endpoint: unknown) =>
    endpoint === getSession ? { user: { id: USER }, expiresAt: null } : {}) as typeof call)
  const store = createStore()
  queue.open.mockImplementation((_userId: string, onItems: (items: UploadItem[]) => void) => {
    queueMicrotask(() => onItems(ITEMS))
    return { act: queue.act, close: queue.close }
  })
  await store.set(askSessionAtom)
  store.set(openUploadsAtom, USER)
  await vi.waitFor(() => expect(store.get(uploadItemsAtom)).toHaveLength(3))
  return store
}
beforeEach(() => vi.clearAllMocks())

test('After a lost session, files that were refused for it continue once the same user is back', async () => {
  const store = await uploading()
  store.set(forgetSessionAtom, 'lost')
  store.set(closeUploadsIfLeftAtom)
  expect(store.get(uploadItemsAtom)).toHaveLength(3)
  await store.set(askSessionAtom)
  store.set(openUploadsAtom, USER)
  await vi.waitFor(() => expect(queue.act.mock.calls).toEqual([['resume', refused.id, undefined]]))
  expect(queue.open).toHaveBeenCalledTimes(1)
})

test('After a sign-out by choice, no file is left in the queue', async () => {
  const store = await uploading()
  store.set(forgetSessionAtom, 'left')
  store.set(closeUploadsIfLeftAtom)
  await vi.waitFor(() => expect(queue.close).toHaveBeenCalledTimes(1))
  expect(store.get(uploadItemsAtom)).toEqual([])
})
