import { atom } from 'jotai'
import { visibleDaysAtom } from '../../atoms/days.ts'
import { filteringAtom } from '../../atoms/filters.ts'
import { selectedCollectionIdAtom } from '../../atoms/selected-collection.ts'
import type { DayItems } from '../../lib/content/days.ts'
import { digestSections } from '../../lib/timeline/digest.ts'
import { closedRows } from '../../lib/timeline/rows.ts'
import { timelineSections } from '../../lib/timeline/sections.ts'
import type { TimelineSection } from '../../lib/timeline/types.ts'

interface Made {
  days: readonly DayItems[]
  sections: readonly TimelineSection[]
}

const NONE: Made = { days: [], sections: [] }

/** What was made last of everything and, while something is looked for, of what is left. A derived atom, so that every store has its own. */
const lastAtom = atom((get): { all: Made; narrowed: Made | null } => {
  // Of another collection there is nothing to keep.
  get(selectedCollectionIdAtom)
  return { all: NONE, narrowed: null }
})

function sectionsAfter(before: Made, days: readonly DayItems[]): Made {
  return before.days === days ? before : { days, sections: timelineSections(days, before.sections) }
}

/** What the timeline shows, by its zoom. Coming back from another view, or from a filter, finds it ready. */
export const SECTIONS = {
  day: atom((get) => {
    const last = get(lastAtom)
    const { days } = get(visibleDaysAtom)
    last.narrowed = get(filteringAtom) ? sectionsAfter(last.narrowed ?? last.all, days) : null
    if (!last.narrowed) last.all = sectionsAfter(last.all, days)
    return (last.narrowed ?? last.all).sections
  }),
  month: atom((get) => digestSections(get(visibleDaysAtom).days, 'month')),
  year: atom((get) => digestSections(get(visibleDaysAtom).days, 'year')),
}
/** What the rows of days are cut from, to be made ahead. */
export const closedAtom = atom((get) => closedRows(get(SECTIONS.day)))
