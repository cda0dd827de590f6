import { expect, test } from 'vitest'
import { directionOf, languageFor, OFFERED } from './languages.ts'

test.each([
  [['en-AU', 'de'], null, 'en'],
  [['EN-us'], null, 'en'],
  [['tlh'], null, 'en'],
  [['no such tag!', ''], null, 'en'],
  [[], null, 'en'],
  [['en'], 'ar', 'ar'],
  [['en'], 'en-XA', 'en-XA'],
  [['en'], 'tlh', 'en'],
  [['en'], '<script>', 'en'],
])('Whoever prefers %j, with the cookie %s, sees %s', (tags, cookie, language) => {
  expect(languageFor(tags, cookie)).toBe(language)
})

test.each(OFFERED.map(({ tag }) => tag))('Whoever has a browser in %s sees it', (tag) => {
  expect(languageFor(['tlh', tag, 'en'])).toBe(tag)
})

test('An unknown language is written from left to right', () => {
  expect(['ar', 'de', 'tlh'].map(directionOf)).toEqual(['rtl', 'ltr', 'ltr'])
})
