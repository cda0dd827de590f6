import { DateSettings, DateSettingsEdit } from './date-settings.ts'
import { endpoint, Success } from './endpoint.ts'
import { UserId } from './ids.ts'
import { LIMITS } from './limits.ts'
import { optionalLine } from './text.ts'
import { Theme } from './themes.ts'
import { z } from './zod.ts'

/** Profile of the signed-in user. */
export const Profile = z.object({
  id: UserId,
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  /** Other members see when this user is in a collection, and what they view. */
  sharesPresence: z.boolean(),
  ...DateSettings.shape,
})
export type Profile = z.infer<typeof Profile>

export const ProfileEdit = z.strictObject({
  firstName: optionalLine(LIMITS.profileName, 'The first name').nullable().optional(),
  lastName: optionalLine(LIMITS.profileName, 'The last name').nullable().optional(),
  sharesPresence: z.boolean().optional(),
  ...DateSettingsEdit,
})
export type ProfileEdit = z.infer<typeof ProfileEdit>

/** 'firstName lastName', the one that exists, or the e-mail address (docs/decisions/013). */
export function displayName({ email, firstName, lastName }: Pick<Profile, 'email' | 'firstName' | 'lastName'>): string {
  return [firstName, lastName].filter(Boolean).join(' ') || email
}

export const getProfile = endpoint({ method: 'GET', path: '/api/users/profile', summary: 'Your profile', response: Profile })
export const putProfile = endpoint({
  method: 'PUT',
  path: '/api/users/profile',
  summary: 'Change your profile',
  sessionOnly: true,
  body: ProfileEdit,
  response: Success.extend({ profile: Profile }),
})
export const getUserTheme = endpoint({
  method: 'GET',
  path: '/api/users/theme',
  summary: 'Your theme',
  response: Success.extend({ theme: Theme.nullable() }),
})
export const putUserTheme = endpoint({
  method: 'PUT',
  path: '/api/users/theme',
  summary: 'Change your theme',
  sessionOnly: true,
  body: Theme,
  response: Success.extend({ theme: Theme }),
})
