import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { fold } from '../fold.ts'
import { plainText, textMatches, wordsOf } from './text.ts'

// Only the fields that a search reads, without a date.
const post = (title: string, body = '', people: string[] = []) =>
  ({ title, body, people, location: { name: 'Český Krumlov' }, date: null }) as Post
const photo = (name: string, alt: string | null = null) => ({ name, alt, people: [], location: null, date: null }) as unknown as Asset
const NAMES = new Map([['ana', fold('Ana García')]])
const matches = (item: Post | Asset, search: string) => textMatches(item, wordsOf(search), NAMES)

test.each([
  ['ceska', 'Česká ulice'],
  ['ČESKÁ', 'ceska ulice'],
  ['strasse', 'Straße 5'],
  ['oresund', 'Øresund'],
  ['uli ces', 'Česká ulice'],
  ['0042', 'IMG0042.jpg'],
  ['krumlov', 'anything'],
  ['京', '東京都'],
  ["o'brien", "O'Brien's"],
  ['100%', 'a 100% wool'],
  ['a_b', 'a_b'],
  ['\\', 'C:\\temp'],
  ['"x"', 'say "x"'],
])('%j finds %j', (search, title) => {
  expect(matches(post(title), search)).toBe(true)
})

test.each([
  ['eska', 'Česká ulice'],
  ['42', 'IMG0042.jpg'],
  ['%', 'no percent here'],
  ['_', 'nothing'],
  ['.*', 'nothing'],
  ['ulice brno', 'Česká ulice'],
])('%j does not find %j', (search, title) => {
  expect(matches(post(title), search)).toBe(false)
})

test('Body, place, people, file name and description are searched together', () => {
  expect(matches(post('Walk', '<p>To the <b>r</b>iver &amp; back</p>', ['ana']), 'garcia river cesky')).toBe(true)
  expect(matches(photo('kyoto.jpg', 'A red gate'), 'gate kyoto')).toBe(true)
})

test('Markup is not searched', () => {
  expect(plainText('<p>one</p><p>t<b>w</b>o &lt;p&gt; &amp;lt;</p>').trim()).toBe('one  two <p> &lt;')
  expect(matches(post('', '<blockquote>x</blockquote>'), 'blockquote')).toBe(false)
})

test('A search of ten kilobytes is cut to the limit', () => {
  expect(wordsOf('ab '.repeat(3400))).toEqual(['ab'])
  expect(wordsOf('x'.repeat(10_000))[0]).toHaveLength(500)
})

test('Every beginning of every word finds the item, in any order and case', () => {
  const word = fc.stringMatching(/^[a-zA-Zéßøčž]{1,8}$/)
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.nat(), (words, cut) => {
      const search = words.toReversed().map((text) => text.slice(0, 1 + (cut % text.length)).toUpperCase())
      expect(matches(post(words.join(' ')), search.join(' '))).toBe(true)
    }),
  )
})

test('Every text is found by itself, whatever characters it contains', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), (text) => {
      expect(matches(post(text), text)).toBe(true)
    }),
  )
})
