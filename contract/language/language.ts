import { type Catalogue, type Said, say as sayIn, translate } from './sentence.ts'

export type { Said } from './sentence.ts'

/** A language with its sentences. */
export interface Speech {
  locale: string
  catalogue: Catalogue
  /** Creating these takes longer than all work done with them. */
  collator?: Intl.Collator
  regions?: Intl.DisplayNames
}

const ENGLISH: Speech = { locale: 'en', catalogue: {} }
let shown = ENGLISH
let current = () => shown

/** Changes the language of the app. What is drawn already must be drawn anew. */
export function setLanguage(locale: string, catalogue: Catalogue): void {
  shown = { locale, catalogue }
}

/** Sets where the current language is read from. The worker serves many people at once, so theirs comes with the request. */
export function speakAs(source: () => Speech | undefined): void {
  current = () => source() ?? ENGLISH
}

export const shownLanguage = () => current().locale

/** The pieces of a sentence in the language of the reader, for `Trans`. */
export const piecesOf = (said: Said) => translate(said, current().locale, current().catalogue)

/** The build replaces `t` by this. */
export const i18n = { _: (said: Said) => sayIn(said, current().locale, current().catalogue) }

/** A sentence of a table, in the language of the reader. */
export const say = (said: Said) => i18n._(said)

/** A number on its own. In a sentence, numbers are written like this by themselves. */
export const numberText = (value: number, decimals?: number) =>
  value.toLocaleString(current().locale, decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals })

/** Names one after another, with the language's “and”. British English has no comma before it. */
export function listText(names: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  const { locale } = current()
  return new Intl.ListFormat(locale === 'en' ? 'en-GB' : locale, { type }).format(names)
}

const COMMAS: Record<string, string> = { ar: '، ', ja: '、', 'zh-Hans': '、' }
const SEMICOLONS: Record<string, string> = { ar: '؛ ', ja: '、', 'zh-Hans': '；' }

/** Parts of a text one after another, without an “and”; what is empty is left out. */
export function joined(parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(COMMAS[current().locale] ?? ', ')
}

/** The same for parts that have commas themselves. */
export const joinedParts = (parts: readonly string[]) => parts.join(SEMICOLONS[current().locale] ?? '; ')

/** Sentences one after another: with spaces between them, except where the script has none. */
export const sentences = (parts: readonly (string | false)[]) => parts.filter(Boolean).join(/^(ja|zh)/.test(current().locale) ? '' : ' ')

/** The order of names, as the language sorts them; numbers in them count. */
export function compareNames(a: string, b: string): number {
  const speech = current()
  speech.collator ??= new Intl.Collator(speech.locale, { numeric: true })
  return speech.collator.compare(a, b)
}

/** The name of a country or territory; what is no code of one stays as it is. */
export function regionName(code: string): string {
  const speech = current()
  speech.regions ??= new Intl.DisplayNames(speech.locale, { type: 'region' })
  return /^[A-Z]{2}$/.test(code) ? (speech.regions.of(code) ?? code) : code
}
