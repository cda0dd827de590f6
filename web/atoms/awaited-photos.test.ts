import { createStore } from 'jotai'
import { afterEach, expect, test, vi } from 'vitest'
import { newId } from '../../contract/ids.ts'
import type { Post } from '../../contract/posts.ts'
import { call } from '../lib/api.ts'
import { awaitPhotosAtom, hasArrived, photosOf, recordPhoto } from './awaited-photos.ts'
import { askSessionAtom } from './session.ts'

const kept = vi.hoisted(() => new Map<string, string | null>())
vi.mock('../lib/storage.ts', async (original) => ({
  ...(await original<object>()),
  readLocal: (key: string) => kept.get(key) ?? null,
  writeLocal: (key: string, value: string | null) => void kept.set(key, value),
}))
vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

afterEach(() => vi.useRealTimers())

test('A post lists the photos that it waits for in their order, but none whose upload was cancelled or that was a duplicate', async () => {
  const [ada, bob, postId] = [newId(), newId(), newId()]
  vi.mocked(call).mockResolvedValue({ user: { id: ada }, expiresAt: null } as never)
  const store = createStore()
  await store.set(askSessionAtom)
  store.set(awaitPhotosAtom, { collectionId: newId(), postId, pictures: ['c', 'a', 'cancelled', 'again'] }, false)
  recordPhoto('again', 'known', true)
  const post = { id: postId, assets: [{ id: 'a' }, { id: 'added by another' }] } as Post
  const present = new Set(['a', 'c', 'again', 'known'])
  expect(photosOf(post, ada, present)).toEqual(['c', 'a', 'known', 'added by another'])
  expect(photosOf(post, bob, present)).toEqual(['a', 'added by another'])
  expect(photosOf({ ...post, id: newId() }, ada, present)).toEqual(['a', 'added by another'])
})

test('A post still waits for its photos after months without a connection', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const [ada, postId] = [newId(), newId()]
  vi.mocked(call).mockResolvedValue({ user: { id: ada }, expiresAt: null } as never)
  const store = createStore()
  await store.set(askSessionAtom)
  store.set(awaitPhotosAtom, { collectionId: newId(), postId, pictures: ['a', 'b'] }, false)
  vi.setSystemTime(Date.now() + 100 * 86_400_000)
  recordPhoto('a', 'a', true)
  expect(photosOf({ id: postId, assets: [] } as unknown as Post, ada, new Set(['a', 'b']))).toEqual(['a', 'b'])
  expect(hasArrived(ada)).toBe(true)
})
