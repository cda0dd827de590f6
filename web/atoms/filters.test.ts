import { createStore } from 'jotai'
import { beforeEach, expect, test, vi } from 'vitest'
import { assetsPage, type Page, postsPage } from '../lib/content/source.ts'
import { contentChangedAtom, fetchContentAtom } from './content-fetch.ts'
import {
  clearFiltersAtom,
  filterCountAtom,
  filteringAtom,
  filtersAtom,
  leaveUrlStateAtom,
  narrowingQueryAtom,
  readUrlStateAtom,
  searchAtom,
  setSearchAtom,
  toggleFilterAtom,
  unwrittenAtom,
  visibleAssetsAtom,
  visiblePostsAtom,
} from './filters.ts'
import { selectCollectionAtom } from './selected-collection.ts'

vi.mock('../lib/content/source.ts')
vi.mock('../lib/storage.ts')

const page = <T>(rows: unknown[]): Page<T> => ({ rows: rows as T[], deleted: [], nextCursor: null, revision: 1 })
const row = (id: string, more: object) => ({ id, date: null, date_zone: null, version: 1, people: [], location: null, ...more })

beforeEach(() => {
  vi.mocked(postsPage).mockResolvedValue(page([row('p', { type: 'note', kind: 'idea', title: 'Gate', body: '' })]))
  vi.mocked(assetsPage).mockResolvedValue(
    page([row('a', { type: 'image/jpeg', name: 'gate.jpg', alt: null }), row('b', { type: 'video/mp4', name: 'sea.mp4', alt: null })]),
  )
})

async function open() {
  const store = createStore()
  store.set(selectCollectionAtom, 'one')
  await store.set(fetchContentAtom, 'one')
  const go = (query: string, id = 'one') => store.set(readUrlStateAtom, id, new URLSearchParams(query))
  const shown = () => [...store.get(visiblePostsAtom), ...store.get(visibleAssetsAtom)].map(({ id }) => id).join('')
  return { store, go, shown }
}

test('Search and filters combine, and are cleared together', async () => {
  const { store, shown } = await open()
  expect(shown()).toBe('pab')
  store.set(setSearchAtom, ' GATE ')
  expect(shown()).toBe('pa')
  store.set(toggleFilterAtom, 'contentTypes', 'photo')
  expect([shown(), store.get(filterCountAtom), store.get(filteringAtom)]).toEqual(['a', 2, true])
  store.set(toggleFilterAtom, 'contentTypes', 'photo')
  expect([shown(), store.get(filterCountAtom)]).toEqual(['pa', 1])
  store.set(clearFiltersAtom)
  expect([shown(), store.get(filteringAtom)]).toEqual(['pab', false])
})

test('The name and the description of a part find the item that shows it', async () => {
  const group = { id: 'g', kind: 'live', cover: 'a', assetIds: ['a', 'b'] }
  const cover = row('a', { type: 'image/jpeg', name: 'gate.jpg', alt: null, group })
  const film = (alt: string | null) => row('b', { type: 'video/mp4', name: 'sea.mp4', alt, group })
  vi.mocked(assetsPage).mockResolvedValue(page([cover, film(null)]))
  const { store, shown } = await open()
  expect(shown()).toBe('pa')
  store.set(setSearchAtom, 'sea gate')
  expect(shown()).toBe('a')
  store.set(setSearchAtom, 'waves')
  expect(shown()).toBe('')
  vi.mocked(assetsPage).mockResolvedValue({ ...page([{ ...film('Waves'), version: 2 }]), revision: 2 })
  await store.set(contentChangedAtom, 'one')
  expect(shown()).toBe('a')
})

test('An opened URL sets the filters, and one of another collection resets them', async () => {
  const { store, go, shown } = await open()
  go('type=video')
  expect(shown()).toBe('b')
  go('', 'two')
  expect(store.get(filteringAtom)).toBe(false)
})

test('A state written to the URL does not overwrite newer typing', async () => {
  const { store, go } = await open()
  go('')
  store.set(setSearchAtom, 'k')
  expect(store.set(unwrittenAtom)).toMatchObject({ search: 'k' })
  store.set(setSearchAtom, 'ky')
  store.set(unwrittenAtom)
  go('q=k')
  expect(store.get(searchAtom)).toBe('ky')
  go('q=ky')
  expect([store.get(searchAtom), store.set(unwrittenAtom)]).toEqual(['ky', null])
})

test('Back undoes a written state', async () => {
  const { store, go } = await open()
  go('')
  store.set(toggleFilterAtom, 'contentTypes', 'photo')
  store.set(unwrittenAtom)
  go(store.get(narrowingQueryAtom))
  go('')
  expect(store.get(filtersAtom).contentTypes).toEqual([])
})

test('Opening an item in an outdated URL keeps the typed search', async () => {
  const { store, go } = await open()
  go('')
  store.set(setSearchAtom, 'ky')
  store.set(unwrittenAtom)
  go('item=a')
  expect(store.get(searchAtom)).toBe('ky')
})

test('After leaving the views the next URL sets the filters', async () => {
  const { store, go } = await open()
  go('')
  store.set(setSearchAtom, 'ky')
  store.set(unwrittenAtom)
  store.set(leaveUrlStateAtom)
  go('')
  expect(store.get(searchAtom)).toBe('')
})
