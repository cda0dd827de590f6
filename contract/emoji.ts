/** The reactions that are offered first, with their names. */
export const COMMON_EMOJI = [
  ['❤️', 'Heart'],
  ['👍', 'Thumbs up'],
  ['😂', 'Tears of joy'],
  ['😍', 'Heart eyes'],
  ['🥰', 'Smiling with hearts'],
  ['😮', 'Surprised'],
  ['😢', 'Crying'],
  ['🎉', 'Party popper'],
  ['👏', 'Clapping'],
  ['🙏', 'Folded hands'],
  ['🔥', 'Fire'],
  ['🤩', 'Star-struck'],
  ['😋', 'Yummy'],
  ['🤔', 'Thinking'],
  ['🌞', 'Sun'],
  ['🏔️', 'Mountain'],
] as const

/** UTF-16 units of the longest emoji, with room for later ones. */
const MAX_LENGTH = 40

/** Created at the first use, since older browsers do not know the flag. It reads every character once. */
let single: RegExp | null | undefined

function singleEmoji(): RegExp | null {
  if (single !== undefined) return single
  try {
    // biome-ignore lint/complexity/useRegexLiterals: a literal with an unknown flag breaks the whole file
    single = new RegExp('^\\p{RGI_Emoji}$', 'v')
  } catch {
    single = null
  }
  return single
}

/** Whether it is exactly one emoji as Unicode recommends it for general interchange; null where an older browser cannot tell. */
export function isEmoji(text: string): boolean | null {
  return text.length > MAX_LENGTH ? false : (singleEmoji()?.test(text) ?? null)
}
