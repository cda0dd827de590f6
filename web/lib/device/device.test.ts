import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetShared } from '../pwa/shared-cache.ts'
import { device, keepDeviceFor, openDevice } from './device.ts'
import { openDeviceStore } from './store.ts'

vi.mock('../pwa/shared-cache.ts')
vi.mock('./store.ts', () => ({
  openDeviceStore: vi.fn(async (_userId: string, name: string) => {
    databases.add(name)
    return { close: () => {} }
  }),
}))

const databases = new Set<string>()
const person = (id: string) => ({ id, email: `${id}@example.com`, emailVerified: true })

beforeEach(() => {
  vi.stubGlobal('indexedDB', {
    deleteDatabase: (name: string) => databases.delete(name),
    databases: async () => [...databases].map((name) => ({ name })),
  })
})
afterEach(() => {
  keepDeviceFor(null)
  databases.clear()
  vi.mocked(openDeviceStore).mockClear()
  vi.mocked(forgetShared).mockClear()
  vi.unstubAllGlobals()
})

test('A session that ends before its database is open leaves none', async () => {
  openDevice('ada')
  const opening = device()
  keepDeviceFor(null)
  expect(await opening).toBeNull()
  expect([...databases]).toEqual([])
})

test('Erasing what an interrupted deletion left spares the database that is opened meanwhile', async () => {
  databases.add('cairn-content-eve')
  databases.add('cairn-content-bob')
  openDevice('ada')
  keepDeviceFor(null)
  openDevice('bob')
  await expect.poll(() => [...databases]).toEqual(['cairn-content-bob'])
})

test.each([
  { when: 'the same user signs in after a lost session', ended: 'lost', next: 'ada', stays: true },
  { when: 'another user signs in after it', ended: 'lost', next: 'bob', stays: false },
  { when: 'the same user signs in after a sign-out', ended: 'left', next: 'ada', stays: false },
] as const)('Whether what was shared with the app is still there when $when: $stays', ({ ended, next, stays }) => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  keepDeviceFor(person('ada'))
  keepDeviceFor(null, ended)
  keepDeviceFor(person(next))
  expect(vi.mocked(forgetShared).mock.calls.length === 0).toBe(stays)
  expect([...stored.keys()]).toEqual(['device-user'])
})

test('A switch of accounts before the first database is open leaves only the second one', async () => {
  openDevice('ada')
  const opening = device()
  keepDeviceFor(person('bob'))
  expect(await opening).toBeNull()
  expect(await device()).not.toBeNull()
  expect([...databases]).toEqual(['cairn-content-bob'])
})
