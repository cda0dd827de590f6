import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { digest } from '../../contract/bytes.ts'
import type { AppEnv } from '../context.ts'
import { COOKIE_SECONDS } from './session-cookie.ts'

/** The cookie with a digest of the account whose pictures may be in the browser's cache. */
const nameOf = (c: Context<AppEnv>) => (c.env.APP_ORIGIN.startsWith('https:') ? '__Host-cache-of' : 'cache-of')
const attributesOf = (name: string) => ({ path: '/', secure: name.startsWith('__Host-') })

/**
 * Clears the browser's cache when another account uses it, however the last session ended. Pictures are cached for ever by their URL alone, so
 * the next account could read them. They stay if the same person signs in again. `userId` is null if no user is signed in.
 */
export async function separateCaches(c: Context<AppEnv>, userId: string | null): Promise<void> {
  const name = nameOf(c)
  const before = getCookie(c, name)
  const now = userId === null ? undefined : (await digest(userId)).slice(0, 32)
  if (before === now) return
  if (before !== undefined) c.header('clear-site-data', '"cache"')
  if (now === undefined) deleteCookie(c, name, attributesOf(name))
  else setCookie(c, name, now, { ...attributesOf(name), maxAge: COOKIE_SECONDS, httpOnly: true, sameSite: 'Lax' })
}

/** Clears the cache at sign-out and when an account is deleted. Unsent changes and uploads stay on the device for their owner. */
export function clearCache(c: Context<AppEnv>): void {
  c.header('clear-site-data', '"cache"')
  deleteCookie(c, nameOf(c), attributesOf(nameOf(c)))
}
