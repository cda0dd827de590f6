import { atom, createStore } from 'jotai'
import { expect, test, vi } from 'vitest'
import { assetsPage, postsPage } from '../lib/content/source.ts'
import { whenIdle } from '../lib/scheduling.ts'
import { fetchContentAtom } from './content-fetch.ts'
import { createReadAhead } from './read-ahead.ts'
import { selectCollectionAtom, selectedCollectionIdAtom } from './selected-collection.ts'

vi.mock('../lib/content/source.ts')
vi.mock('../lib/storage.ts')
vi.mock('../lib/first-render.ts')
vi.mock('../lib/scheduling.ts')

test('Data of views is computed one by one once the collection is complete, and again for the next collection', async () => {
  const moments: (() => void)[] = []
  vi.mocked(whenIdle).mockImplementation((run) => void moments.push(run))
  const page = { rows: [], deleted: [], nextCursor: null, revision: 1 }
  vi.mocked(postsPage).mockResolvedValue(page)
  vi.mocked(assetsPage).mockResolvedValue(page)
  const store = createStore()
  const read: string[] = []
  const reader = (name: string) => atom((get) => read.push(`${name} of ${get(selectedCollectionIdAtom)}`))

  store.set(selectCollectionAtom, 'one')
  const readAhead = createReadAhead(store)
  readAhead([reader('days')])
  readAhead([reader('places'), reader('counts')])
  expect(moments).toHaveLength(0)

  await store.set(fetchContentAtom, 'one')
  await vi.waitFor(() => expect(moments).toHaveLength(1))
  moments.shift()?.()
  expect([read, moments.length]).toEqual([['days of one'], 1])

  // Opens another collection before the rest is read.
  store.set(selectCollectionAtom, 'two')
  moments.shift()?.()
  expect(read).toEqual(['days of one'])
  await store.set(fetchContentAtom, 'two')
  for (const want of ['days of two', 'places of two', 'counts of two']) {
    await vi.waitFor(() => expect(moments).toHaveLength(1))
    moments.shift()?.()
    expect(read.at(-1)).toBe(want)
  }
  expect(moments).toHaveLength(0)
})
