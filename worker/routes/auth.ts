import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { say } from '#language'
import { msg, t } from '#say'
import { SignIn, SignUp } from '../../contract/auth.ts'
import { spacedName } from '../../contract/full-name.ts'
import { GUARD } from '../../contract/guard.ts'
import { newId } from '../../contract/ids.ts'
import { ForgotPassword, ResetPassword } from '../../contract/mailed-links.ts'
import { anyone } from '../auth/checks.ts'
import { authProvider } from '../auth/choose-provider.ts'
import { currentSession, endSession, renewedSession, required } from '../auth/guard.ts'
import { rememberDevice } from '../auth/known-device.ts'
import { refuseTokens } from '../auth/personal-token.ts'
import { clearCache } from '../auth/shared-device.ts'
import type { AppEnv } from '../context.ts'
import { AppError, fieldError } from '../http/errors.ts'
import { body } from '../http/validate.ts'
import { checkAccess } from '../queries/access.ts'
import { refuseGuessable } from '../services/accounts/guessable-password.ts'
import { newMailedLink } from '../services/accounts/mailed-link.ts'
import { register } from '../services/accounts/register.ts'
import { requestReset, requestResetQuietly, resetPassword } from '../services/accounts/reset-password.ts'
import { agentOf, answerSession, beginHere, limit, limitSignIn, mailCaller, moment, signedOutPage, verificationAsked } from './sessions.ts'

/** The message for a link in a mail that no longer works. */
export const LINK_VOID = msg`This link has expired, been used, or been replaced by a newer one. Ask for a new one`

/** For calls about passwords and the links that the sign-in service mails. Some services look after these on pages of their own. */
export const withPasswords = createMiddleware<AppEnv>(async (c, next) => {
  if (!authProvider(c.env).features.password)
    throw new AppError('not_found', t`There are no passwords here. Sign in with your sign-in service`)
  await next()
})

export const auth = new Hono<AppEnv>()
  .use(refuseTokens)
  .get('/config', (c) => c.json({ success: true, features: authProvider(c.env).features, guard: GUARD }))

  .post('/sign-up', withPasswords, anyone, body(SignUp), async (c) => {
    const { email, password, firstName, lastName } = c.req.valid('json')
    await refuseGuessable(password, { email, field: 'password' })
    // Registering with a known address checks its password, so it counts as an attempt to sign in, too.
    const attempts = await limitSignIn(c, email, ['signUp'])
    const name = spacedName(firstName, lastName) || email
    const [id, agent] = [newId(), agentOf(c)]
    const link = await newMailedLink(mailCaller(c), {
      kind: 'verification',
      address: email,
      account: email,
      session: id,
      agent: agent ?? null,
    })
    const session = await register(
      authProvider(c.env),
      { email, password, name, agent, asked: link.asked },
      {
        confirmation: () => link.store({ keepLive: true }),
        reset: () => c.executionCtx.waitUntil(requestResetQuietly(mailCaller(c), email, agent ?? null)),
      },
    )
    if (!session) return c.json({ success: true, verify: true }, 201)
    return c.json({ success: true, user: await beginHere(c, session, { id, firstName, lastName, attempts }) }, 201)
  })

  .post('/sign-in', withPasswords, anyone, body(SignIn), async (c) => {
    const { email, password } = c.req.valid('json')
    const attempts = await limitSignIn(c, email)
    const session = await authProvider(c.env).signIn(email, password, agentOf(c))
    if (!session) throw new AppError('unauthenticated', t`E-mail or password is wrong`)
    if (session === 'unconfirmed') {
      await limit(c, ['verification'], { email })
      // There is no session, so confirming takes the password.
      const asked = await verificationAsked(c, { address: email, account: email, session: newId() })
      await authProvider(c.env).sendVerification(null, email, asked)
      throw new AppError('forbidden', t`Confirm your e-mail address first. We sent a link to ${email}`)
    }
    return c.json({ success: true, user: await beginHere(c, session, { attempts }) })
  })

  .post('/sign-out', anyone, async (c) => {
    const session = await endSession(c)
    clearCache(c)
    if (!session) return c.json({ success: true })
    return c.json({ success: true, ...(await signedOutPage(c, authProvider(c.env).signOut(session))) })
  })

  .get('/session', async (c) => {
    const { session, profile } = await answerSession(c, await currentSession(c))
    return c.json({ success: true, ...session, profile })
  })

  .post('/refresh', anyone, async (c) => {
    const { session } = required(await renewedSession(c))
    await checkAccess(c.var.db)
    return c.json({ success: true, expiresAt: moment(session) })
  })

  .post('/forgot-password', withPasswords, anyone, body(ForgotPassword), async (c) => {
    const { email } = c.req.valid('json')
    await limit(c, ['reset'], { email })
    await requestReset(mailCaller(c), email, agentOf(c) ?? null)
    return c.json({ success: true })
  })

  .post('/reset-password', withPasswords, anyone, body(ResetPassword), async (c) => {
    const { token, newPassword } = c.req.valid('json')
    await limit(c, ['openLink'])
    const address = await resetPassword(mailCaller(c), { token, newPassword, agent: agentOf(c) ?? null })
    if (address === null) throw fieldError('invalid', 'token', say(LINK_VOID))
    await rememberDevice(c, address)
    return c.json({ success: true })
  })
