import { atom } from 'jotai'
import { type ContentDays, contentDays, NO_DAYS } from '../lib/content-days.ts'
import { filteringAtom, visibleAssetsAtom, visiblePostsAtom } from './filters.ts'
import { selectedCollectionIdAtom } from './selection.ts'

/** What the days of the open collection were last, and those of everything in it. A derived atom, so that every store has its own. */
const lastAtom = atom((get) => {
  // Of another collection there is nothing to keep.
  get(selectedCollectionIdAtom)
  return { days: NO_DAYS, all: NO_DAYS }
})

/** Where so much goes, most days change: they are quicker made anew than searched for what went. */
function narrows(count: number, { posts, assets }: ContentDays): boolean {
  return count < 0.75 * (posts.length + assets.length)
}

/** What all views show, by days. A change makes only those days anew that it touches. */
export const visibleDaysAtom = atom((get): ContentDays => {
  const last = get(lastAtom)
  const [posts, assets] = [get(visiblePostsAtom), get(visibleAssetsAtom)]
  // What a filter hid comes back as it was.
  if (get(filteringAtom)) last.days = contentDays(posts, assets, narrows(posts.length + assets.length, last.days) ? NO_DAYS : last.days)
  else last.days = last.all = contentDays(posts, assets, last.all)
  return last.days
})
