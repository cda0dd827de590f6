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
