import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'
import type { Link } from '../../contract/links.ts'
import { call } from '../lib/api.ts'
import { endShareLinkAtom, fetchShareLinksAtom, shareLinksAtom } from './share-links.ts'

vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

test('A link ended while the list was loading is not in it, and the list needs no live message', async () => {
  const slow = Promise.withResolvers<void>()
  const [kept, ended] = [{ id: 'kept' }, { id: 'ended', collection_id: 'kyoto' } as Link]
  let links = [kept, ended]
  vi.mocked(call).mockImplementation((async ({ method }: { method: string }) => {
    if (method === 'DELETE') links = [kept]
    const answer = { links }
    if (method === 'GET') await slow.promise
    return answer
  }) as unknown as typeof call)
  const store = createStore()
  const fetched = store.set(fetchShareLinksAtom, 'kyoto', 'owner')
  await store.set(endShareLinkAtom, ended)
  slow.resolve()
  await fetched
  expect(store.get(shareLinksAtom)?.links).toEqual([kept])
})
