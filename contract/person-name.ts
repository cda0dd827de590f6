import { t } from '#say'

const GUEST = ' (guest)'

/**
 * A person's name as its reader reads it. What the server says for those who have no name, and after the names of guests, is stored and told to everybody alike, in
 * English (worker/queries/permissions.ts, worker/queries/guests.ts, party/presence.ts).
 */
export function personName(name: string): string {
  if (name.endsWith(GUEST)) return t`${{ name: name.slice(0, -GUEST.length) }} (guest)`
  if (name === 'Former member') return t`Former member`
  if (name === 'A member') return t`A member`
  return name === 'A guest' ? t`A guest` : name
}
