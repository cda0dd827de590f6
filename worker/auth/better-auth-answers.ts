import { z } from 'zod'
import { t } from '#say'
import { type AppError, fieldError } from '../http/errors.ts'
import type { Session } from './provider.ts'
import { signInUnavailable, type UpstreamAnswer, type UpstreamCall } from './upstream.ts'

/** Calls Better Auth at this path. `agent` is the User-Agent of the user's browser. */
export type ServiceCall = (
  path: string,
  options?: Partial<UpstreamCall> & { session?: Session; agent?: string | undefined },
) => Promise<UpstreamAnswer>

const Failure = z.object({ code: z.string().optional() })

/** A session that has only the credential, for calls in its name. */
export function sessionWith(credential: string): Session {
  return { accessToken: '', expiresAt: 0, credential }
}

/** `name=value` of the session cookie, or null. The prefix of its name differs between services. */
export function sessionCookie(setCookies: string[]): string | null {
  const pairs = setCookies.map((line) => line.split(';', 1)[0]?.trim() ?? '')
  return pairs.find((pair) => /^(?:[^=]*[.-])?session_token=./.test(pair)) ?? null
}

export function codeOf(answer: UpstreamAnswer): string {
  return Failure.safeParse(answer.body).data?.code ?? ''
}

export function parse<T>(schema: z.ZodType<T>, answer: UpstreamAnswer): T {
  const { success, data } = schema.safeParse(answer.body)
  if (answer.status !== 200 || !success) throw unexpected(answer)
  return data
}

/** Errors that the user can correct, under the field name of our own call. Any other response is an outage. */
export function refusal(answer: UpstreamAnswer, passwordField: 'password' | 'newPassword' = 'password'): AppError {
  const code = codeOf(answer)
  if (code === 'PASSWORD_TOO_SHORT' || code === 'PASSWORD_TOO_LONG' || code === 'PASSWORD_COMPROMISED') {
    const message =
      code === 'PASSWORD_COMPROMISED' ? t`This password is known from a leak. Choose another` : t`Choose a password of another length`
    return fieldError('invalid', passwordField, message)
  }
  if (code === 'INVALID_EMAIL') return fieldError('invalid', 'email', t`This does not look like an e-mail address`)
  return unexpected(answer)
}

export function unexpected(answer: UpstreamAnswer): AppError {
  return signInUnavailable(new Error(`The sign-in service answered ${answer.status} ${codeOf(answer)}`))
}
