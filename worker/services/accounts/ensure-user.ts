import { isFamilyFirst } from '../../../contract/full-name.ts'
import type { Profile } from '../../../contract/users.ts'
import { upsertUser } from '../../queries/users.ts'
import type { MailCaller } from './mailed-link.ts'
import { tellOfAddress } from './tell-of-change.ts'

export interface KnownPerson {
  id: string
  email: string
  emailVerified: boolean
  /** First and last name in one string, from the sign-in service. */
  name: string | null
  /** Of the browser; stored if none is known yet. */
  language?: string | null
  /** Chosen on the device before the account was there. */
  displayLanguage?: string | null
  /** The session that tells the address, which stays when others end. With an `agent`, it begins. */
  session?: { id: string; agent?: string | null }
}

type Names = { firstName?: string | undefined; lastName?: string | undefined }

/**
 * Ensures that the user has a row with the sign-in service's present address, and that pending invitations to it are linked to them. A mail to
 * the confirmed address that it replaces says so. Null if the account was deleted, but this session has not ended yet.
 */
export function ensureUser(caller: MailCaller, person: KnownPerson): Promise<Profile | null> {
  return store(caller, rowOf(person, {}))
}

/** The same at a new sign-in: after a deletion it starts the account again, empty. `forget` are the keys of attempts to sign in. */
export async function ensureUserAtSignIn(
  caller: MailCaller,
  person: KnownPerson,
  { names = {}, forget = [] }: { names?: Names; forget?: string[] } = {},
): Promise<Profile> {
  const profile = await store(caller, rowOf(person, names), { forget })
  if (!profile) throw new Error('The user was not stored')
  return profile
}

async function store(
  { env, db, later }: MailCaller,
  row: ReturnType<typeof rowOf>,
  signIn?: { forget: string[] },
): Promise<Profile | null> {
  const stored = await upsertUser(db, row, signIn)
  if (stored?.before) later(tellOfAddress(env, stored.before, stored.profile))
  return stored?.profile ?? null
}

function rowOf(person: KnownPerson, typed: Names) {
  const names = typed.firstName || typed.lastName ? typed : splitName(person.name ?? '', person.email)
  return {
    ...{ id: person.id, email: person.email, emailVerified: person.emailVerified },
    ...{ language: person.language ?? null, displayLanguage: person.displayLanguage ?? null, session: person.session ?? null },
    ...{ firstName: names.firstName || null, lastName: names.lastName || null },
  }
}

/** The last word is the last name, or the first of two where families come first; a single word is a first name. If the name is the address, there is none. */
export function splitName(name: string, email: string): Names {
  if (name.trim().toLowerCase() === email) return {}
  const words = name.trim().split(/\s+/)
  const [first = '', second] = words
  if (second !== undefined && words.length === 2 && isFamilyFirst(second, first)) return { firstName: second, lastName: first }
  const last = words.length > 1 ? words.pop() : undefined
  return { firstName: words.join(' '), lastName: last }
}
