import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'
import { call } from '../lib/api.ts'
import { circleAtom } from './circle.ts'
import { addPersonAtom, fetchCircleAtom } from './members.ts'

vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

test('A late list of people does not replace that of the open collection', async () => {
  const slow = Promise.withResolvers<void>()
  vi.mocked(call).mockImplementation((async (_endpoint: unknown, { params }: { params: { id: string } }) => {
    if (params.id === 'kyoto') await slow.promise
    return { members: [], invites: [], people: [] }
  }) as unknown as typeof call)
  const store = createStore()
  const late = store.set(fetchCircleAtom, 'kyoto', 'owner')
  await store.set(fetchCircleAtom, 'garden', 'owner')
  slow.resolve()
  await late
  expect(store.get(circleAtom)?.collectionId).toBe('garden')
})

test('A person added while the list was loading stays in it', async () => {
  const slow = Promise.withResolvers<void>()
  const ana = { id: 'ana', name: 'Ana' }
  const people: object[] = []
  vi.mocked(call).mockImplementation((async ({ method }: { method: string }) => {
    if (method === 'POST') {
      people.push(ana)
      return { person: ana }
    }
    const answer = { members: [], invites: [], people: [...people] }
    await slow.promise
    return answer
  }) as unknown as typeof call)
  const store = createStore()
  const fetched = store.set(fetchCircleAtom, 'kyoto', 'owner')
  await store.set(addPersonAtom, 'kyoto', 'Ana')
  slow.resolve()
  await fetched
  expect(store.get(circleAtom)?.people).toEqual([ana])
})
