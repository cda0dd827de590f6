const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** First letter of up to the first two words, without what is in brackets, such as “(guest)”. */
export function initials(alt: string): string {
  const plain = alt.replace(/\p{Cf}(?!\p{Extended_Pictographic})/gu, '')
  const words = plain
    .trim()
    .split(/\s+/)
    .filter((word) => !/^\p{P}/u.test(word))
    .slice(0, 2)
  return words
    .map((word) => [...letters.segment(word)][0]?.segment ?? '')
    .join('')
    .toUpperCase()
}

const HUES = ['orange', 'green', 'sky', 'violet', 'rose', 'teal', 'amber', 'indigo', 'pink', 'lime'] as const

/** Always the same colour for the same name. */
export function hueOf(name: string): (typeof HUES)[number] {
  let sum = 0
  for (const char of name) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) >>> 0
  return HUES[sum % HUES.length] ?? 'orange'
}
