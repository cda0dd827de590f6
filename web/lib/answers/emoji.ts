/** What people answer photos with most. */
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

const NAMES = new Map<string, string>(COMMON_EMOJI)

/** For screen readers, which name most emoji themselves. */
export function emojiName(emoji: string): string {
  return NAMES.get(emoji) ?? emoji
}

/** Created at the first use, since older browsers do not know the flag; there the server alone refuses what is no emoji. */
let single: RegExp | null | undefined

/** The emoji that somebody has typed or pasted, as the server takes it; null if it is not exactly one. */
export function emojiIn(text: string): string | null {
  const typed = text.trim()
  if (typed === '' || typed.length > 40) return null
  try {
    single ??= /^\p{RGI_Emoji}$/v
  } catch {
    single = null
  }
  if (single === null) return /^\P{ASCII}+$/u.test(typed) ? typed : null
  // Some keyboards leave out what asks for colours: ❤ is ❤️.
  return [typed, `${typed}\uFE0F`].find((emoji) => single?.test(emoji)) ?? null
}
