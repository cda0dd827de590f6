import { z } from 'zod'
import type { Env } from '../env.ts'
import { parseSessionKeys, seal, unseal } from './sealed.ts'

// What the addresses in weekly mails contain, sealed. Each kind opens one thing and nothing else: a session or a guest's cookie has other fields.

/** Ends one weekly mail. Expires only with its key, and opening it again does nothing. */
const End = z.strictObject({ endsWeekly: z.uuid() })
/** A guest comes back by it, as by their cookie. `access` ends with a change of the password. `to` is the address of the mail. */
const Back = z.strictObject({ back: z.strictObject({ link: z.uuid(), guest: z.uuid(), access: z.uuid(), to: z.string().optional() }) })
/** Sent to the address that a guest gave. `until` in milliseconds. */
const Confirm = z.strictObject({
  confirms: z.strictObject({ guest: z.uuid(), access: z.uuid(), email: z.string(), zone: z.string().nullable(), until: z.number() }),
})
const KINDS = { end: End, back: Back, confirm: Confirm }
type Kind = keyof typeof KINDS
type Content<K extends Kind> = z.infer<(typeof KINDS)[K]>

type Keys = Pick<Env, 'SESSION_KEYS'>

export function sealMailToken<K extends Kind>({ SESSION_KEYS }: Keys, _kind: K, content: Content<K>): Promise<string> {
  return seal(content, parseSessionKeys(SESSION_KEYS))
}

/** Null for a token that is forged, of another kind, or sealed with a key that was removed. */
export async function openMailToken<K extends Kind>({ SESSION_KEYS }: Keys, kind: K, token: string): Promise<Content<K> | null> {
  const found = KINDS[kind].safeParse((await unseal(token, parseSessionKeys(SESSION_KEYS)))?.content)
  // The schema is that of the kind.
  return found.success ? (found.data as Content<K>) : null
}
