import { Hono } from 'hono'
import { t } from '#say'
import { safeReturnPath } from '../../contract/return-path.ts'
import { authProvider } from '../auth/choose-provider.ts'
import { currentSession } from '../auth/guard.ts'
import { rememberAttempt, takeAttempt } from '../auth/sign-in-attempt.ts'
import type { AppEnv } from '../context.ts'
import { notFound, onError } from '../http/errors.ts'
import { addressIsTaken } from '../queries/users.ts'
import { beginSession, limit } from './sessions.ts'

/** The app redirects signed-in users from here. */
const HOME = '/'

/** Sign-in on the service's own pages. Browsers navigate to these calls, so they always redirect, even after a failure. */
export const social = new Hono<AppEnv>()
  .get('/social/:provider', async (c) => {
    const provider = authProvider(c.env)
    const way = c.req.param('provider')
    if (!provider.begin || !provider.features.social.includes(way)) throw notFound(t`This way to sign in was not found`)
    await limit(c, ['signIn'])
    const { url, state, memory } = await provider.begin(way)
    await rememberAttempt(c, { state, memory, returnTo: safePath(c.req.query('returnTo'), c.env.APP_ORIGIN) })
    return c.redirect(url)
  })

  .get('/callback', async (c) => {
    const provider = authProvider(c.env)
    if (!provider.finish) throw notFound(t`This way to sign in was not found`)
    const attempt = await takeAttempt(c, c.req.query('state') ?? '')
    // For example, if the browser opens the same URL a second time.
    if (!attempt) return c.redirect((await currentSession(c)) ? HOME : failed('expired'))
    await limit(c, ['signIn'])
    const session = await provider.finish(new URL(c.req.url).searchParams, attempt.memory)
    if (typeof session === 'string') return c.redirect(failed(session))
    // Some services do not verify addresses. An unconfirmed one must not take an address from another account.
    const { claims } = session
    if (claims && !claims.emailVerified && (await addressIsTaken(c.var.db, claims))) return c.redirect(failed('taken'))
    await beginSession(c, session)
    return c.redirect(safePath(attempt.returnTo, c.env.APP_ORIGIN))
  })

  .onError(async (error, c) => {
    const answer = await onError(error, c)
    return answer.status < 429 ? answer : c.redirect(failed(answer.status === 429 ? 'often' : 'unavailable'))
  })

/** Checked when it is stored and again when it is used. */
function safePath(path: string | undefined, appOrigin: string): string {
  const { origin } = new URL(appOrigin)
  const safe = path === undefined ? null : safeReturnPath(path, origin)
  if (safe === null) return HOME
  const { pathname, search, hash } = new URL(safe, origin)
  return pathname + search + hash
}

/** The sign-in page shows a message for the reason. */
function failed(why: 'cancelled' | 'refused' | 'expired' | 'taken' | 'often' | 'unavailable'): string {
  return `/login?${new URLSearchParams({ failed: why })}`
}
