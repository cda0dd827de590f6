import { type Context, Hono } from 'hono'
import { t } from '#say'
import { Confirmation, EmailChange, PasswordChange } from '../../contract/account.ts'
import { ownOnly } from '../auth/checks.ts'
import { authProvider } from '../auth/choose-provider.ts'
import { requireReauthentication, requireSession, type StoredSession, signedIn, storeAuthenticatedSession } from '../auth/guard.ts'
import { rememberDevice } from '../auth/known-device.ts'
import { refuseTokens } from '../auth/personal-token.ts'
import type { AccountService, Session } from '../auth/provider.ts'
import type { AppEnv } from '../context.ts'
import { AppError, fieldError } from '../http/errors.ts'
import { body } from '../http/validate.ts'
import { revokeAllAccess } from '../queries/access.ts'
import { forgetAttempts } from '../queries/rate-limits.ts'
import { refuseGuessable } from '../services/accounts/guessable-password.ts'
import { limitAttempts } from '../services/accounts/limit-attempts.ts'
import { voidResetLinks } from '../services/accounts/mailed-link.ts'
import { tellOfPassword } from '../services/accounts/tell-of-change.ts'
import { agentOf, limit, verificationAsked } from './sessions.ts'

/** Calls for accounts whose password the sign-in service keeps. */
export const account = new Hono<AppEnv>()
  .use(refuseTokens)

  .post('/confirm', signedIn, ownOnly, body(Confirmation), async (c) => {
    accountService(c)
    const { session, user } = await requireSession(c)
    const attempts = await limitConfirmation(c, session)
    const proven = await signInAgain(c, user.email, { field: 'password', password: c.req.valid('json').password })
    c.executionCtx.waitUntil(forgetAttempts(c.var.db, attempts))
    await replaceSession(c, session, proven)
    await rememberDevice(c, user.email)
    return c.json({ success: true })
  })

  .post('/change-password', signedIn, ownOnly, body(PasswordChange), async (c) => {
    const service = accountService(c)
    const { session, user } = await requireSession(c)
    const { currentPassword, newPassword } = c.req.valid('json')
    await refuseGuessable(newPassword, { email: user.email, field: 'newPassword' })
    const attempts = await limitConfirmation(c, session)
    const proven = await signInAgain(c, user.email, { field: 'currentPassword', password: currentPassword })
    await replaceSession(c, session, proven)
    // First, so that if this fails the password is still the old one, and the call can be repeated.
    await revokeAllAccess(c.var.db, user.id, session.id)
    const next = await service.changePassword(proven, currentPassword, newPassword)
    if (!next) throw wrongPassword('currentPassword')
    c.executionCtx.waitUntil(tellOfPassword(c.env, user.id, agentOf(c) ?? null))
    await storeAuthenticatedSession(c, { ...next, id: session.id })
    c.executionCtx.waitUntil(forgetAttempts(c.var.db, attempts))
    // Again, for whoever has signed in with the old password meanwhile.
    await revokeAllAccess(c.var.db, user.id, session.id)
    await voidResetLinks(c.var.db, user.email)
    await rememberDevice(c, user.email)
    return c.json({ success: true })
  })

  .post('/change-email', signedIn, ownOnly, body(EmailChange), async (c) => {
    const service = accountService(c)
    const { session, user } = await requireReauthentication(c)
    const { email } = c.req.valid('json')
    if (email === user.email) throw fieldError('invalid', 'email', t`This is your address already`)
    await limit(c, ['newAddress'], { email, user: user.id })
    await service.changeEmail(session, email, await verificationAsked(c, { address: email, account: user.email, session: session.id }))
    return c.json({ success: true })
  })

/** By session, so that strangers cannot use up the attempts of the owner, and a stolen cookie has few. Returns the keys to forget after success. */
function limitConfirmation(c: Context<AppEnv>, { id }: StoredSession): Promise<string[]> {
  return limitAttempts(c.var.db, { actions: ['confirm'], session: id, factor: c.env.RATE_LIMIT_FACTOR })
}

function accountService(c: Context<AppEnv>): AccountService {
  const { account } = authProvider(c.env)
  if (!account) throw new AppError('not_found', t`Your account is looked after at your sign-in service`)
  return account
}

/** The session that the service begins for the password in this field. Throws if it is wrong. */
async function signInAgain(c: Context<AppEnv>, email: string, { field, password }: { field: string; password: string }): Promise<Session> {
  const session = await authProvider(c.env).signIn(email, password, agentOf(c))
  if (!session || session === 'unconfirmed') throw wrongPassword(field)
  return session
}

/** Another session of the service takes the place of this browser's, which ends there. */
async function replaceSession(c: Context<AppEnv>, old: StoredSession, next: Session): Promise<void> {
  await storeAuthenticatedSession(c, { ...next, id: old.id })
  c.executionCtx.waitUntil(
    authProvider(c.env)
      .signOut(old)
      .catch(() => undefined),
  )
}

function wrongPassword(field: string): AppError {
  return fieldError('invalid', field, t`The password is wrong`)
}
