import { expect, test } from 'vitest'
import { matchRanges } from './highlight.ts'
import { wordsOf } from './text.ts'

test.each([
  ['Česká ulice', 'ceska', ['Česká']],
  ['Straße und Strasse', 'strass', ['Straß', 'Strass']],
  ['a 🎉 party, party', 'par', ['par', 'par']],
  ['counterpart', 'part', []],
  ['Café au lait', 'lait caf', ['lait', 'Caf']],
])('In %j the search %j marks %j', (text, search, marked) => {
  expect(
    matchRanges(text, wordsOf(search))
      .map(([start, end]) => text.slice(start, end))
      .toSorted(),
  ).toEqual(marked.toSorted())
})
