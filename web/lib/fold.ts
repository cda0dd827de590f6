/** Letters that Unicode does not decompose into a letter and an accent, and marks of which keyboards have another one. */
const PLAIN: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i', ς: 'σ' },
  ...{ '‘': "'", '’': "'", ʼ: "'", '′': "'", '“': '"', '”': '"', '‐': '-', '‑': '-', '–': '-', '\u00ad': '' },
}
const UNLIKE = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')
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
    .replace(UNLIKE, (letter) => PLAIN[letter] ?? letter)
}
