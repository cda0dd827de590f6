import { z } from 'zod'
import { authProvider } from '../../auth/choose-provider.ts'
import { parseSessionKeys, seal, unseal } from '../../auth/sealed.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { deleteTokensOf } from '../../queries/tokens.ts'
import { findUserId } from '../../queries/users.ts'

interface Caller {
  env: Env
  db: Db
}

/** Null for an address that nobody has here. */
const Account = z.strictObject({ resets: z.string().nullable() })

/** Has a link mailed that sets a new password. It says whose account it is, because the service does not when the link is used. */
export async function requestReset({ env, db }: Caller, email: string): Promise<void> {
  const account: z.infer<typeof Account> = { resets: await findUserId(db, email) }
  await authProvider(env).requestReset(email, await seal(account, parseSessionKeys(env.SESSION_KEYS)))
}

/** Sets the password and revokes the person's access tokens. False where the link is used up or too old. */
export async function resetPassword({ env, db }: Caller, token: string, newPassword: string): Promise<boolean> {
  const [own = '', sealed] = token.split('~', 2)
  const opened = sealed === undefined ? null : await unseal(sealed, parseSessionKeys(env.SESSION_KEYS))
  if (!(await authProvider(env).resetPassword(own, newPassword))) return false
  const userId = Account.safeParse(opened?.content).data?.resets
  if (userId) await deleteTokensOf(db, userId)
  return true
}
