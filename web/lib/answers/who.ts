import { listText } from '#language'
import { plural, t } from '#say'
import { personName } from '../../../contract/person-name.ts'
import type { Reaction } from '../../../contract/reactions.ts'

interface Author {
  name: string
  original_author?: string | undefined
}

/** The name under which a comment is shown: of an imported one, that of who wrote it. */
export const authorName = ({ name, original_author }: Author) => original_author ?? personName(name)

/** Who imported it, unless they wrote it themselves; else null. */
export const importerName = ({ name, original_author }: Author) =>
  original_author === undefined || original_author === name ? null : personName(name)

/** Who chose a reaction: `You, Bob, Ada (imported) and 3 others`. */
export function whoText({ who, count, mine }: Pick<Reaction, 'who' | 'count' | 'mine'>, me: string): string {
  const others = who
    .filter(({ id, original_author }) => id !== me || original_author !== undefined)
    .map((person) => (importerName(person) === null ? personName(person.name) : t`${authorName(person)} (imported)`))
  const names = [...(mine ? [t`You`] : []), ...others].slice(0, MAX_NAMES)
  const rest = count - names.length
  return listText(rest > 0 ? [...names, t`${plural(rest, { one: '# other', other: '# others' })}`] : names)
}
const MAX_NAMES = 10
