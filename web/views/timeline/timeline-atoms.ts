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

/** The last result for all content and, while filtered, for the filtered content. A derived atom, so that every store has its own. */
const lastAtom = atom((get): { all: Made; narrowed: Made | null } => {
  // Another collection starts afresh.
  get(selectedCollectionIdAtom)
  return { all: NONE, narrowed: null }
})

function sectionsAfter(before: Made, days: readonly DayItems[]): Made {
  return before.days === days ? before : { days, sections: timelineSections(days, before.sections) }
}

/** The timeline's sections by zoom. Cached, so that returning from another view, or from a filter, is immediate. */
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
/** The source of the day rows, computed ahead. */
export const closedAtom = atom((get) => closedRows(get(SECTIONS.day)))
