import type { Reaction } from '../../../contract/reactions.ts'

interface Author {
  name: string
  original_author?: string | undefined
}

/** The name under which a comment is shown: of an imported one, that of who wrote it. */
export const authorName = ({ name, original_author }: Author) => original_author ?? name

/** Who imported it, unless they wrote it themselves; else null. */
export const importerName = ({ name, original_author }: Author) => (original_author === undefined || original_author === name ? null : name)

/** Who chose a reaction: `You, Bob, Ada (imported) and 3 others`. */
export function whoText({ who, count, mine }: Pick<Reaction, 'who' | 'count' | 'mine'>, me: string): string {
  const others = who
    .filter(({ id, original_author }) => id !== me || original_author !== undefined)
    .map((person) => (importerName(person) === null ? person.name : `${authorName(person)} (imported)`))
  const names = [...(mine ? ['You'] : []), ...others].slice(0, MAX_NAMES)
  const rest = count - names.length
  if (rest > 0) return `${names.join(', ')} and ${rest === 1 ? '1 other' : `${rest.toLocaleString('en')} others`}`
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '')
}
const MAX_NAMES = 10
