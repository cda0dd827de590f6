import { z } from 'zod'
import { authProvider } from '../../auth/choose-provider.ts'
import { parseSessionKeys, seal, unseal } from '../../auth/sealed.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { revokeAllAccess } from '../../queries/access.ts'
import { findUserId } from '../../queries/users.ts'

interface Caller {
  env: Env
  db: Db
}

/** `resets` is the user's id, or null if the address has no account. */
const Account = z.strictObject({ resets: z.string().nullable() })

/** Requests a mail with a link to set a new password. The link contains the sealed user id, because the service does not return it when the link is used. */
export async function requestReset({ env, db }: Caller, email: string): Promise<void> {
  const account: z.infer<typeof Account> = { resets: await findUserId(db, email) }
  await authProvider(env).requestReset(email, await seal(account, parseSessionKeys(env.SESSION_KEYS)))
}

/** Sets the password and revokes every access of the user. False if the link has been used or has expired. */
export async function resetPassword({ env, db }: Caller, token: string, newPassword: string): Promise<boolean> {
  const [own = '', sealed] = token.split('~', 2)
  const opened = sealed === undefined ? null : await unseal(sealed, parseSessionKeys(env.SESSION_KEYS))
  if (!(await authProvider(env).resetPassword(own, newPassword))) return false
  const userId = Account.safeParse(opened?.content).data?.resets
  if (userId) await revokeAllAccess(db, userId)
  return true
}
