import { z } from 'zod'
import { digest } from '../../../contract/bytes.ts'
import { newId } from '../../../contract/ids.ts'
import { parseSessionKeys, seal, unseal } from '../../auth/sealed.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { deleteMailedLink, isNewestLink, storeMailedLink } from '../../queries/mailed-links.ts'

const common = {
  id: z.uuid(),
  /** Where the mail goes. */
  address: z.string(),
  /** User-Agent of the browser that asked. */
  agent: z.string().nullable(),
}
/** What was asked for, sealed by the worker into the link beside the sign-in service's own token. */
const Asked = z.discriminatedUnion('kind', [
  /** `account` is the present address of the account, `session` the one that asked. */
  z.strictObject({ kind: z.literal('verification'), ...common, account: z.string(), session: z.uuid() }),
  /** `user` is null if the address has no account. */
  z.strictObject({ kind: z.literal('reset'), ...common, user: z.string().nullable() }),
])
export type Asked = z.infer<typeof Asked>
type Unsealed<T extends Asked> = T extends Asked ? Omit<T, 'id'> : never

interface Caller {
  env: Env
  db: Db
}

/** A link in a mail: its sealed part, for the sign-in service, and `store`, which makes it the newest of its kind for the account. */
export async function newMailedLink({ env, db }: Caller, content: Unsealed<Asked>): Promise<{ asked: string; store: () => Promise<void> }> {
  const link = { ...content, id: newId() }
  const asked = await seal(link, parseSessionKeys(env.SESSION_KEYS))
  return { asked, store: async () => storeMailedLink(db, await keyOf(link), link.id) }
}

/** What a sealed part says, also of a link that has been used. Null if the worker did not seal it. */
export async function openAsked(env: Env, asked: string): Promise<Asked | null> {
  const opened = await unseal(asked, parseSessionKeys(env.SESSION_KEYS))
  return Asked.safeParse(opened?.content).data ?? null
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
  return { own, link: link as Extract<Asked, { kind: K }>, use: () => deleteMailedLink(db, key, link.id) }
}

function keyOf(link: Unsealed<Asked>): Promise<string> {
  return digest(`${link.kind}:${link.kind === 'reset' ? link.address : link.account}`)
}
