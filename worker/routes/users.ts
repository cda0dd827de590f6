import { Hono } from 'hono'
import { t } from '#say'
import { AccountEnd } from '../../contract/account.ts'
import { putHomeZones } from '../../contract/places.ts'
import { Theme } from '../../contract/themes.ts'
import { AvatarQuery, ProfileEdit } from '../../contract/users.ts'
import { ownOnly } from '../auth/checks.ts'
import { authProvider } from '../auth/choose-provider.ts'
import { endSession, requireReauthentication, signedIn } from '../auth/guard.ts'
import { forgetDevice } from '../auth/known-device.ts'
import { refuseTokens } from '../auth/personal-token.ts'
import { clearCache } from '../auth/shared-device.ts'
import type { AppEnv } from '../context.ts'
import { AppError, accountDeleted, notFound } from '../http/errors.ts'
import { limited } from '../http/limited.ts'
import { body, query, userIdParam } from '../http/validate.ts'
import { findProfile, findUserTheme, updateUserTheme } from '../queries/users.ts'
import { listZones, replaceZones } from '../queries/zones.ts'
import { removeAvatar, serveAvatar, setAvatar } from '../services/accounts/avatar.ts'
import { deleteAccount } from '../services/accounts/delete-account.ts'
import { editProfile } from '../services/accounts/edit-profile.ts'
import { ensureUser } from '../services/accounts/ensure-user.ts'
import { mailCaller } from './sessions.ts'

export const users = new Hono<AppEnv>()
  .get('/profile', signedIn, async (c) => {
    const { user, db } = c.var
    const profile = (await findProfile(db, user.id)) ?? (await ensureUser(mailCaller(c), { ...user, name: null }))
    if (!profile) throw accountDeleted()
    return c.json(profile)
  })

  .put('/profile', refuseTokens, signedIn, ownOnly, body(ProfileEdit), async (c) => {
    const profile = await editProfile(c.var, c.req.valid('json'))
    return c.json({ success: true, profile })
  })

  .delete('/profile', refuseTokens, signedIn, ownOnly, body(AccountEnd), async (c) => {
    const { email, ...end } = c.req.valid('json')
    if (email !== c.var.user.email)
      throw new AppError('invalid', t`Type your own address`, { fields: { email: t`This is not your address` } })
    const { session, user } = await requireReauthentication(c)
    await deleteAccount(c.var.db, user.id, end)
    // The service comes last: if its call fails, the user can only sign in again to an empty account.
    const provider = authProvider(c.env)
    const ended = provider.account ? provider.account.deleteAccount(session) : provider.signOut(session)
    const url = await Promise.resolve(ended).catch((error: unknown) =>
      console.warn(JSON.stringify({ level: 'warn', request: c.var.requestId, error: String(error) })),
    )
    await endSession(c)
    clearCache(c)
    forgetDevice(c)
    return c.json({ success: true, ...(url && { url }) })
  })

  .put('/avatar', refuseTokens, signedIn, ownOnly, query(AvatarQuery), limited('upload'), async (c) => {
    const stores = { db: c.var.db, bucket: c.env.FILES, images: c.env.IMAGES }
    const { crop } = c.req.valid('query')
    return c.json({ success: true, profile: await setAvatar(stores, c.var.user.id, { request: c.req.raw, crop }) })
  })

  .delete('/avatar', refuseTokens, signedIn, ownOnly, async (c) =>
    c.json({ success: true, profile: await removeAvatar({ db: c.var.db, bucket: c.env.FILES }, c.var.user.id) }),
  )

  .get('/:id/avatar', signedIn, async (c) =>
    serveAvatar({ db: c.var.db, bucket: c.env.FILES }, c.var.user.id, { userId: userIdParam(c.req.param('id')), request: c.req.raw }),
  )

  .get('/zones', refuseTokens, signedIn, async (c) => c.json({ success: true, zones: await listZones(c.var.db, c.var.user.id) }))

  .put('/zones', refuseTokens, signedIn, ownOnly, body(putHomeZones.body), async (c) => {
    const { zones } = c.req.valid('json')
    return c.json({ success: true, zones: await replaceZones(c.var.db, c.var.user.id, zones) })
  })

  .get('/theme', signedIn, async (c) => c.json({ success: true, theme: await findUserTheme(c.var.db, c.var.user.id) }))

  .put('/theme', refuseTokens, signedIn, ownOnly, body(Theme), async (c) => {
    const theme = c.req.valid('json')
    if (!(await updateUserTheme(c.var.db, c.var.user.id, theme))) throw notFound(t`Your profile was not found`)
    return c.json({ success: true, theme })
  })
