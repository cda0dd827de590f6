import { NewPassword } from './auth.ts'
import { endpoint, Success } from './endpoint.ts'
import { Id } from './ids.ts'
import { LIMITS } from './limits.ts'
import { Email } from './text.ts'
import { z } from './zod.ts'

// Where an account is what the sign-in service keeps a password of. Elsewhere these calls are 404.

const Password = z.string().min(1, 'Enter your password').max(LIMITS.passwordMax)

export const Confirmation = z.strictObject({ password: Password })
export const PasswordChange = z.strictObject({ currentPassword: Password, newPassword: NewPassword })
export type PasswordChange = z.infer<typeof PasswordChange>
export const EmailChange = z.strictObject({ email: Email })

/** A browser in which somebody is signed in. `used_at` is exact to a day. */
export const Device = z.object({
  id: z.string(),
  /** What the browser calls itself. */
  agent: z.string().nullable(),
  created_at: z.string(),
  used_at: z.string(),
  /** The one that asks. */
  current: z.boolean(),
})
export type Device = z.infer<typeof Device>

/** What becomes of an account's things when it ends. */
export const AccountEnd = z.strictObject({
  /** Typed once more, so that nobody does it by mistake. */
  email: Email,
  /** Posts and photos in collections of others stay there, or go. */
  items: z.enum(['leave', 'remove']),
  /** Own collections, every one of which must be named: they are deleted for everybody in them. */
  deleteCollections: z.array(Id).max(10_000),
})
export type AccountEnd = z.infer<typeof AccountEnd>

/** What needs a recent proof is refused with 403 and `fields.password` until this, or a new sign-in, gave it. */
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
  summary: 'Change your password and sign out all other devices',
  sessionOnly: true,
  body: PasswordChange,
  response: Success,
})
/** Always the same answer, whether the address has an account or not. */
export const changeEmail = endpoint({
  method: 'POST',
  path: '/api/auth/change-email',
  summary: 'Have a link mailed to a new address, which becomes yours when it is opened',
  sessionOnly: true,
  body: EmailChange,
  response: Success,
})
export const listDevices = endpoint({
  method: 'GET',
  path: '/api/auth/devices',
  summary: 'Where you are signed in',
  sessionOnly: true,
  response: Success.extend({ devices: z.array(Device) }),
})
export const endDevice = endpoint({
  method: 'DELETE',
  path: '/api/auth/devices/{id}',
  summary: 'Sign out another device',
  sessionOnly: true,
  response: Success,
})
export const endOtherDevices = endpoint({
  method: 'DELETE',
  path: '/api/auth/devices',
  summary: 'Sign out all other devices',
  sessionOnly: true,
  response: Success,
})
/** Refused with 409 where an own collection is not named. */
export const deleteAccount = endpoint({
  method: 'DELETE',
  path: '/api/users/profile',
  summary: 'Delete your account',
  sessionOnly: true,
  body: AccountEnd,
  response: Success,
})
