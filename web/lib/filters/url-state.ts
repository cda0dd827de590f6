import { isId } from '../../../contract/ids.ts'
import { CHOICES, type FilterKey, type Filters, NO_FILTERS } from './content.ts'
import { SEARCH_LIMIT } from './text.ts'

export interface Narrowing {
  filters: Filters
  search: string
}

export const NOTHING_NARROWED: Narrowing = { filters: NO_FILTERS, search: '' }

const NAMES: Record<FilterKey, string> = {
  contentTypes: 'type',
  postTypes: 'post',
  eventTypes: 'event',
  noteTypes: 'note',
  people: 'people',
}
const KEYS = Object.keys(NAMES) as FilterKey[]
const SEARCH = 'q'
/** More than a collection has. */
const MAX_PEOPLE = 200

/** Reads filters and search from a URL: `?type=photo,video&people=…&q=sun`. Ignores unknown values. */
export function readNarrowing(params: URLSearchParams): Narrowing {
  const lists = KEYS.map((key) => {
    const values = new Set(params.getAll(NAMES[key]).flatMap((text) => text.toLowerCase().split(',')))
    if (key === 'people') return [key, [...values].filter(isId).slice(0, MAX_PEOPLE)]
    // In the order of the table, so that the same choice always has the same URL.
    return [key, CHOICES[key].filter((value) => values.has(value))]
  })
  return { filters: { ...NO_FILTERS, ...Object.fromEntries(lists) }, search: (params.get(SEARCH) ?? '').trim().slice(0, SEARCH_LIMIT) }
}

/** Every URL parameter that filters use, with its value, or null if it is to be removed. */
export function writeNarrowing({ filters, search }: Narrowing): Record<string, string | null> {
  const lists = KEYS.map((key) => [NAMES[key], filters[key].join(',') || null])
  return { ...Object.fromEntries(lists), [SEARCH]: search.trim() || null }
}

/** The same as the end of a link: `&type=photo&q=sun`, or an empty string. */
export function narrowingQuery(narrowing: Narrowing): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(writeNarrowing(narrowing))) if (value !== null) params.set(name, value)
  const text = params.toString()
  return text && `&${text}`
}
