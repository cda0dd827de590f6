import fc from 'fast-check'
import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import type { Post } from '../../contract/posts.ts'
import { contentDays } from '../lib/content/days.ts'
import { type Dated, newestFirst } from '../lib/content/order.ts'
import { assetsPage, type Page, postsPage } from '../lib/content/source.ts'
import { applyDeltaAtom } from './content.ts'
import { fetchContentAtom } from './content-fetch.ts'
import { visibleDaysAtom } from './days.ts'
import { clearFiltersAtom, setSearchAtom, toggleFilterAtom, visibleAssetsAtom, visiblePostsAtom } from './filters.ts'
import { selectCollectionAtom } from './selected-collection.ts'

vi.mock('../lib/content/source.ts')
vi.mock('../lib/storage.ts')
// Without a screen, nothing has to wait for the first render.
vi.mock('../lib/first-render.ts')

const DAYS = [null, '2025-01-01', '2025-01-02', '2024-06-01']
const rowOf = (id: string, day: string | null, more: object) =>
  ({
    id,
    date: day && `${day}T10:00:00Z`,
    date_zone: 'UTC',
    date_precision: 'day',
    version: 1,
    people: [],
    location: null,
    ...more,
  }) as unknown
const postOf = (id: string, day: string | null, version = 1) =>
  rowOf(id, day, { type: 'note', kind: 'idea', title: id, body: '', assets: [], version }) as Post
const assetOf = (id: string, day: string | null) => rowOf(id, day, { type: 'image/jpeg', name: id, alt: null }) as Asset

const page = <T extends Dated>(rows: T[]): Page<T> => ({ rows: rows.toSorted(newestFirst), deleted: [], nextCursor: null, revision: 1 })

async function open() {
  vi.mocked(postsPage).mockImplementation(async (of) => page(DAYS.map((day, nth) => postOf(`${of} post ${nth}`, day))))
  vi.mocked(assetsPage).mockImplementation(async (of) => page(DAYS.map((day, nth) => assetOf(`${of} photo ${nth}`, day))))
  const store = createStore()
  const enter = async (to: string) => {
    store.set(selectCollectionAtom, to)
    await store.set(fetchContentAtom, to)
  }
  await enter('one')
  return { store, enter }
}

const step = fc.oneof(
  fc.record({ do: fc.constant('toggle' as const), choice: fc.constantFrom('post', 'photo', 'video') }),
  fc.record({ do: fc.constant('search' as const), text: fc.constantFrom('', 'post 1', 'photo', '3') }),
  fc.record({ do: fc.constant('clear' as const) }),
  fc.record({ do: fc.constant('enter' as const), id: fc.constantFrom('one', 'two') }),
  fc.record({ do: fc.constant('change' as const), which: fc.nat({ max: 9 }), day: fc.constantFrom(...DAYS), gone: fc.boolean() }),
)

test('After any filters, changes and openings the days equal those of the visible items', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { store, enter } = await open()
      let [collectionId, revision] = ['one', 1]
      for (const next of steps) {
        if (next.do === 'toggle') store.set(toggleFilterAtom, 'contentTypes', next.choice)
        else if (next.do === 'search') store.set(setSearchAtom, next.text)
        else if (next.do === 'clear') store.set(clearFiltersAtom)
        else if (next.do === 'enter') {
          collectionId = next.id
          await enter(next.id)
        } else {
          const id = `${collectionId} post ${next.which}`
          revision++
          const posts = next.gone ? { rows: [], deleted: [id] } : { rows: [postOf(id, next.day, revision)], deleted: [] }
          store.set(applyDeltaAtom, { collectionId, posts, postsRevision: revision })
        }
        const [posts, assets] = [store.get(visiblePostsAtom), store.get(visibleAssetsAtom)]
        expect(store.get(visibleDaysAtom).days).toEqual(contentDays(posts, assets).days)
      }
    }),
  )
})

test('Removing a filter restores the identical days', async () => {
  const { store } = await open()
  const before = store.get(visibleDaysAtom)
  store.set(toggleFilterAtom, 'contentTypes', 'post')
  expect(store.get(visibleDaysAtom).assets).toEqual([])
  store.set(clearFiltersAtom)
  expect(store.get(visibleDaysAtom)).toBe(before)
})

test('Under a filter unaffected days keep their identity', async () => {
  const { store } = await open()
  const all = store.get(visibleDaysAtom)
  store.set(setSearchAtom, 'post 1')
  const [found] = store.get(visibleDaysAtom).days
  expect(found).toMatchObject({ day: '2025-01-01', assets: [] })
  store.set(applyDeltaAtom, {
    collectionId: 'one',
    posts: { rows: [postOf('one post 3', '2024-06-01', 2)], deleted: [] },
    postsRevision: 2,
  })
  expect(store.get(visibleDaysAtom).days[0]).toBe(found)
  store.set(setSearchAtom, '1')
  expect(store.get(visibleDaysAtom).days).toEqual([all.days.find(({ day }) => day === '2025-01-01')])
  expect(store.get(visibleDaysAtom).days[0]).toBe(all.days.find(({ day }) => day === '2025-01-01'))
})

test('A change outside the filter keeps the filtered days identical, and days that pass it completely keep their identity', async () => {
  const { store } = await open()
  const change = (revision: number, rows: Post[]) =>
    store.set(applyDeltaAtom, { collectionId: 'one', posts: { rows, deleted: [] }, postsRevision: revision })
  store.set(applyDeltaAtom, { collectionId: 'one', assets: { rows: [assetOf('alone', '2023-05-05')], deleted: [] }, assetsRevision: 2 })
  const alone = store.get(visibleDaysAtom).days.find(({ day }) => day === '2023-05-05')
  store.set(toggleFilterAtom, 'contentTypes', 'photo')
  const photos = store.get(visibleDaysAtom)
  expect(photos.days.find(({ day }) => day === '2023-05-05')).toBe(alone)
  change(3, [postOf('one post 3', '2024-06-01', 2)])
  expect(store.get(visibleDaysAtom)).toBe(photos)
})
