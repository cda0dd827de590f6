import { t } from '#say'
import { DateSettings, DateSettingsEdit } from './date-settings.ts'
import { endpoint, Success } from './endpoint.ts'
import { fullName } from './full-name.ts'
import { UserId } from './ids.ts'
import { OFFERED } from './language/languages.ts'
import { LIMITS } from './limits.ts'
import { optionalLine } from './text.ts'
import { FIRST_NAME, LAST_NAME } from './text-words.ts'
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
  /** The language chosen for screens and mails; null for that of the browser. */
  displayLanguage: z.string().nullable(),
  ...DateSettings.shape,
  /** Version of the user's picture; null without one. */
  avatar: z.string().nullable(),
})
export type Profile = z.infer<typeof Profile>

/** May be the whole profile: `id`, `email` and `avatar` are refused if they differ from the user's. */
export const ProfileEdit = z.strictObject({
  id: UserId.optional(),
  email: z.string().optional(),
  avatar: z.string().nullable().optional(),
  firstName: optionalLine(LIMITS.profileName, FIRST_NAME).nullable().optional(),
  lastName: optionalLine(LIMITS.profileName, LAST_NAME).nullable().optional(),
  sharesPresence: z.boolean().optional(),
  displayLanguage: z
    .enum(
      OFFERED.map(({ tag }) => tag),
      { error: () => t`Use one of ${{ languages: OFFERED.map(({ tag }) => tag).join(', ') }}` },
    )
    .nullable()
    .optional(),
  ...DateSettingsEdit,
})
export type ProfileEdit = z.infer<typeof ProfileEdit>

/** Both names in their order, the one that exists, or the e-mail address (docs/decisions/013). */
export function displayName({ email, firstName, lastName }: Pick<Profile, 'email' | 'firstName' | 'lastName'>): string {
  return fullName(firstName, lastName) || email
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
/** The square of the picture to use: its left and top edge, and its side, in pixels of the upright picture. Default: the middle. */
export const AvatarQuery = z.strictObject({
  crop: z
    .string()
    .regex(/^\d{1,5},\d{1,5},[1-9]\d{0,4}$/, { error: () => t`Give crop as x,y,size in pixels, such as 0,120,600` })
    .optional(),
})

export const putAvatar = endpoint({
  method: 'PUT',
  path: '/api/users/avatar',
  summary: 'Set your picture',
  sessionOnly: true,
  requestTypes: ['image/webp', 'image/avif', 'image/jpeg', 'image/png', 'image/gif'],
  query: AvatarQuery,
  response: Success.extend({ profile: Profile }),
})
export const deleteAvatar = endpoint({
  method: 'DELETE',
  path: '/api/users/avatar',
  summary: 'Remove your picture',
  sessionOnly: true,
  response: Success.extend({ profile: Profile }),
})
/** Responds with raw bytes, to the user and to members of their collections. With the version as `?v=`, it may be cached for ever. */
export const getAvatar = endpoint({
  method: 'GET',
  path: '/api/users/{id}/avatar',
  summary: 'The picture of a user',
  responseType: 'image/webp',
  fileOptions: ['v'],
  conditionalHeaders: ['if-none-match'],
  response: z.file(),
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
