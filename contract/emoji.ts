import { msg } from '#say'
import type { Said } from './language/sentence.ts'

/** The reactions that are offered first, with their names. */
export const COMMON_EMOJI: readonly [emoji: string, name: Said][] = [
  ['❤️', msg({ message: 'Heart', context: 'emoji' })],
  ['👍', msg({ message: 'Thumbs up', context: 'emoji' })],
  ['😂', msg({ message: 'Tears of joy', context: 'emoji' })],
  ['😍', msg({ message: 'Heart eyes', context: 'emoji' })],
  ['🥰', msg({ message: 'Smiling with hearts', context: 'emoji' })],
  ['😮', msg({ message: 'Surprised', context: 'emoji' })],
  ['😢', msg({ message: 'Crying', context: 'emoji' })],
  ['🎉', msg({ message: 'Party popper', context: 'emoji' })],
  ['👏', msg({ message: 'Clapping', context: 'emoji' })],
  ['🙏', msg({ message: 'Folded hands', context: 'emoji' })],
  ['🔥', msg({ message: 'Fire', context: 'emoji' })],
  ['🤩', msg({ message: 'Star-struck', context: 'emoji' })],
  ['😋', msg({ message: 'Yummy', context: 'emoji' })],
  ['🤔', msg({ message: 'Thinking', context: 'emoji' })],
  ['🌞', msg({ message: 'Sun', context: 'emoji' })],
  ['🏔️', msg({ message: 'Mountain', context: 'emoji' })],
]

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
