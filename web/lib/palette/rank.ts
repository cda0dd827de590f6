import { findWord } from '../filters/text.ts'
import { fold } from '../fold.ts'

export interface Rankable {
  id: string
  label: string
  /** Other words for it. */
  more?: string
}

/** How well a name matches the query; higher is better, 0 is no match. */
export const FIT = { exact: 6, start: 5, words: 4, otherWords: 3, inside: 2, letters: 1, none: 0 } as const

/** A few plain tiers, so that users learn the order of the results. */
export function fitOf(query: string, label: string, more = ''): number {
  const [wanted, name] = [normalised(query), normalised(label)]
  if (wanted === '' || name === wanted) return FIT.exact
  if (name.startsWith(wanted)) return FIT.start
  const words = wanted.split(' ')
  if (words.every((word) => findWord(name, word) >= 0)) return FIT.words
  const all = `${name} ${fold(more)}`
  if (words.every((word) => findWord(all, word) >= 0)) return FIT.otherWords
  if (wanted.length > 1 && name.includes(wanted)) return FIT.inside
  return wanted.length > 1 && lettersOf(name, wanted.replaceAll(' ', '')) ? FIT.letters : FIT.none
}

const normalised = (text: string) => fold(text).trim().replace(/\s+/g, ' ')

/**
 * Whether the letters come in this order, each at the beginning of a word or right after the previous one: `nc` or `necol` for `New
 * collection`.
 */
function lettersOf(name: string, letters: string): boolean {
  const words = name.split(/[^\p{L}\p{N}]+/u)
  const rest = (left: string, from: number): boolean => {
    if (left === '') return true
    return words.some((word, index) => {
      if (index < from) return false
      let same = 0
      while (same < left.length && word[same] === left[same]) same++
      // A shorter prefix of this word may leave the right letters for the next word.
      for (let taken = same; taken > 0; taken--) if (rest(left.slice(taken), index + 1)) return true
      return false
    })
  }
  // Limits the search: a name may be 200 letters long.
  return letters.length <= 20 && words.length <= 12 && rest(letters, 0)
}

export interface Ranked<T> {
  item: T
  fit: number
}

/** Matching items, best first; among equals the most recently used first, then in the given order. `recent` are ids, the latest first. */
export function rank<T extends Rankable>(query: string, items: readonly T[], recent: readonly string[] = []): Ranked<T>[] {
  const used = (id: string) => (recent.includes(id) ? recent.indexOf(id) : recent.length)
  return items
    .map((item) => ({ item, fit: fitOf(query, item.label, item.more) }))
    .filter(({ fit }) => fit > FIT.none)
    .sort((a, b) => b.fit - a.fit || used(a.item.id) - used(b.item.id))
}
