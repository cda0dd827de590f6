import { atom } from 'jotai'
import { t } from '#say'
import { deleteAvatar, type ProfileEdit, putAvatar, putProfile } from '../../contract/users.ts'
import { named } from '../lib/action-error.ts'
import { call } from '../lib/api.ts'
import type { Crop } from '../lib/photos/crop.ts'
import { setProfileAtom } from './profile.ts'

export const updateProfileAtom = atom(null, async (_get, set, edit: ProfileEdit) => {
  const { profile } = await named(t`Failed to update profile`, call(putProfile, { body: edit }), true)
  set(setProfileAtom, profile)
})

/** Uses the given square of a picture, in its pixels. */
export const setAvatarAtom = atom(null, async (_get, set, picture: Blob, { x, y, size }: Crop) => {
  // Rounded down, the square stays inside the picture.
  const query = { crop: [x, y, size].map(Math.floor).join(',') }
  const { profile } = await named(t`Failed to save the picture`, call(putAvatar, { body: picture, query }))
  set(setProfileAtom, profile)
})

export const removeAvatarAtom = atom(null, async (_get, set) => {
  const { profile } = await named(t`Failed to remove the picture`, call(deleteAvatar))
  set(setProfileAtom, profile)
})
