/** Kinds in a cluster, as bits. */
export const KIND_BITS = { photo: 1, video: 2, audio: 4, file: 4, post: 8 } as const

const NOUNS: Record<number, [one: string, many: string]> = {
  1: ['photo', 'photos'],
  2: ['video', 'videos'],
  4: ['file', 'files'],
  8: ['post', 'posts'],
}

/** `14 photos`, or `14 items` for a mixture. */
export function countWords(count: number, kinds: number): string {
  const [one, many] = NOUNS[kinds] ?? ['item', 'items']
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** `1.2k`: at most four characters, for a badge. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count)
  return count < 9950 ? `${(count / 1000).toFixed(1).replace('.0', '')}k` : `${Math.round(count / 1000)}k`
}
