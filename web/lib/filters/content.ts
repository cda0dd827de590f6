import type { Asset } from '../../../contract/assets.ts'
import { MEDIA_KINDS } from '../../../contract/media-kinds.ts'
import { EVENT_KINDS, KINDS, NOTE_KINDS, type Post } from '../../../contract/posts.ts'
import { kindOf } from '../media.ts'
import { nothing, type Test } from './incremental-filter.ts'

/** Filters of the views. An empty list does not filter. */
export interface Filters {
  contentTypes: string[]
  postTypes: string[]
  eventTypes: string[]
  noteTypes: string[]
  /** Ids of people; an item matches if it has one of them. */
  people: string[]
}
export type FilterKey = keyof Filters

export const NO_FILTERS: Filters = { contentTypes: [], postTypes: [], eventTypes: [], noteTypes: [], people: [] }

/** Possible values of each list; people depend on the collection. */
export const CHOICES = {
  contentTypes: ['post', ...MEDIA_KINDS],
  postTypes: ['event', 'note'],
  eventTypes: EVENT_KINDS,
  noteTypes: NOTE_KINDS,
} as const satisfies Partial<Record<FilterKey, readonly string[]>>

/** Filtering is active when any list is non-empty. */
export function isFiltering(filters: Filters): boolean {
  return Object.values(filters).some((list) => list.length > 0)
}

const POST_KINDS = CHOICES.postTypes.flatMap((type) => [null, ...KINDS[type]].map((kind) => ({ type, kind })))

const accepts = (list: readonly string[], value: string | null) => list.length === 0 || (value !== null && list.includes(value))
const tagged = (people: readonly string[], item: { people: readonly string[] }) =>
  people.length === 0 || item.people.some((id) => people.includes(id))
const onlyPosts = ({ postTypes, eventTypes, noteTypes }: Filters) => postTypes.length + eventTypes.length + noteTypes.length > 0

/** The properties of an item that all filters except people depend on. */
type Kind = { content: string } | { type: Post['type']; kind: string | null }

/** Filters for kinds of posts exclude assets. Kinds of events exclude notes unless notes are selected too, and the other way round. */
function kindMatches(item: Kind, filters: Filters): boolean {
  if ('content' in item) return !onlyPosts(filters) && accepts(filters.contentTypes, item.content)
  const { eventTypes, noteTypes, postTypes } = filters
  const [kinds, others] = item.type === 'event' ? [eventTypes, noteTypes] : [noteTypes, eventTypes]
  const isWanted = postTypes.length > 0 ? postTypes.includes(item.type) : kinds.length > 0 || others.length === 0
  return accepts(filters.contentTypes, 'post') && isWanted && accepts(kinds, item.kind)
}

/** Test for assets; null if all of them match. */
export function assetTest(filters: Filters): Test<Pick<Asset, 'type' | 'people'>> {
  const accepted = new Set<string>(MEDIA_KINDS.filter((content) => kindMatches({ content }, filters)))
  if (accepted.size === 0) return nothing
  return testOf(filters, accepted.size < MEDIA_KINDS.length ? ({ type }) => accepted.has(kindOf(type)) : null)
}

export function postTest(filters: Filters): Test<Pick<Post, 'type' | 'kind' | 'people'>> {
  const kinds = POST_KINDS.filter((kind) => kindMatches(kind, filters))
  if (kinds.length === 0) return nothing
  const accepted = { event: new Set<string | null>(), note: new Set<string | null>() }
  for (const { type, kind } of kinds) accepted[type].add(kind)
  // Without filters for kinds, every kind is accepted, including null.
  const accepts = ({ type, kind }: Pick<Post, 'type' | 'kind' | 'people'>) => accepted[type].has(null) || accepted[type].has(kind)
  return testOf(filters, kinds.length < POST_KINDS.length ? accepts : null)
}

function testOf<T extends { people: readonly string[] }>({ people }: Filters, accepted: Test<T>): Test<T> {
  if (people.length === 0) return accepted
  return (item) => tagged(people, item) && (accepted?.(item) ?? true)
}

/** Number of items that would match if a list contained this value alone, by list and value. A missing value means none. */
export type Counts = Record<FilterKey, ReadonlyMap<string, number>>

/** Items that no filter can distinguish. */
export interface Alike {
  kind: Kind
  people: readonly string[]
  count: number
}

/** Counts the items of every choice. There are few kinds of items, so each choice is tested against the kinds. */
export function countChoices(all: Iterable<Alike>, filters: Filters): Counts {
  const kinds = [...all]
  const people = new Map<string, number>()
  for (const { kind, people: ids, count } of kinds)
    if (kindMatches(kind, filters)) for (const id of new Set(ids)) people.set(id, (people.get(id) ?? 0) + count)
  const wanted = kinds.filter((alike) => tagged(filters.people, alike))
  const countOf = (filter: Filters) => wanted.reduce((sum, { kind, count }) => sum + (kindMatches(kind, filter) ? count : 0), 0)
  const list = (key: keyof typeof CHOICES) => new Map(CHOICES[key].map((value) => [value, countOf({ ...filters, [key]: [value] })]))
  return {
    contentTypes: list('contentTypes'),
    postTypes: list('postTypes'),
    eventTypes: list('eventTypes'),
    noteTypes: list('noteTypes'),
    people,
  }
}
