import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CHOICES, NO_FILTERS } from './content.ts'
import { NOTHING_NARROWED, narrowingQuery, readNarrowing, writeNarrowing } from './url-state.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const read = (query: string) => readNarrowing(new URLSearchParams(query))

test('Filters and search are read from a URL', () => {
  expect(read(`type=photo,video&post=event&event=trip&note=idea&people=${ID}&q=sun+rise`)).toEqual({
    filters: { contentTypes: ['photo', 'video'], postTypes: ['event'], eventTypes: ['trip'], noteTypes: ['idea'], people: [ID] },
    search: 'sun rise',
  })
})

test('Unknown values in a URL are ignored, and repeated ones count once', () => {
  expect(read("type=VIDEO,photo,video,<script>,'--&type=file&event=none&people=me,../../etc&x=1")).toEqual({
    filters: { ...NO_FILTERS, contentTypes: ['photo', 'video', 'file'] },
    search: '',
  })
  expect(read('')).toEqual(NOTHING_NARROWED)
  expect(read(`q=${'x'.repeat(10_000)}`).search).toHaveLength(500)
})

test('A link contains the filters it was made from', () => {
  const list = (values: readonly string[]) => fc.subarray([...values])
  const filters = fc.record({
    contentTypes: list(CHOICES.contentTypes),
    postTypes: list(CHOICES.postTypes),
    eventTypes: list(CHOICES.eventTypes),
    noteTypes: list(CHOICES.noteTypes),
    people: fc.uniqueArray(fc.uuid(), { maxLength: 5 }),
  })
  const search = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.trim())
  fc.assert(
    fc.property(filters, search, (chosen, text) => {
      const narrowing = { filters: chosen, search: text }
      expect(read(`c=x${narrowingQuery(narrowing)}`)).toEqual(narrowing)
    }),
  )
})

test('Unused filters are removed from the URL', () => {
  expect(writeNarrowing(NOTHING_NARROWED)).toEqual({ type: null, post: null, event: null, note: null, people: null, q: null })
})
