import type { Said } from '#language'
import { msg } from '#say'
import type { When } from './lib/dates/query.ts'
import type { IconName } from './ui/icon.tsx'

/** A view of one collection: its folder in views/ and its line below are all there is to it. */
export interface View {
  /** Names it in its address, `/collections/{view}?c=…`, and to the others who are there. */
  view: string
  label: Said
  /** Where the label alone could be that of something else. */
  fullLabel?: Said
  icon: IconName
  /** Opens it after `g`. */
  key: string
  /** Kinds of items that it shows and that can be filtered and selected there; null for none. */
  shows: 'all' | 'assets' | null
  /** What its address ends with where it opens at a date, as of parseWhen; `newest` is the last day within it that has something. */
  dateQueryOf?: (when: When, newest: string) => string
}

const dayOf = (_when: When, newest: string) => `#day-${newest}`

const TABLE = [
  { view: 'map', label: msg`Map`, icon: 'map', key: 'p', shows: 'all' },
  { view: 'media', label: msg`Media`, icon: 'photo-library', key: 'm', shows: 'assets', dateQueryOf: dayOf },
  { view: 'calendar', label: msg`Calendar`, icon: 'calendar-today', key: 'c', shows: 'all', dateQueryOf: (when) => `&on=${when}` },
  { view: 'timeline', label: msg`Timeline`, icon: 'view-timeline', key: 't', shows: 'all', dateQueryOf: dayOf },
  { view: 'settings', label: msg`Settings`, fullLabel: msg`Settings of the collection`, icon: 'settings', key: 's', shows: null },
] as const satisfies readonly View[]

export type CollectionView = (typeof TABLE)[number]['view']

/** In the order in which they are offered. */
export const VIEWS: readonly (View & { view: CollectionView })[] = TABLE
