import { type Catalogue, type Said, say as sayIn, translate } from '../../../contract/language/sentence.ts'

export type { Said } from '../../../contract/language/sentence.ts'

interface Shown {
  locale: string
  catalogue: Catalogue
  /** Creating these takes longer than all work done with them. */
  collator?: Intl.Collator
  regions?: Intl.DisplayNames
}

let shown: Shown = { locale: 'en', catalogue: {} }

/** Changes the language of the app. What is drawn already must be drawn anew. */
export function setLanguage(locale: string, catalogue: Catalogue): void {
  shown = { locale, catalogue }
}

export const shownLanguage = () => shown.locale

/** The pieces of a sentence in the language of the app, for `Trans`. */
export const piecesOf = (said: Said) => translate(said, shown.locale, shown.catalogue)

/** The build replaces `t` by this. */
export const i18n = { _: (said: Said) => sayIn(said, shown.locale, shown.catalogue) }

/** A sentence of a table, in the language of the app. */
export const say = (said: Said) => i18n._(said)

/** A number on its own. In a sentence, numbers are written like this by themselves. */
export const numberText = (value: number) => value.toLocaleString(shown.locale)

/** Names one after another, with the language's “and”. British English has no comma before it. */
export const listText = (names: readonly string[]) => new Intl.ListFormat(shown.locale === 'en' ? 'en-GB' : shown.locale).format(names)

/** The order of names, as the language sorts them; numbers in them count. */
export function compareNames(a: string, b: string): number {
  shown.collator ??= new Intl.Collator(shown.locale, { numeric: true })
  return shown.collator.compare(a, b)
}

/** The name of a country or territory; what is no code of one stays as it is. */
export function regionName(code: string): string {
  shown.regions ??= new Intl.DisplayNames(shown.locale, { type: 'region' })
  return /^[A-Z]{2}$/.test(code) ? (shown.regions.of(code) ?? code) : code
}
