import { atom } from 'jotai'
import type { Asset } from '../../contract/assets.ts'
import type { Person } from '../../contract/people.ts'
import type { Post } from '../../contract/posts.ts'
import { isPost } from '../lib/content/is-post.ts'
import { assetTest, CHOICES, countChoices, type FilterKey, type Filters, isFiltering, postTest } from '../lib/filters/content.ts'
import { createFilter, type Test } from '../lib/filters/incremental-filter.ts'
import { createTally } from '../lib/filters/tally.ts'
import { type Names, SEARCH_LIMIT, textMatches, wordsOf } from '../lib/filters/text.ts'
import { type Narrowing, NOTHING_NARROWED, narrowingQuery, readNarrowing } from '../lib/filters/url-state.ts'
import { fold } from '../lib/fold.ts'
import { circleAtom } from './circle.ts'
import { postsAtom } from './content.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'
import { coveredPartsAtom, tilesAtom } from './tiles.ts'

const stateAtom = atom<Narrowing>(NOTHING_NARROWED)

/** People who can be tagged in the open collection; null while unknown. */
export const peopleAtom = atom((get): Person[] | null => {
  const circle = get(circleAtom)
  return circle?.collectionId === get(selectedCollectionIdAtom) ? circle.people : null
})

/** With people who are not in the collection, such as one who was merged: the view stays empty until the user takes the filter back. */
export const filtersAtom = atom((get): Filters => get(stateAtom).filters)
export const searchAtom = atom((get) => get(stateAtom).search)
/** The search text as folded words, for finding and highlighting matches. */
export const searchWordsAtom = atom((get) => wordsOf(get(searchAtom)))

/** Whether the views show only a part of the content: because of a filter or the search. */
export const filteringAtom = atom((get) => isFiltering(get(filtersAtom)) || get(searchAtom) !== '')
/** Counts the active choices, including the search. */
export const filterCountAtom = atom(
  (get) => Object.values(get(filtersAtom)).reduce((sum, list) => sum + list.length, 0) + (get(searchAtom) === '' ? 0 : 1),
)

/** Sets the values of one filter and leaves the others. */
export const setFilterAtom = atom(null, (get, set, key: FilterKey, values: readonly string[]) => {
  const list = key === 'people' ? [...values] : CHOICES[key].filter((value) => values.includes(value))
  set(stateAtom, { ...get(stateAtom), filters: { ...get(filtersAtom), [key]: list } })
})
/** Adds a value to a filter, or removes it. */
export const toggleFilterAtom = atom(null, (get, set, key: FilterKey, value: string) => {
  const list = get(filtersAtom)[key]
  set(setFilterAtom, key, list.includes(value) ? list.filter((other) => other !== value) : [...list, value])
})
export const setSearchAtom = atom(null, (get, set, text: string) => {
  const search = text.slice(0, SEARCH_LIMIT).trim()
  if (search !== get(searchAtom)) set(stateAtom, { ...get(stateAtom), search })
})
export const clearFiltersAtom = atom(null, (_get, set) => set(stateAtom, NOTHING_NARROWED))

const namesAtom = atom((get): Names => new Map(get(peopleAtom)?.map(({ id, name }) => [id, fold(name)])))

const wordsTestAtom = atom((get): Test<Post | Asset> => {
  const [words, names, partsOf] = [get(searchWordsAtom), get(namesAtom), get(coveredPartsAtom)]
  return words.length === 0 ? null : (item) => textMatches(item, words, names, isPost(item) ? [] : partsOf(item))
})
const assetTestAtom = atom((get): Test<Asset> => assetTest(get(filtersAtom)))
const postTestAtom = atom((get): Test<Post> => postTest(get(filtersAtom)))

/** The tests that filters and search apply to each item. The same object as long as they stay the same. */
export const visibleTestsAtom = atom((get) => ({
  posts: both(get(postTestAtom), get(wordsTestAtom)),
  assets: both(get(assetTestAtom), get(wordsTestAtom)),
}))

function both<T>(one: Test<T>, other: Test<T>): Test<T> {
  return one && other ? (item) => one(item) && other(item) : (one ?? other)
}

/** Memoized results. A derived atom, so that every store has its own. */
const filterCacheAtom = atom(() => ({
  foundPosts: createFilter<Post>(),
  foundAssets: createFilter<Asset>(),
  posts: createFilter<Post>(),
  assets: createFilter<Asset>(),
  tally: createTally(),
  assetTally: createTally(),
}))

/** Items that match the search; the original lists without a search, so that nothing is recomputed. */
const foundAssetsAtom = atom((get) => get(filterCacheAtom).foundAssets(get(tilesAtom), get(wordsTestAtom)))
const foundPostsAtom = atom((get) => get(filterCacheAtom).foundPosts(get(postsAtom), get(wordsTestAtom)))

export const visibleAssetsAtom = atom((get) => get(filterCacheAtom).assets(get(foundAssetsAtom), get(assetTestAtom)))
export const visiblePostsAtom = atom((get) => get(filterCacheAtom).posts(get(foundPostsAtom), get(postTestAtom)))

/** For each choice, how many items would remain with it, given the other filters and the search. */
export const allCountsAtom = atom((get) =>
  countChoices(get(filterCacheAtom).tally(get(foundPostsAtom), get(foundAssetsAtom)), get(filtersAtom)),
)
/** The same for a view that shows only assets. */
export const assetCountsAtom = atom((get) => countChoices(get(filterCacheAtom).assetTally([], get(foundAssetsAtom)), get(filtersAtom)))

/** The URL state read last, and the states written but not read back yet. A derived atom, so that every store has its own. */
const urlStateAtom = atom(() => ({ read: '', written: [] as string[] }))
const keyOf = (collectionId: string | null, query: string) => `${collectionId} ${query}`

/** Filters and search as they belong in the URL. */
export const narrowingAtom = atom((get): Narrowing => get(stateAtom))
/** The same as the query string of a link to a view. */
export const narrowingQueryAtom = atom((get) => narrowingQuery(get(stateAtom)))

/** Handles an opened URL of a collection's view. Applies its filters unless it equals the last one, or was written here. */
export const readUrlStateAtom = atom(null, (get, set, collectionId: string, params: URLSearchParams) => {
  const urlState = get(urlStateAtom)
  const narrowing = readNarrowing(params)
  const key = keyOf(collectionId, narrowingQuery(narrowing))
  if (key === urlState.read) return
  urlState.read = key
  const own = urlState.written.indexOf(key)
  urlState.written.splice(0, own < 0 ? urlState.written.length : own + 1)
  if (own < 0) set(stateAtom, narrowing)
})

/** The state that the URL still lacks, or null. Calling it marks the state as written. */
export const unwrittenAtom = atom(null, (get): Narrowing | null => {
  const urlState = get(urlStateAtom)
  const key = keyOf(get(selectedCollectionIdAtom), get(narrowingQueryAtom))
  if (key === (urlState.written.at(-1) ?? urlState.read)) return null
  urlState.written.push(key)
  return get(stateAtom)
})

/** For leaving the views: the next URL is applied as it is. */
export const leaveUrlStateAtom = atom(null, (get) => Object.assign(get(urlStateAtom), { read: '', written: [] }))
