import { NewPassword, Password, SignedOut } from './auth.ts'
import { endpoint, Success } from './endpoint.ts'
import { Id } from './ids.ts'
import { Email } from './text.ts'
import { z } from './zod.ts'

// Calls for sign-in services that keep passwords. With others, these calls are 404.

export const Confirmation = z.strictObject({ password: Password })
export const PasswordChange = z.strictObject({ currentPassword: Password, newPassword: NewPassword })
export type PasswordChange = z.infer<typeof PasswordChange>
export const EmailChange = z.strictObject({ email: Email })

export const AccountEnd = z.strictObject({
  /** The user's address, typed again, to prevent mistakes. */
  email: Email,
  /** Whether the user's posts, assets, comments and reactions stay in the collections of others. */
  items: z.enum(['leave', 'remove']),
  /** Must have the ids of all collections that the user owns: they are deleted for all members. */
  deleteCollections: z.array(Id).max(10_000),
})
export type AccountEnd = z.infer<typeof AccountEnd>

/** Re-authentication. Calls that need it are refused with 403 and `fields.password` until this call or a new sign-in. */
export const confirmIdentity = endpoint({
  method: 'POST',
  path: '/api/auth/confirm',
  summary: 'Prove once more, by the password, that it is you',
  sessionOnly: true,
  body: Confirmation,
  response: Success,
})
export const changePassword = endpoint({
  method: 'POST',
  path: '/api/auth/change-password',
  summary: 'Change your password, and revoke every other session, access token and calendar link',
  sessionOnly: true,
  body: PasswordChange,
  response: Success,
})
/** The response does not reveal whether the address has an account. */
export const changeEmail = endpoint({
  method: 'POST',
  path: '/api/auth/change-email',
  summary: 'Have a link mailed to a new address, which becomes yours once you confirm it there',
  sessionOnly: true,
  body: EmailChange,
  response: Success,
})
/** 409 if `deleteCollections` does not name all collections that the user owns. */
export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/api/users/profile',
  summary: 'Delete your account',
  sessionOnly: true,
  body: AccountEnd,
  response: SignedOut,
})
