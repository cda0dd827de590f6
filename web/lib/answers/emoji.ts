import { say } from '#language'
import { COMMON_EMOJI, isEmoji } from '../../../contract/emoji.ts'

const NAMES = new Map(COMMON_EMOJI)

/** For screen readers, which name most emoji themselves. */
export function emojiName(emoji: string): string {
  const name = NAMES.get(emoji)
  return name ? say(name) : emoji
}

/** The emoji that somebody has typed or pasted, as the server takes it; null if it is not exactly one. */
export function emojiIn(text: string): string | null {
  const typed = text.trim()
  // In older browsers the server alone refuses what is no emoji.
  if (isEmoji(typed) === null) return /^\P{ASCII}+$/u.test(typed) ? typed : null
  // Some keyboards leave out what asks for colours: ❤ is ❤️.
  return [typed, `${typed}\uFE0F`].find(isEmoji) ?? null
}
