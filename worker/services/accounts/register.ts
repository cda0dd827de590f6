import type { AuthProvider, NewAccount, Session } from '../../auth/provider.ts'
import { AppError } from '../../http/errors.ts'

/**
 * Makes an account. Null: a mail says how it goes on, and nothing more can be told.
 *
 * Whether an address already has an account is told to its owner only. With the right password it is a sign-in, so that
 * registering again after a lost answer works; with another one the caller reads "look into your mail" and the mail, a link
 * for a new password, goes to the owner. A service that wants addresses confirmed first gives new addresses that same
 * answer. One that signs in at once gives them a session, which no wording could hide: there a probe of an unknown
 * address costs the prober an account, a mail to that address and one of few tries.
 */
export async function register(
  provider: AuthProvider,
  { agent, ...account }: NewAccount & { agent?: string | undefined },
  mailReset: () => void,
): Promise<Session | null> {
  const result = await provider.signUp(account, agent)
  if (result === 'verify') return null
  if (result !== 'exists') return result
  const session = await provider.signIn(account.email, account.password, agent).catch(ifUnconfirmed)
  if (!session) mailReset()
  return session
}

function ifUnconfirmed(error: unknown): null {
  if (error instanceof AppError && error.code === 'forbidden') return null
  throw error
}
