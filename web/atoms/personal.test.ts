import { createStore } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'
import { getSession } from '../../contract/auth.ts'
import { call } from '../lib/api.ts'
import { accessAtom, fetchAccessAtom } from './access.ts'
import { askSessionAtom } from './session.ts'
import { fetchTrashAtom, trashListAtom } from './trash.ts'

vi.mock('../lib/storage.ts')
vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

let user: string
beforeEach(() => {
  vi.mocked(call).mockImplementation((async (endpoint: unknown) =>
    endpoint === getSession
      ? { user: { id: user }, expiresAt: null }
      : {
          sessions: [{ id: 'phone' }],
          posts: [{ id: 'p', title: 'Secret', deleted_at: '2026-01-01T00:00:00Z' }],
          assets: [],
          nextCursor: null,
        }) as typeof call)
})

test('The next user in the same tab sees neither trash nor sessions of the last one', async () => {
  const store = createStore()
  user = 'ada'
  await store.set(askSessionAtom)
  await Promise.all([store.set(fetchTrashAtom), store.set(fetchAccessAtom)])
  expect(store.get(trashListAtom)?.items).toHaveLength(1)
  expect(store.get(accessAtom)?.sessions).toHaveLength(1)
  user = 'bob'
  await store.set(askSessionAtom)
  expect(store.get(trashListAtom)).toBeNull()
  expect(store.get(accessAtom)).toBeNull()
})
