import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'
import { call } from '../lib/api.ts'
import { readSelectedId } from '../lib/storage.ts'
import { fetchCollectionsAtom, fetchInvitedAtom, invitedCollectionsAtom } from './collections.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'

vi.mock('../lib/storage.ts')
vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

test('The last selected collection is restored once: what another tab selects later does not replace it', async () => {
  vi.mocked(call).mockResolvedValue({ collections: ['kyoto', 'oslo'].map((id) => ({ id, name: id, role: 'read' })) } as never)
  const store = createStore()
  vi.mocked(readSelectedId).mockReturnValue('kyoto')
  await store.set(fetchCollectionsAtom)
  expect(store.get(selectedCollectionIdAtom)).toBe('kyoto')
  vi.mocked(readSelectedId).mockReturnValue('oslo')
  await store.set(fetchCollectionsAtom)
  expect(store.get(selectedCollectionIdAtom)).toBe('kyoto')
})

test('An invitation that has been answered does not come back with a list that was asked for before', async () => {
  const store = createStore()
  const early = Promise.withResolvers<unknown>()
  vi.mocked(call).mockReturnValueOnce(early.promise as never)
  const first = store.set(fetchInvitedAtom)
  vi.mocked(call).mockResolvedValueOnce({ invitedCollections: [] } as never)
  await store.set(fetchInvitedAtom)
  early.resolve({ invitedCollections: [{ id: 'rowing' }] })
  await first
  expect(store.get(invitedCollectionsAtom)).toEqual([])
})
