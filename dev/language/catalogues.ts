import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { formatter } from '@lingui/format-po'
import { LANGUAGES, PSEUDO } from '../../contract/language/languages.ts'
import type { Catalogue, Sentence } from '../../contract/language/sentence.ts'
import { PROJECT } from '../state-folder.ts'
import { compiledSentence } from './plugin.ts'

/** The languages whose sentences are in files of their own: all but English, which is beside its code. */
export const TRANSLATED = [...LANGUAGES.map(({ tag }) => tag).filter((tag) => tag !== 'en'), PSEUDO]

/** A sentence in one language, and the source files that say it, relative to the project. */
interface Translation {
  sentence: Sentence
  files: string[]
}

/** Sentences that are not translated yet are left out. Throws for a broken one. */
async function readTranslations(language: string): Promise<Map<string, Translation>> {
  const pseudo = language === PSEUDO
  const file = `language/${pseudo ? 'en' : language}.po`
  const context = { locale: language, sourceLocale: 'en', filename: file }
  const messages = await formatter().parse(await readFile(path.join(PROJECT, file), 'utf8'), context)
  const translations = new Map<string, Translation>()
  for (const [id, { translation, origin = [], obsolete }] of Object.entries(messages)) {
    if (!translation || obsolete) continue
    try {
      const sentence = compiledSentence(translation)
      translations.set(id, { sentence: pseudo ? pseudoSentence(sentence) : sentence, files: origin.map(([source]) => source) })
    } catch (error) {
      throw new Error(`${file} has a broken sentence: ${translation}`, { cause: error })
    }
  }
  return translations
}

/** Those sentences of a language that the given source files say. */
export async function translationsOf(language: string, says: (file: string) => boolean): Promise<Catalogue> {
  return Object.fromEntries(
    [...(await readTranslations(language))].flatMap(([id, { sentence, files }]) => (files.some(says) ? [[id, sentence]] : [])),
  )
}

/** The same for each language but English. */
export async function allTranslationsOf(says: (file: string) => boolean): Promise<Record<string, Catalogue>> {
  return Object.fromEntries(await Promise.all(TRANSLATED.map(async (tag) => [tag, await translationsOf(tag, says)] as const)))
}

export const appCatalogue = (language: string) => translationsOf(language, (file) => /^(web|contract)\//.test(file))

/** For each language, the file of what the app says, named by its content. */
export async function appCatalogues(): Promise<Map<string, { fileName: string; source: string }>> {
  const made = TRANSLATED.map(async (language) => {
    const source = JSON.stringify(await appCatalogue(language))
    const hash = createHash('sha256').update(source).digest('hex').slice(0, 8)
    return [language, { fileName: `assets/language-${language}-${hash}.json`, source }] as const
  })
  return new Map(await Promise.all(made))
}

const ACCENTED = new Map([...'aceinouyAEINOUSZ'].map((letter, at) => [letter, [...'áçéíñóúýÁÉÍÑÓÚŠŽ'][at] ?? letter]))

/** `[Ópéñ thé míssíñg ---]`: English that is longer by some 40 %, with its tags and values. */
function pseudoSentence(sentence: Sentence): Sentence {
  const accented = (text: string) =>
    text
      .split(/(<\/?\d+\/?>)/)
      .map((part, at) => (at % 2 ? part : [...part].map((letter) => ACCENTED.get(letter) ?? letter).join('')))
      .join('')
  const inside = (part: Sentence): Sentence =>
    typeof part === 'string'
      ? accented(part)
      : part.map((token) => {
          if (typeof token === 'string') return token === '#' ? token : accented(token)
          if (token.length === 1) return token
          const cases = Object.entries(token[2]).map(([which, text]): [string, Sentence] => [which, inside(text ?? '')])
          return [token[0], 'plural', Object.fromEntries(cases)] as const
        })
  const made = inside(sentence)
  const tokens = typeof made === 'string' ? [made] : made
  const length = tokens.reduce((sum, token) => sum + (typeof token === 'string' ? token.replace(/<.*?>/g, '').length : 8), 0)
  return ['[', ...tokens, `${' ·'.repeat(Math.ceil(length / 5))}]`]
}
