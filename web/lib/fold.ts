/** Letters that Unicode does not decompose into a letter and an accent. */
const LIGATURES: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' }
/** In other scripts, such as Devanagari and Thai, and in Japanese kana, marks make another letter. */
const ACCENTS = /(?=\p{M})(?![\u3099\u309a])[\p{Script=Inherited}\p{Script=Hebrew}]/gu
const ASCII = /^[\x00-\x7f]*$/

/** Removes case and accents: `Žofín` and `ZOFIN` are the same. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (ASCII.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(/[ßæœøđðłþı]/g, (letter) => LIGATURES[letter] ?? letter)
}
