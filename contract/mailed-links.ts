import { NewPassword, Password } from './auth.ts'
import { endpoint, Success } from './endpoint.ts'
import { Email } from './text.ts'
import { z } from './zod.ts'

// Apart from auth.ts, which every page loads.

/** Of a link in a mail: the service's own token, and what was asked for, sealed by the worker. */
const LinkToken = z.string().min(1).max(4096)

export const ForgotPassword = z.strictObject({ email: Email })
export const ResetPassword = z.strictObject({ token: LinkToken, newPassword: NewPassword })

export const VerifyEmail = z.strictObject({
  token: LinkToken,
  password: Password.optional(),
})
export type VerifyEmail = z.infer<typeof VerifyEmail>

/** The `token` of a link in a mail, from its query. In mails that the sign-in service wrote itself, the sealed part stands apart, as `asked`. */
export function linkTokenOf(link: URLSearchParams): string {
  return [link.get('token'), link.get('asked')].filter(Boolean).join('~')
}

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/auth/forgot-password',
  public: true,
  summary: 'Ask for a link that resets the password',
  body: ForgotPassword,
  response: Success,
})
export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/auth/reset-password',
  public: true,
  summary: 'Set a new password',
  body: ResetPassword,
  response: Success,
})
export const readVerification = endpoint({
  method: 'GET',
  path: '/api/auth/verify-email',
  public: true,
  summary: 'What the link in a mail would confirm, and whether this browser needs the password for it. Confirms nothing',
  query: z.object({ token: LinkToken }),
  response: Success.extend({
    /** The address to be confirmed. */
    address: z.string(),
    /** The present address of the account. */
    account: z.string(),
    /** The password of the account is needed, because the link was asked for in another session. */
    needsPassword: z.boolean(),
  }),
})
export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/auth/verify-email',
  public: true,
  summary: 'Confirm an e-mail address by the link in a mail: in the session that asked for it, or with the password',
  body: VerifyEmail,
  response: Success,
})
