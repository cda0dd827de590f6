import { atom } from 'jotai'
import { visibleDaysAtom } from '../../atoms/days.ts'
import { perObject } from '../../lib/per-object.ts'
import { digestSections } from '../../lib/timeline-digest.ts'
import { timelineSections } from '../../lib/timeline-sections.ts'

// Coming back from another view finds them ready; what is made once per list is there when a filter is taken off again.
const sectionsPer = perObject(timelineSections)
/** What the timeline shows, by its zoom. */
export const SECTIONS = {
  day: atom((get) => sectionsPer(get(visibleDaysAtom).days)),
  month: atom((get) => digestSections(get(visibleDaysAtom).days, 'month')),
  year: atom((get) => digestSections(get(visibleDaysAtom).days, 'year')),
}
