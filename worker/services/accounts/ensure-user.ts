import type { Profile } from '../../../contract/users.ts'
import type { Db } from '../../db/client.ts'
import { upsertUser } from '../../queries/users.ts'

export interface KnownPerson {
  id: string
  email: string
  /** As the sign-in service has it: one string. */
  name: string | null
}

type Names = { firstName?: string | undefined; lastName?: string | undefined }

/**
 * Makes sure that the person has a row, under the address that the sign-in service knows now, and that pending
 * invitations to this address are theirs. Null where the account was deleted, while this session of it lasts.
 */
export function ensureUser(db: Db, person: KnownPerson): Promise<Profile | null> {
  return upsertUser(db, rowOf(person, {}))
}

/** The same when a session begins: who deleted their account and comes again begins anew. */
export async function ensureUserAtSignIn(db: Db, person: KnownPerson, names: Names = {}): Promise<Profile> {
  const profile = await upsertUser(db, rowOf(person, names), true)
  if (!profile) throw new Error('The user was not stored')
  return profile
}

function rowOf(person: KnownPerson, typed: Names) {
  const names = typed.firstName || typed.lastName ? typed : splitName(person.name ?? '', person.email)
  return { id: person.id, email: person.email, firstName: names.firstName || null, lastName: names.lastName || null }
}

/** The last word is the family name; a single word is a first name. An account without a name has its address instead. */
export function splitName(name: string, email: string): Names {
  if (name.trim().toLowerCase() === email) return {}
  const words = name.trim().split(/\s+/)
  const last = words.length > 1 ? words.pop() : undefined
  return { firstName: words.join(' '), lastName: last }
}
