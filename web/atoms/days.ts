import { atom } from 'jotai'
import { type ContentDays, contentDays, NO_DAYS } from '../lib/content-days.ts'
import { visibleAssetsAtom, visiblePostsAtom } from './filters.ts'

/** What the days were last. A derived atom, so that every store has its own. */
const lastAtom = atom(() => ({ days: NO_DAYS }))

/** What all views show, by days. A change makes only those days anew that it touches. */
export const visibleDaysAtom = atom((get): ContentDays => {
  const last = get(lastAtom)
  last.days = contentDays(get(visiblePostsAtom), get(visibleAssetsAtom), last.days)
  return last.days
})
