import { LIMITS } from '../../../contract/limits.ts'

/** An @ at the beginning of a word, and up to two words of a name after it. */
const MENTION = /(?:^|[\s(["'“‘«„])@((?:\p{L}[\p{L}\p{M}\p{N}.'’-]*(?: [\p{L}\p{M}\p{N}.'’-]*)?)?)$/u

/** The part of a name typed after an @ at the end of `before`; null if there is none, as within an email address. */
export function mentionIn(before: string): string | null {
  const typed = MENTION.exec(before)?.[1]
  return typed === undefined || typed.length > LIMITS.personName ? null : typed
}
