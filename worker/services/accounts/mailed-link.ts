import { z } from 'zod'
import { shownLanguage } from '#language'
import { digest } from '../../../contract/bytes.ts'
import { newId } from '../../../contract/ids.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { parseSessionKeys, seal, unseal } from '../../auth/sealed.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { claimMail, deleteMailedLink, isNewestLink, storeMailedLink } from '../../queries/mailed-links.ts'

const common = {
  id: z.uuid(),
  /** When it was asked for, in milliseconds since 1970. */
  at: z.number(),
  /** Where the mail goes. */
  address: z.string(),
  /** User-Agent of the browser that asked. */
  agent: z.string().nullable(),
  /** Of the browser that asked. */
  language: z.string().default('en'),
}
/** What was asked for, sealed by the worker into the link beside the sign-in service's own token. */
const Asked = z.discriminatedUnion('kind', [
  /** `account` is the present address of the account, `session` the one that asked. */
  z.strictObject({ kind: z.literal('verification'), ...common, account: z.string(), session: z.uuid() }),
  /** `user` is null if the address has no account. */
  z.strictObject({ kind: z.literal('reset'), ...common, user: z.string().nullable() }),
])
export type Asked = z.infer<typeof Asked>
type LinkContent<T extends Asked> = T extends Asked ? Omit<T, 'id' | 'at' | 'language'> : never

interface Caller {
  env: Env
  db: Db
}

/** For calls that cause mails, or use the links in them. */
export interface MailCaller extends Caller {
  /** For work after the answer. */
  later: (work: Promise<unknown>) => void
}

/**
 * A link in a mail: its sealed part, for the sign-in service, and `store`, which makes it the newest of its kind for the account; with `keepLive`, it does
 * nothing if an earlier link still works.
 */
export async function newMailedLink({ env, db }: Caller, content: LinkContent<Asked>) {
  const link = { ...content, id: newId(), at: Date.now(), language: shownLanguage() }
  const asked = await seal(link, parseSessionKeys(env.SESSION_KEYS))
  return { asked, store: async (how?: { keepLive: boolean }) => storeMailedLink(db, { key: await keyOf(link), id: link.id, ...how }) }
}

/** What a sealed part says, in the hour after it was made, also if the link has been used. Null if the worker did not seal it. */
async function openAsked(env: Env, asked: string): Promise<Asked | null> {
  const opened = await unseal(asked, parseSessionKeys(env.SESSION_KEYS))
  const { data } = Asked.safeParse(opened?.content)
  return data && Date.now() - data.at < LIMITS.mailedLinkMinutes * 60_000 ? data : null
}

/**
 * The same for the mail that an event of the sign-in service asks for. Null also if another event has asked for it: anybody who has had such a
 * mail could make the service ask again and again.
 */
export async function claimAsked({ env, db }: Caller, asked: string, event: string): Promise<Asked | null> {
  const link = await openAsked(env, asked)
  return link && (await claimMail(db, await digest(`sent:${link.id}`), event)) ? link : null
}

/** The `token` of a link: the service's own, and what was asked. Null if it has been used, or is not the newest. */
export async function openMailedLink<K extends Asked['kind']>(
  { env, db }: Caller,
  kind: K,
  token: string,
): Promise<{ own: string; link: Extract<Asked, { kind: K }>; use: () => Promise<void> } | null> {
  const [own = '', asked = ''] = token.split('~', 2)
  const link = await openAsked(env, asked)
  if (link?.kind !== kind) return null
  const key = await keyOf(link)
  if (!(await isNewestLink(db, key, link.id))) return null
  return { own, link: link as Extract<Asked, { kind: K }>, use: () => deleteMailedLink(db, key) }
}

/** Makes the links void that were mailed to this address to choose a new password. */
export async function voidResetLinks(db: Db, address: string): Promise<void> {
  await deleteMailedLink(db, await digest(`reset:${address}`))
}

function keyOf(link: LinkContent<Asked>): Promise<string> {
  return digest(`${link.kind}:${link.kind === 'reset' ? link.address : link.account}`)
}
