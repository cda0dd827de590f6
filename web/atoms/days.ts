import { atom } from 'jotai'
import { type ContentDays, contentDays, type NarrowedDays, NO_DAYS, narrowedDays } from '../lib/content/days.ts'
import { assetsAtom, postsAtom } from './content.ts'
import { filteringAtom, visibleAssetsAtom, visiblePostsAtom, visibleTestsAtom } from './filters.ts'
import { selectedCollectionIdAtom } from './selected-collection.ts'

interface Last {
  all: ContentDays
  narrowed: NarrowedDays | null
}

/** What the days of the open collection were last. A derived atom, so that every store has its own. */
const lastAtom = atom((get): Last => {
  // Of another collection there is nothing to keep.
  get(selectedCollectionIdAtom)
  return { all: NO_DAYS, narrowed: null }
})

/** What all views show, by days. A change makes only those days anew that it touches; what a filter hid comes back as it was. */
export const visibleDaysAtom = atom((get): ContentDays => {
  const last = get(lastAtom)
  last.all = contentDays(get(postsAtom), get(assetsAtom), last.all)
  // Read also while nothing is looked for, so that they let go of what was.
  const [left, tests] = [{ posts: get(visiblePostsAtom), assets: get(visibleAssetsAtom) }, get(visibleTestsAtom)]
  last.narrowed = get(filteringAtom) ? narrowedDays(last.all, left, tests, last.narrowed) : null
  return last.narrowed ?? last.all
})
