import { joined } from '#language'
import { plural, t } from '#say'
import type { Reaction } from '../../../contract/reactions.ts'

/** `1 comment`, `12 comments`. */
export function commentsText(count: number): string {
  return t`${plural(count, { one: '# comment', other: '# comments' })}`
}

/** What people said about an item, for the name of its tile; null if nothing. */
export function answersText(
  answers: { comments: number; reactions: readonly Pick<Reaction, 'count'>[] } | null | undefined,
): string | null {
  if (!answers) return null
  const reactions = reactionCount(answers.reactions)
  const parts = [
    answers.comments > 0 && commentsText(answers.comments),
    reactions > 0 && t`${plural(reactions, { one: '# reaction', other: '# reactions' })}`,
  ]
  return joined(parts) || null
}

export function reactionCount(reactions: readonly Pick<Reaction, 'count'>[]): number {
  return reactions.reduce((sum, { count }) => sum + count, 0)
}
