import { expect, test } from 'vitest'
import { preferredLanguage } from './preferred-language.ts'

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de-AT'],
  ['EN-us', 'en-US'],
  ['ca,es-ES;q=0.8,en;q=0.6', 'es-ES'],
  ['gsw, de-CH', 'de-CH'],
  ['fi;q=0.9, sv', 'sv'],
  ['en;q=0.5, fr-CA', 'fr-CA'],
  ['fr;q=0.5', 'fr'],
  ['*', null],
  ['', null],
  [undefined, null],
  ['no such language!', null],
  [`en-${'x'.repeat(40)}`, null],
])('The preferred language of %j is %j', (header, language) => {
  expect(preferredLanguage(header)).toBe(language)
})
