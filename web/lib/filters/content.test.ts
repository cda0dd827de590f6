import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import { KINDS, type Post } from '../../../contract/posts.ts'
import { assetTest, CHOICES, countChoices, type Filters, isFiltering, NO_FILTERS, postTest } from './content.ts'
import { nothing } from './incremental-filter.ts'
import { createTally } from './tally.ts'

const assetMatches = (asset: Pick<Asset, 'type' | 'people'>, filters: Filters) => assetTest(filters)?.(asset) ?? true
const postMatches = (post: Pick<Post, 'type' | 'kind' | 'people'>, filters: Filters) => postTest(filters)?.(post) ?? true

const by = (some: Partial<Filters>): Filters => ({ ...NO_FILTERS, ...some })
const photo = { type: 'image/jpeg', people: ['ana'] }
const trip = { type: 'event' as const, kind: 'trip', people: [] }
const idea = { type: 'note' as const, kind: 'idea', people: ['ana'] }

test('Without filters every item matches', () => {
  expect(isFiltering(NO_FILTERS)).toBe(false)
  expect([assetMatches(photo, NO_FILTERS), postMatches(trip, NO_FILTERS), postMatches(idea, NO_FILTERS)]).toEqual([true, true, true])
})

test.each([
  [by({ contentTypes: ['photo'] }), [true, false, false]],
  [by({ contentTypes: ['video', 'post'] }), [false, true, true]],
  [by({ postTypes: ['event'] }), [false, true, false]],
  [by({ eventTypes: ['trip'] }), [false, true, false]],
  [by({ eventTypes: ['birthday'] }), [false, false, false]],
  [by({ eventTypes: ['birthday'], postTypes: ['event', 'note'] }), [false, false, true]],
  [by({ eventTypes: ['trip'], noteTypes: ['idea'] }), [false, true, true]],
  [by({ people: ['ana', 'bob'] }), [true, false, true]],
])('Filters %j accept the right items', (filters, expected) => {
  expect(isFiltering(filters)).toBe(true)
  expect([assetMatches(photo, filters), postMatches(trip, filters), postMatches(idea, filters)]).toEqual(expected)
})

const people = fc.subarray(['ana', 'bob', 'cy'])
const asset = fc.record({ type: fc.constantFrom('image/jpeg', 'video/mp4', 'audio/mpeg', 'application/pdf'), people })
const post = fc
  .constantFrom('event' as const, 'note' as const)
  .chain((type) => fc.record({ type: fc.constant(type), kind: fc.constantFrom(null, ...KINDS[type], 'of a newer version'), people }))
const isPost = (item: object) => 'kind' in item
const list = (values: readonly string[]) => fc.subarray([...values])
const filters = fc.record({
  contentTypes: list(CHOICES.contentTypes),
  postTypes: list(CHOICES.postTypes),
  eventTypes: list(CHOICES.eventTypes),
  noteTypes: list(CHOICES.noteTypes),
  people,
})

test('No item is tested where filters accept all or none of them', () => {
  expect([postTest(NO_FILTERS), assetTest(NO_FILTERS)]).toEqual([null, null])
  const posts = by({ contentTypes: ['post'] })
  expect([postTest(posts), assetTest(posts)]).toEqual([null, nothing])
  expect(postTest(by({ contentTypes: ['photo', 'file'] }))).toBe(nothing)
})

test('The count of a choice is the number of items that match with it and the other filters', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(asset, post), { maxLength: 40 }), filters, (items, chosen) => {
      const counts = countChoices(createTally()(items.filter(isPost) as Post[], items.filter((item) => !isPost(item)) as Asset[]), chosen)
      for (const [key, values] of Object.entries({ ...CHOICES, people: ['ana', 'bob', 'cy'] })) {
        for (const value of values) {
          const after = { ...chosen, [key]: [value] }
          const left = items.filter((item) => ('kind' in item ? postMatches(item, after) : assetMatches(item, after)))
          expect(counts[key as keyof Filters].get(value) ?? 0, `${key} ${value}`).toBe(left.length)
        }
      }
    }),
  )
})
