import { LIMITS } from '../../../contract/limits.ts'

/** An @ that begins a word, and up to two words of a name after it. */
const MENTION = /(?:^|[\s(["'“‘«„])@((?:\p{L}[\p{L}\p{M}\p{N}.'’-]*(?: [\p{L}\p{M}\p{N}.'’-]*)?)?)$/u

/** What of a name has been typed behind an @ at the end of `before`; null where there is none, as within an e-mail address. */
export function mentionIn(before: string): string | null {
  const typed = MENTION.exec(before)?.[1]
  return typed === undefined || typed.length > LIMITS.personName ? null : typed
}
