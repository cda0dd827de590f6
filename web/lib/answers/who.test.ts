import { expect, test } from 'vitest'
import { authorName, importerName, whoText } from './who.ts'

const me = { id: 'bob', name: 'Bob' }

test('Imported reactions name who left them where they come from, also those that the user imported', () => {
  const who = [me, { ...me, original_author: 'Ada' }, { id: 'tom', name: 'Tom', original_author: 'Oma' }, { id: 'tom', name: 'Tom' }]
  expect(whoText({ who, count: 6, mine: true }, 'bob')).toBe('You, Ada (imported), Oma (imported), Tom and 2 others')
})

test('A comment has the name of who wrote it, and who imported it unless that is the same person', () => {
  expect([authorName(me), importerName(me)]).toEqual(['Bob', null])
  const imported = { ...me, original_author: 'Ada' }
  expect([authorName(imported), importerName(imported)]).toEqual(['Ada', 'Bob'])
  const own = { ...me, original_author: 'Bob' }
  expect([authorName(own), importerName(own)]).toEqual(['Bob', null])
})
