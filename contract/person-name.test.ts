import { afterEach, expect, test } from 'vitest'
import { translationsOf } from '../dev/language/catalogues.ts'
import { setLanguage } from './language/language.ts'
import { personName } from './person-name.ts'

afterEach(() => setLanguage('en', {}))

test.each([
  ['en', ['Oma (guest)', 'Former member', 'A member', 'A guest', 'Ana']],
  ['de', ['Oma (Gast)', 'Ehemaliges Mitglied', 'Ein Mitglied', 'Ein Gast', 'Ana']],
  ['ja', ['Oma（ゲスト）', '以前のメンバー', 'メンバー', 'ゲスト', 'Ana']],
  ['ar', ['\u2068Oma\u2069 (ضيف)', 'عضو سابق', 'عضو', 'ضيف', 'Ana']],
])('In %s, those without a name and guests are called as the language calls them', async (language, names) => {
  setLanguage(language, await translationsOf(language, () => true))
  expect(['Oma (guest)', 'Former member', 'A member', 'A guest', 'Ana'].map(personName)).toEqual(names)
})
