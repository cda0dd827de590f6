import { numberText } from '#language'
import { countText } from '../media-text.ts'

/** Kinds in a cluster, as bits. */
export const KIND_BITS = { photo: 1, video: 2, audio: 4, file: 4, post: 8 } as const

const NOUNS: Readonly<Record<number, 'photo' | 'video' | 'file' | 'post'>> = { 1: 'photo', 2: 'video', 4: 'file', 8: 'post' }

/** `14 photos`, or `14 items` for a mixture. */
export function countWords(count: number, kinds: number): string {
  return countText(count, NOUNS[kinds] ?? 'item')
}

/** `1.2k`: at most four characters, for a badge. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count)
  return `${count < 9950 ? numberText(Number((count / 1000).toFixed(1))) : Math.round(count / 1000)}k`
}
