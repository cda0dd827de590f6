import { atom } from 'jotai'
import { type ContentDays, contentDays, type NarrowedDays, NO_DAYS, narrowedDays } from '../lib/content/days.ts'
import { postsAtom } from './content.ts'
import { filteringAtom, visibleAssetsAtom, visiblePostsAtom, visibleTestsAtom } from './filters.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'
import { tilesAtom } from './tiles.ts'

interface Last {
  all: ContentDays
  narrowed: NarrowedDays | null
}

/** The days computed last for the open collection. A derived atom, so that every store has its own. */
const lastAtom = atom((get): Last => {
  // Starts again for each collection.
  get(selectedCollectionIdAtom)
  return { all: NO_DAYS, narrowed: null }
})

/**
 * The items that all views show, grouped by day. A change recomputes only the days it touches; days hidden by a filter come back unchanged.
 */
export const visibleDaysAtom = atom((get): ContentDays => {
  const last = get(lastAtom)
  last.all = contentDays(get(postsAtom), get(tilesAtom), last.all)
  // Read even without a search, so that the results of an earlier search are released.
  const [left, tests] = [{ posts: get(visiblePostsAtom), assets: get(visibleAssetsAtom) }, get(visibleTestsAtom)]
  last.narrowed = get(filteringAtom) ? narrowedDays(last.all, left, tests, last.narrowed) : null
  return last.narrowed ?? last.all
})
