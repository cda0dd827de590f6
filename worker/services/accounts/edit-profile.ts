import { t } from '#say'
import { foldEmail } from '../../../contract/text.ts'
import type { Profile, ProfileEdit } from '../../../contract/users.ts'
import type { AppEnv } from '../../context.ts'
import { fieldError, notFound } from '../../http/errors.ts'
import { findProfile, updateProfile } from '../../queries/users.ts'

type Caller = Pick<AppEnv['Variables'], 'db' | 'user'>

/** Changes the given fields. Throws `invalid` for an id, address or picture that differs from the user's own: these cannot be changed here. */
export async function editProfile({ db, user }: Caller, { id, email, avatar, ...edit }: ProfileEdit): Promise<Profile> {
  if (id !== undefined && id !== user.id) throw fieldError('invalid', 'id', t`Your id cannot be changed`)
  const present = email === undefined && avatar === undefined ? null : await findProfile(db, user.id)
  if (email !== undefined && present && foldEmail(email) !== foldEmail(present.email)) {
    throw fieldError('invalid', 'email', t`Your e-mail address is changed in the sign-in settings, because it has to be confirmed`)
  }
  if (avatar !== undefined && present && avatar !== present.avatar) {
    throw fieldError('invalid', 'avatar', t`Your picture is changed by uploading another`)
  }
  const profile = await updateProfile(db, user.id, edit)
  if (!profile) throw notFound(t`Your profile was not found`)
  return profile
}
