import { decodeJwt } from 'jose'
import { z } from 'zod'
import { verifyAccessToken } from './access-token.ts'
import { accountService } from './better-auth-account.ts'
import { codeOf, parse, refusal, type ServiceCall, sessionCookie, sessionWith, unexpected } from './better-auth-answers.ts'
import type { AuthProvider, NewAccount, Session } from './provider.ts'
import { callUpstream, signInUnavailable, type UpstreamAnswer } from './upstream.ts'

export interface BetterAuthSettings {
  /** Base URL of the service's calls, path included. */
  url: string
  issuer: string
  audience: string
  /** Sent as Origin, because the service trusts only the app's origin. */
  appOrigin: string
}

const Token = z.object({ token: z.string().min(1) })

/** Neon Auth (a hosted Better Auth), or the embedded Better Auth on a developer's machine. */
export function betterAuth(settings: BetterAuthSettings): AuthProvider {
  const base = settings.url.replace(/(?<!\/)\/+$/, '')
  const call: ServiceCall = (path, options = {}) => {
    const { session, agent, method = 'POST', ...rest } = options
    const headers: Record<string, string> = { origin: settings.appOrigin, accept: 'application/json' }
    if (method === 'POST') headers['content-type'] = 'application/json'
    if (session) headers.cookie = session.credential
    if (agent) headers['user-agent'] = agent
    return callUpstream(base + path, { method, headers, ...(method === 'POST' && { body: {} }), ...rest })
  }

  /** Where a link leads that the service confirms itself, because it wrote the mail. In our own mails it leads to /verify-email. */
  const confirmed = (asked: string) => `${settings.appOrigin}/collections?${new URLSearchParams({ verified: '1', asked })}`

  /** The credential is the service's session cookie. It does not change, so concurrent refreshes cannot lose it. */
  async function sessionOf(credential: string): Promise<Session | null> {
    const answer = await call('/token', { method: 'GET', idempotent: true, session: sessionWith(credential) })
    if (answer.status === 401 || answer.status === 403) return null
    const { token } = parse(Token, answer)
    return { accessToken: token, expiresAt: expiryOf(token), credential }
  }

  async function started(answer: UpstreamAnswer): Promise<Session> {
    const credential = sessionCookie(answer.setCookies)
    const session = credential && (await sessionOf(credential))
    if (!session) throw unexpected(answer)
    return session
  }

  return {
    features: { password: true, social: [], reset: true },

    async signUp(account: NewAccount, asked, agent) {
      const answer = await call('/sign-up/email', { body: { ...account, callbackURL: confirmed(asked) }, agent })
      if (answer.status === 200) return sessionCookie(answer.setCookies) ? started(answer) : 'verify'
      const code = codeOf(answer)
      if (code.startsWith('USER_ALREADY_EXISTS')) return 'exists'
      // Of two concurrent sign-ups with one address, the second violates the unique index.
      if (code === 'FAILED_TO_CREATE_USER') return 'exists'
      throw refusal(answer)
    },

    async signIn(email, password, agent) {
      const answer = await call('/sign-in/email', { body: { email, password }, agent })
      if (answer.status === 200) return started(answer)
      // The service sends this code only after a correct password.
      if (codeOf(answer) === 'EMAIL_NOT_VERIFIED') return 'unconfirmed'
      if (answer.status === 400 || answer.status === 401) return null
      throw refusal(answer)
    },

    refresh: (session) => sessionOf(session.credential),

    async signOut(session) {
      await call('/sign-out', { session, idempotent: true })
      return undefined
    },

    verify: ({ accessToken }) =>
      verifyAccessToken(accessToken, {
        jwksUrl: `${base}/.well-known/jwks.json`,
        issuer: settings.issuer,
        audience: settings.audience,
      }),

    async requestReset(email, asked) {
      const redirectTo = `${settings.appOrigin}/reset-password?${new URLSearchParams({ asked })}`
      const answer = await call('/request-password-reset', { body: { email, redirectTo } })
      if (answer.status !== 200) throw unexpected(answer)
    },

    async resetPassword(token, newPassword) {
      const answer = await call('/reset-password', { body: { token, newPassword } })
      if (answer.status === 200) return true
      if (['INVALID_TOKEN', 'TOKEN_EXPIRED', 'USER_NOT_FOUND'].includes(codeOf(answer))) return false
      throw refusal(answer, 'newPassword')
    },

    async sendVerification(session, email, asked) {
      const body = { email, callbackURL: confirmed(asked) }
      const answer = await call('/send-verification-email', { ...(session && { session }), body })
      if (answer.status !== 200 && codeOf(answer) !== 'EMAIL_ALREADY_VERIFIED') throw refusal(answer)
    },

    async verifyEmail(token) {
      const answer = await call(`/verify-email?${new URLSearchParams({ token })}`, { method: 'GET' })
      // After a change of address the service begins a session, which is not used.
      const begun = sessionCookie(answer.setCookies)
      if (begun) await call('/sign-out', { session: sessionWith(begun) })
      if (answer.status === 200) return true
      if (answer.status === 400 || answer.status === 401) return false
      throw unexpected(answer)
    },

    account: accountService(call, started, confirmed),
  }
}

function expiryOf(token: string): number {
  try {
    return (decodeJwt(token).exp ?? 0) * 1000
  } catch (error) {
    throw signInUnavailable(error)
  }
}
