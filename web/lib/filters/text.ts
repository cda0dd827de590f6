import type { Asset } from '../../../contract/assets.ts'
import type { Post } from '../../../contract/posts.ts'
import { isPost } from '../content/is-post.ts'
import { derivedOf } from '../content/order.ts'
import { fold } from '../fold.ts'

/** Longer than any real search, and short enough for a URL. */
export const SEARCH_LIMIT = 500

/** Folded words of a search, each once, the longest first: it is the one that most items lack. */
export function wordsOf(search: string): string[] {
  const words = fold(search.slice(0, SEARCH_LIMIT)).split(/\s+/).filter(Boolean)
  return [...new Set(words)].sort((a, b) => b.length - a.length)
}

const WORD = /[\p{L}\p{N}]/u
/** Scripts without spaces between words. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
const isDigit = (code: number) => code >= 48 && code <= 57

/**
 * Index of a folded word in folded text, at the beginning of a word or number, or anywhere in scripts without spaces. -1 if there is none.
 */
export function findWord(text: string, word: string, from = 0): number {
  const first = word.charCodeAt(0)
  if (first < 128 ? !isWordCode(first) : !WORD.test(word.charAt(0)) || DENSE.test(word.charAt(0))) return text.indexOf(word, from)
  const digit = isDigit(first)
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.charCodeAt(at - 1)
    if (at === 0 || isDigit(before) !== digit || !isWordCode(before)) return at
  }
  return -1
}

function isWordCode(code: number): boolean {
  if (code < 128) return isDigit(code) || (code >= 97 && code <= 122)
  return WORD.test(String.fromCharCode(code))
}

/** Searchable text of an item, folded once. Names of people are separate, since they may change. */
export function searchTextOf(item: Post | Asset): string {
  const derived = derivedOf(item)
  if (derived.text === null) {
    const parts = isPost(item) ? [item.title, plainText(item.body)] : [item.name, item.alt]
    derived.text = fold([...parts, item.location?.name].filter(Boolean).join('\n'))
  }
  return derived.text
}

/** Folded names of people by id. */
export type Names = ReadonlyMap<string, string>

/** Whether every word begins a word of the item, of one of its parts, or of a name of their people. `words` come from wordsOf. */
export function textMatches(item: Post | Asset, words: readonly string[], names: Names, parts: readonly Asset[] = []): boolean {
  return words.every((word) => wordMatches(item, word, names) || parts.some((part) => wordMatches(part, word, names)))
}

function wordMatches(item: Post | Asset, word: string, names: Names): boolean {
  return findWord(searchTextOf(item), word) >= 0 || item.people.some((id) => findWord(names.get(id) ?? '', word) >= 0)
}

const BREAKS = /<\/?(?:p|br|div|h[1-6]|ul|ol|li|blockquote)\b[^<>]*>/g
const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': ' ', '&amp;': '&' }

export function plainText(html: string): string {
  return html
    .replace(BREAKS, ' ')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (entity) => ENTITIES[entity] ?? entity)
}
