/**
 * A sentence, compiled from ICU MessageFormat by the build: text, and the places of its values. `#` in a case of a plural is the count. Texts may contain the tags of
 * `Trans` (web/ui/trans.tsx).
 */
export type Sentence = string | readonly Token[]
type Token = string | readonly [name: string] | readonly [name: string, kind: 'plural', cases: Cases]
/** By the exact count or its category; `other` is always there. */
type Cases = Readonly<Record<string, Sentence | undefined>>

/** The sentences of one language by id. What it lacks is said in English. */
export type Catalogue = Readonly<Record<string, Sentence>>

/** A sentence in English, its id in the catalogues, and values for its places. The build makes it of `msg`. */
export interface Said {
  id: string
  message: Sentence
  values?: Values
}
type Values = Readonly<Record<string, unknown>>

/** A piece of a sentence that is a value. It is never read as markup, whatever it contains. */
export interface Value {
  value: unknown
}

/** A sentence in order. Numbers are written as the language has them. */
function piecesOf(sentence: Sentence, values: Values, locale: string, count?: number): (string | Value)[] {
  if (typeof sentence === 'string') return [sentence]
  return sentence.flatMap((token): (string | Value)[] => {
    if (token === '#') return [{ value: count?.toLocaleString(locale) ?? token }]
    if (typeof token === 'string') return [token]
    const [name, , cases] = token
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (!cases) return [{ value: typeof value === 'number' ? value.toLocaleString(locale) : isolated(value, locale) }]
    const number = Number(value)
    return piecesOf(cases[number] ?? cases[categoryOf(number, locale)] ?? cases.other ?? '', values, locale, number)
  })
}

/** Letters of Hebrew, Arabic and related scripts, which run from right to left, and marks that change the direction. */
const OTHER_WAY = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/
const RIGHT_TO_LEFT = /^ar\b/

/** A name of the other direction does not move the words around it. */
function isolated(value: unknown, locale: string): unknown {
  if (typeof value !== 'string') return value
  return (RIGHT_TO_LEFT.test(locale) ? /\p{L}/u : OTHER_WAY).test(value) ? `\u2068${value}\u2069` : value
}

const rules = new Map<string, Intl.PluralRules>()

function categoryOf(count: number, locale: string): Intl.LDMLPluralRule {
  const known = rules.get(locale) ?? new Intl.PluralRules(locale)
  rules.set(locale, known)
  return known.select(count)
}

/** A sentence by its id in the language of the catalogue, and its pieces; in English if it is not there. */
export function translate({ id, message, values = {} }: Said, locale: string, catalogue: Catalogue): (string | Value)[] {
  return Object.hasOwn(catalogue, id) ? piecesOf(catalogue[id] ?? '', values, locale) : piecesOf(message, values, 'en')
}

/** The same as one text. */
export function say(said: Said, locale: string, catalogue: Catalogue): string {
  return translate(said, locale, catalogue)
    .map((piece) => (typeof piece === 'string' ? piece : String(piece.value ?? '')))
    .join('')
}
