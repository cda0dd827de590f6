import type { Locator, Page } from 'playwright-core'
import type { Sentence } from '../../../contract/language/sentence.ts'
import { translationsOf } from '../../../dev/language/catalogues.ts'

type Name = string | RegExp
/** Text, and the names of its values. */
type Piece = string | { value: string }
type Pair = { english: Piece[]; others: Piece[][] }

/** A pattern is tried on each sentence with one of these in place of its values. */
const SAMPLES = ['1', 'Beach']
/** Titles on the stage that patterns name. */
const TITLES = ['A weekend', 'Granny', 'waves', 'storm', 'plan']
const NAMING = new Set<PropertyKey>(['getByRole', 'getByText', 'getByLabel', 'getByPlaceholder', 'filter'])
const TEXTS = new Set(['name', 'hasText'])

/** The page, in which steps that name things in English find them in another language. Names that Cairn does not say, such as titles, stay as they are. */
export async function inLanguage(page: Page, language: string): Promise<Page> {
  const [english, other] = await Promise.all(['en', language].map((tag) => translationsOf(tag, () => true)))
  const pairs = Object.entries(english ?? {}).flatMap(([id, sentence]): Pair[] => {
    const others = variants(other?.[id] ?? sentence)
    return variants(sentence).map((variant) => ({ english: variant, others }))
  })
  /** The names among what a locator was asked for, but for the role. */
  const inTheirs = (key: PropertyKey, given: readonly unknown[]) => {
    const { exact = false } = (given[1] ?? {}) as { exact?: boolean }
    const named = (part: unknown) => (typeof part === 'string' || part instanceof RegExp ? translated(part, exact, pairs) : part)
    return given.map((part, at) => {
      if (key === 'getByRole' && at === 0) return part
      if (typeof part !== 'object' || part === null || part instanceof RegExp) return named(part)
      return Object.fromEntries(Object.entries(part).map(([option, value]) => [option, TEXTS.has(option) ? named(value) : value]))
    })
  }
  const spoken = <T extends object>(there: T): T =>
    new Proxy(there, {
      get(target, key) {
        const own = Reflect.get(target, key, target)
        if (typeof own !== 'function') return own
        return (...given: unknown[]) => {
          const found = own.apply(target, NAMING.has(key) ? inTheirs(key, given) : given)
          return isLocator(found) ? spoken(found) : found
        }
      },
    })
  return spoken(page)
}

const isLocator = (found: unknown): found is Locator => typeof found === 'object' && found !== null && 'waitFor' in found && 'or' in found

/** All that a sentence may be by the cases of its plurals. */
function variants(sentence: Sentence): Piece[][] {
  if (typeof sentence === 'string') return [[sentence.replace(/<\/?\d+\/?>/g, '')]]
  let made: Piece[][] = [[]]
  for (const token of sentence) {
    const next: Piece[][] =
      typeof token === 'string'
        ? [[token === '#' ? { value: '#' } : token.replace(/<\/?\d+\/?>/g, '')]]
        : token.length === 1
          ? [[{ value: token[0] }]]
          : [...new Set(Object.values(token[2]))].flatMap((text) => variants(text ?? ''))
    made = made.flatMap((before) => next.map((after) => [...before, ...after])).slice(0, 30)
  }
  return made
}

interface Fit {
  others: Piece[][]
  /** How much of the name the sentence says, if values say the rest. */
  words: number
  values?: Map<string, string>
}

/** The name as the sentences say it that say the most of it. */
function translated(name: Name, exact: boolean, pairs: Pair[]): Name {
  const fits = pairs.flatMap((pair): Fit[] => (typeof name === 'string' ? fitsName(name, exact, pair) : fitsPattern(name, pair)))
  const most = Math.max(...fits.map(({ words }) => words))
  const start = exact || (name instanceof RegExp && name.source.startsWith('^')) ? '^' : ''
  const patterns = fits
    .filter(({ words }) => words === most)
    .flatMap(({ others, values }) => others.map((other) => patternOf(other, values)))
    .filter((pattern) => pattern !== '')
  return patterns.length > 0
    ? new RegExp([...new Set(patterns)].map((pattern) => `${start}${pattern}${exact ? '$' : ''}`).join('|'), 'i')
    : name
}

function fitsName(name: string, exact: boolean, { english, others }: Pair): Fit[] {
  const words = filled(english, '')
  if (exact ? words === name : words.toLowerCase().includes(name.toLowerCase())) return [{ others, words: Number.POSITIVE_INFINITY }]
  const keys = english.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.value]))
  const match = words.length > 4 && new RegExp(`^${patternOf(english)}$`).exec(name)
  return match ? [{ others, words: words.length, values: new Map(keys.map((key, at) => [key, match[at + 1] ?? ''])) }] : []
}

function fitsPattern(name: RegExp, { english, others }: Pair): Fit[] {
  if (SAMPLES.some((value) => name.test(filled(english, value)))) return [{ others, words: 0 }]
  const title = TITLES.find((value) => name.test(filled(english, value)))
  if (!title || filled(english, '').length < 5) return []
  const keys = english.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.value]))
  return [{ others, words: 0, values: new Map(keys.length > 1 ? [] : keys.map((key) => [key, `${title}…`])) }]
}

const filled = (pieces: Piece[], value: string) => pieces.map((piece) => (typeof piece === 'string' ? piece : value)).join('')

/** Names of the other direction are in invisible marks, and each language has quotation marks of its own. */
const patternOf = (pieces: Piece[], values?: Map<string, string>) =>
  pieces
    .map((piece) => {
      if (typeof piece === 'string') return escaped(piece)
      const value = values?.get(piece.value)
      return value === undefined || /^\d/.test(value)
        ? '(.+)'
        : `\\u2068?${escaped(value).replace(/[“”]/g, '.+').replace(/…$/, '.*')}\\u2069?`
    })
    .join('')

/** A space of any kind, and none or some before a colon, where an element may begin. */
const escaped = (text: string) =>
  text
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replace(/\s/g, '\\s')
    .replace(/(?:\\s)?:/g, '\\s*:')
