import { expect, test } from 'vitest'
import { mentionedIn } from './mentions.ts'

const PEOPLE = [
  { id: '1', name: 'Anna' },
  { id: '2', name: 'Anna Maria' },
  { id: '3', name: 'Bob' },
  { id: '4', name: 'Bob' },
]

test('People are mentioned by the names in the text, chosen from a list or typed', () => {
  expect(mentionedIn('Hello @Anna Maria, and Anna', PEOPLE, new Set())).toEqual(['2'])
  expect(mentionedIn('@Anna @Anna', PEOPLE, new Set())).toEqual(['1'])
  expect(mentionedIn('mail@Anna.org', [], new Set())).toEqual([])
})

test('Of two people with the same name the chosen one is meant', () => {
  expect(mentionedIn('@Bob', PEOPLE, new Set(['4']))).toEqual(['4'])
  expect(mentionedIn('@Bob', PEOPLE, new Set())).toEqual(['3', '4'])
})
