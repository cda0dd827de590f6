import { say } from '#language'
import { msg, t } from '#say'

const NAMELESS = [msg`Former member`, msg`A member`, msg`A guest`, msg`Someone`]
const GUEST = ' (guest)'

/**
 * A person's name as its reader reads it. What the server says for those who have no name, and after the names of guests, is stored and told to everybody alike, in
 * English (worker/queries/permissions.ts, worker/queries/guests.ts, party/presence.ts).
 */
export function personName(name: string): string {
  if (name.endsWith(GUEST)) return t`${{ name: personName(name.slice(0, -GUEST.length)) }} (guest)`
  const nameless = NAMELESS.find(({ message }) => message === name)
  return nameless ? say(nameless) : name
}
