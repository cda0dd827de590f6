import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { z } from 'zod'
import { t } from '#say'
import { LINK_PARAM } from '../../contract/guest.ts'
import { isId } from '../../contract/ids.ts'
import { guestUserId } from '../../contract/links.ts'
import type { AppEnv } from '../context.ts'
import type { GuestWork } from '../db/client.ts'
import { AppError } from '../http/errors.ts'
import { signedIn } from './guard.ts'
import { openDatabase } from './open-database.ts'
import { hasAuthorization } from './personal-token.ts'
import { parseSessionKeys, seal, unseal } from './sealed.ts'
import { COOKIE_SECONDS } from './session-cookie.ts'

/** The content of a link's cookie. A change of the password ends `access`. `back` is the address of the mail by which the guest came back. */
const SealedGuest = z.strictObject({ link: z.uuid(), guest: z.uuid(), access: z.uuid(), back: z.string().optional() })
type SealedGuest = z.infer<typeof SealedGuest>

/** One cookie for each link, so that two links open side by side. */
function cookieOf(c: Context<AppEnv>, linkId: string) {
  const secure = c.env.APP_ORIGIN.startsWith('https:')
  return { name: `${secure ? '__Host-' : ''}link-${linkId}`, secure }
}

/** The guest of this link by the cookie of the browser, or null. */
export async function openGuest(c: Context<AppEnv>, linkId: string): Promise<SealedGuest | null> {
  const sealed = isId(linkId) && getCookie(c, cookieOf(c, linkId).name)
  if (!sealed) return null
  const guest = SealedGuest.safeParse((await unseal(sealed, parseSessionKeys(c.env.SESSION_KEYS)))?.content).data
  return guest?.link === linkId ? guest : null
}

/** All guests that the browser has been, by its cookies. */
export async function openGuests(c: Context<AppEnv>): Promise<SealedGuest[]> {
  const ids = Object.keys(getCookie(c)).map((name) => name.replace(/^(__Host-)?link-/, ''))
  const guests = await Promise.all(ids.filter(isId).map((id) => openGuest(c, id)))
  return guests.filter((guest) => guest !== null)
}

export async function storeGuest(c: Context<AppEnv>, guest: SealedGuest): Promise<void> {
  const { name, secure } = cookieOf(c, guest.link)
  const sealed = await seal(guest, parseSessionKeys(c.env.SESSION_KEYS))
  setCookie(c, name, sealed, { path: '/', httpOnly: true, sameSite: 'Lax', secure, maxAge: COOKIE_SECONDS })
}

/**
 * As `signedIn`, and for guests of a link: with `?link=` the caller is the guest by that link's cookie, whoever else is signed in. The database of the request
 * then shows what the link shows and nothing else (migrations/0044_links.sql), and takes no writes. For calls with `guests` in the contract.
 */
export const signedInOrGuest = orGuest({ writes: false })

/** The same for comments and reactions, which guests write where their link lets them (migrations/0045_guests_answer.sql). */
export const signedInOrAnswering = orGuest({ guest: 'answer' })

/** For uploads, where the link lets guests add. They reach no collection (migrations/0048_contributions.sql). */
export const signedInOrUploading = orGuest({ guest: 'upload' })

/** For what guests do to the files that they have added, as their authors. */
export const signedInOrOwning = orGuest({ guest: 'own' })

function orGuest(mode: { writes: false } | { guest: GuestWork }) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const linkId = c.req.query(LINK_PARAM)
    if (linkId === undefined) return signedIn(c, next)
    const guest = hasAuthorization(c) ? null : await openGuest(c, linkId)
    if (!guest) throw new AppError('unauthenticated', t`Open the link again`)
    c.set('user', { id: guestUserId(guest.guest), email: '', emailVerified: false })
    c.set('access', guest.access)
    c.set('link', guest.link)
    c.set('db', openDatabase(c, { access: guest.access, ...mode }))
    await next()
  })
}
