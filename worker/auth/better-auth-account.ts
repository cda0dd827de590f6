import { t } from '#say'
import { AppError, notFound } from '../http/errors.ts'
import { codeOf, refusal, type ServiceCall, unexpected } from './better-auth-answers.ts'
import type { AccountService, Session } from './provider.ts'
import type { UpstreamAnswer } from './upstream.ts'

/** Account calls of Better Auth. `started` creates the session from a response that begins one, `confirmed` is where the service's own link redirects. */
export function accountService(
  call: ServiceCall,
  started: (answer: UpstreamAnswer) => Promise<Session>,
  confirmed: (asked: string) => string,
): AccountService {
  const done = async (path: string, session: Session, body: object) => {
    const answer = await call(path, { session, body })
    if (answer.status !== 200) throw unexpected(answer)
  }
  return {
    async changePassword(session, currentPassword, newPassword) {
      const answer = await call('/change-password', { session, body: { currentPassword, newPassword, revokeOtherSessions: true } })
      if (answer.status === 200) return started(answer)
      if (['INVALID_PASSWORD', 'CREDENTIAL_ACCOUNT_NOT_FOUND'].includes(codeOf(answer))) return null
      throw refusal(answer, 'newPassword')
    },

    async changeEmail(session, newEmail, asked) {
      const answer = await call('/change-email', { session, body: { newEmail, callbackURL: confirmed(asked) } })
      if (answer.status === 200) return
      // A hosted service may have this call switched off.
      if (codeOf(answer) === 'CHANGE_EMAIL_DISABLED' || answer.status === 404) throw notFound(t`A way to change the address was not found`)
      if (answer.status === 400)
        throw new AppError('invalid', t`This address cannot be used`, { fields: { email: t`Choose another address` } })
      throw unexpected(answer)
    },

    endOtherSessions: (session) => done('/revoke-other-sessions', session, {}),

    async deleteAccount(session) {
      const answer = await call('/delete-user', { session })
      // A hosted service may have this call switched off. Then at least all sessions end.
      if (answer.status === 404) return done('/revoke-sessions', session, {})
      if (answer.status !== 200) throw unexpected(answer)
    },
  }
}
