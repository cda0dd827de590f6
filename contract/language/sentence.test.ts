import { describe, expect, test } from 'vitest'
import { compiledSentence } from '../../dev/language/plugin.ts'
import { say } from './sentence.ts'

const said = (text: string, values: Record<string, unknown>, locale = 'en') =>
  say({ id: 'a', message: '', values }, locale, { a: compiledSentence(text) })

describe('a sentence', () => {
  const PHOTOS = '{count, plural, =0 {no photos} one {# photo} other {# photos}}'
  test.each([
    [0, 'no photos'],
    [1, '1 photo'],
    [1.5, '1.5 photos'],
    [2, '2 photos'],
    [21, '21 photos'],
    [1234, '1,234 photos'],
  ])('has the words for %d', (count, text) => {
    expect(said(PHOTOS, { count })).toBe(text)
  })

  test.each([
    [1, '1 zdjęcie'],
    [2, '2 zdjęcia'],
    [5, '5 zdjęć'],
    [21, '21 zdjęć'],
    [22, '22 zdjęcia'],
    [1.5, '1,5 zdjęcia'],
  ])('has the words for %d in a language with more categories', (count, text) => {
    expect(said('{count, plural, one {# zdjęcie} few {# zdjęcia} many {# zdjęć} other {# zdjęcia}}', { count }, 'pl')).toBe(text)
  })

  test.each([
    ['{0}', '<b>{1}</b> # \u0041 constructor'],
    ["It''s {0}", "it's"],
  ])('takes a value as it is: %s', (text, value) => {
    expect(said(text, { 0: value })).toBe(text.replace("''", "'").replace('{0}', () => value))
  })

  test.each([
    ['en', 'דנה', '\u2068דנה\u2069 left'],
    ['en', 'Ana', 'Ana left'],
    ['en', 'Ana\u202e', '\u2068Ana\u202e\u2069 left'],
    ['ar', 'Ana', '\u2068Ana\u2069 left'],
    ['ar', '3', '3 left'],
  ])('in %s does not let the name %s move what is around it', (locale, name, text) => {
    expect(said('{name} left', { name }, locale)).toBe(text)
  })

  test('of an id or a value that an object has by itself is none', () => {
    expect(say({ id: 'constructor', message: ['a ', ['toString']], values: {} }, 'de', {})).toBe('a ')
  })

  test('that a language lacks is said in English, with English plurals', () => {
    expect(say({ id: 'b', message: compiledSentence(PHOTOS), values: { count: 1234 } }, 'de', {})).toBe('1,234 photos')
  })
})
