import { type Said, say } from './sentence.ts'

// `t`, `msg` and `plural` as TypeScript and scripts that Node runs as they are see them: in English. Every build replaces them (dev/language/plugin.ts).

type Value = string | number
/** A value, or a value with a name for translators: `${{ collection: collection.name }}`. */
type Place = Value | Readonly<Record<string, Value>>

interface Described {
  message: string
  /** For translators. */
  comment?: string
  /** Tells two uses of the same English words apart. */
  context?: string
}

type Cases = Readonly<{ other: string; one?: string } & Record<`${number}`, string>>

/** A sentence in the language that is shown. In the browser, when it is drawn: at the top of a module it would stay English. */
export function t(described: Described): string
export function t(parts: TemplateStringsArray, ...places: Place[]): string
export function t(parts: TemplateStringsArray | Described, ...places: Place[]): string {
  return inEnglish(parts, places)
}

/** A sentence to be said later, or by the worker in the language of its reader. */
export function msg(described: Described): Said
export function msg(parts: TemplateStringsArray, ...places: Place[]): Said
export function msg(parts: TemplateStringsArray | Described, ...places: Place[]): Said {
  return { id: '', message: inEnglish(parts, places) }
}

/** The words for a count, inside `t` or `msg`: `plural(count, { one: '# photo', other: '# photos' })`. */
export function plural(count: number | Readonly<Record<string, number>>, cases: Cases): string {
  const number = typeof count === 'number' ? count : (Object.values(count)[0] ?? 0)
  return say({ id: '', message: [['count', 'plural', counted(cases)]], values: { count: number } }, 'en', {})
}

/** As the compiler splits them. */
const counted = (cases: Cases) =>
  Object.fromEntries(Object.entries(cases).map(([name, text]) => [name, text.split(/(#)/).filter((part) => part !== '')]))

const textOf = (place: Place) => String(typeof place === 'object' ? Object.values(place)[0] : place)

function inEnglish(parts: TemplateStringsArray | Described, places: readonly Place[]): string {
  return 'message' in parts
    ? parts.message
    : parts.reduce((text, part, nth) => `${text}${nth > 0 ? textOf(places[nth - 1] ?? '') : ''}${part}`, '')
}
