import { isEmoji } from '../../../contract/emoji.ts'

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

/** The emoji that somebody has typed or pasted, as the server takes it; null if it is not exactly one. */
export function emojiIn(text: string): string | null {
  const typed = text.trim()
  // In older browsers the server alone refuses what is no emoji.
  if (isEmoji(typed) === null) return /^\P{ASCII}+$/u.test(typed) ? typed : null
  // Some keyboards leave out what asks for colours: ❤ is ❤️.
  return [typed, `${typed}\uFE0F`].find(isEmoji) ?? null
}
