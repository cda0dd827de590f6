import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'
import { call } from '../lib/api.ts'
import { readSelectedId } from '../lib/storage.ts'
import { fetchCollectionsAtom } from './collections.ts'
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
