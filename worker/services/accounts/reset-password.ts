import { authProvider } from '../../auth/choose-provider.ts'
import { AppError } from '../../http/errors.ts'
import { revokeAllAccess } from '../../queries/access.ts'
import { findUserId } from '../../queries/users.ts'
import { refuseGuessable } from './guessable-password.ts'
import { limitAttempts } from './limit-attempts.ts'
import { type MailCaller, newMailedLink, openMailedLink } from './mailed-link.ts'
import { tellOfPassword } from './tell-of-change.ts'

/** Requests a mail with a link to set a new password, which makes older links void. The link says whose password it is, because the service does not when it is used. */
export async function requestReset(caller: MailCaller, email: string, agent: string | null): Promise<void> {
  const user = await findUserId(caller.db, email)
  const { asked, store } = await newMailedLink(caller, { kind: 'reset', address: email, agent, user })
  await store()
  await authProvider(caller.env).requestReset(email, asked)
}

/** The same for somebody who registers with an address that has an account. Sends nothing above the limit, and does not say so. */
export async function requestResetQuietly(caller: MailCaller, email: string, agent: string | null): Promise<void> {
  try {
    await limitAttempts(caller.db, { actions: ['reset'], email, factor: caller.env.RATE_LIMIT_FACTOR })
    await requestReset(caller, email, agent)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

/**
 * Sets the password, revokes every access of the user, and mails them that it was set. `agent` is the User-Agent of the browser. Returns the address of the
 * account; null if the link has been used, has expired, or is not the newest.
 */
export async function resetPassword(
  caller: MailCaller,
  { token, newPassword, agent }: { token: string; newPassword: string; agent: string | null },
): Promise<string | null> {
  const opened = await openMailedLink(caller, 'reset', token)
  if (!opened) return null
  await refuseGuessable(newPassword, { email: opened.link.address, field: 'newPassword' })
  const { user, address } = opened.link
  // First, so that if this fails the link still works.
  if (user !== null) await revokeAllAccess(caller.db, user)
  if (!(await authProvider(caller.env).resetPassword(opened.own, newPassword))) return null
  if (user !== null) {
    caller.later(tellOfPassword(caller.env, user, agent))
    // Again, for whoever has signed in with the old password meanwhile.
    await revokeAllAccess(caller.db, user)
  }
  await opened.use()
  return address
}
