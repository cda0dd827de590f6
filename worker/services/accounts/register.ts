import type { AuthProvider, NewAccount, Session } from '../../auth/provider.ts'

/**
 * Creates an account. Null means that the caller must check their inbox. `mailed` is called for a mail that may have been sent,
 * or is to be sent: a service that requires confirmed addresses answers alike for known ones, and mails nothing.
 *
 * Only its owner learns whether an address has an account. With the correct password, registering again is a sign-in, so that it works
 * after a lost response. With another password the result is null, and the owner gets a mail with a link for a new password. A service that
 * requires confirmed addresses returns null for new ones, too. A service without confirmation returns a session, which reveals that the
 * address was unknown; but such a probe creates an account, sends a mail to that address, and counts as one of few attempts.
 */
export async function register(
  provider: AuthProvider,
  { agent, asked, ...account }: NewAccount & { agent?: string | undefined; asked: string },
  mailed: { confirmation: () => Promise<void>; reset: () => void },
): Promise<Session | null> {
  const result = await provider.signUp(account, asked, agent)
  if (result !== 'exists') await mailed.confirmation()
  if (result === 'verify') return null
  if (result !== 'exists') return result
  const session = await provider.signIn(account.email, account.password, agent)
  if (session && session !== 'unconfirmed') return session
  mailed.reset()
  return null
}
