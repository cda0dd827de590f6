import { createStore } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'
import { call } from '../lib/api.ts'
import { fetchCollectionsAtom, invitedCollectionsAtom } from './collections.ts'
import { acceptInviteAtom, declineInviteAtom, leaveCollectionAtom } from './invitations.ts'
import { selectCollectionAtom, selectedCollectionIdAtom } from './selected-collection.ts'

vi.mock('../lib/storage.ts')
vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

const requests: string[] = []
let collections: { id: string; name: string; role: string }[]

beforeEach(() => {
  requests.length = 0
  collections = ['garden', 'kyoto'].map((id) => ({ id, name: id, role: 'read' }))
  vi.mocked(call).mockImplementation((async ({ method, path }: { method: string; path: string }, input?: { params?: { id: string } }) => {
    requests.push(`${method} ${path}`)
    if (path.endsWith('/leave')) collections = collections.filter(({ id }) => id !== input?.params?.id)
    return { collections, invitedCollections: [{ id: 'rowing' }] }
  }) as unknown as typeof call)
})

async function opened(id: string) {
  const store = createStore()
  await store.set(fetchCollectionsAtom)
  store.set(selectCollectionAtom, id)
  requests.length = 0
  return store
}

test('Accepting an invitation fetches collections and invitations', async () => {
  const store = await opened('kyoto')
  await store.set(acceptInviteAtom, 'rowing')
  const [accepted, ...fetched] = requests
  expect(accepted).toMatch(/^POST .*\/accept$/)
  expect(fetched.toSorted()).toEqual(['GET /api/collections', 'GET /api/collections/invited'])
})

test('Declining an invitation fetches only invitations', async () => {
  const store = await opened('kyoto')
  await store.set(declineInviteAtom, 'rowing')
  const [declined, ...fetched] = requests
  expect(declined).toMatch(/^DELETE .*\/decline$/)
  expect(fetched).toEqual(['GET /api/collections/invited'])
  expect(store.get(invitedCollectionsAtom)).toEqual([{ id: 'rowing' }])
  expect(store.get(selectedCollectionIdAtom)).toBe('kyoto')
})

test('Leaving the open collection closes it and fetches collections', async () => {
  const store = await opened('kyoto')
  await store.set(leaveCollectionAtom, 'kyoto')
  const [left, ...fetched] = requests
  expect(left).toMatch(/^DELETE .*\/leave$/)
  expect(fetched).toEqual(['GET /api/collections'])
  expect(store.get(selectedCollectionIdAtom)).toBeNull()
})

test('Leaving another collection keeps the open one open', async () => {
  const store = await opened('kyoto')
  await store.set(leaveCollectionAtom, 'garden')
  expect(requests.slice(1)).toEqual(['GET /api/collections'])
  expect(store.get(selectedCollectionIdAtom)).toBe('kyoto')
})

test('A refusal to leave keeps the collection open and shows the error', async () => {
  const store = await opened('kyoto')
  vi.mocked(call).mockRejectedValueOnce(new Error('The server does not answer'))
  await expect(store.set(leaveCollectionAtom, 'kyoto')).rejects.toThrow('Failed to leave the collection')
  expect(store.get(selectedCollectionIdAtom)).toBe('kyoto')
})
