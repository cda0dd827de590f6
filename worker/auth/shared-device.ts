import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { digest } from '../../contract/bytes.ts'
import type { AppEnv } from '../context.ts'

const MAX_AGE = 400 * 24 * 60 * 60

/** Names the account, as a digest, whose pictures the browser's cache may hold. */
const nameOf = (c: Context<AppEnv>) => (c.env.APP_ORIGIN.startsWith('https:') ? '__Host-cache-of' : 'cache-of')
const attributesOf = (name: string) => ({ path: '/', secure: name.startsWith('__Host-') })

/**
 * Empties the browser's cache when the account that uses it has changed, however its session ended: pictures are cached for ever, by their address
 * alone, so the next account of this device could read them. Signing in again as the same person keeps them. Null stands for nobody.
 */
export async function separateCaches(c: Context<AppEnv>, userId: string | null): Promise<void> {
  const name = nameOf(c)
  const before = getCookie(c, name)
  const now = userId === null ? undefined : (await digest(userId)).slice(0, 32)
  if (before === now) return
  if (before !== undefined) c.header('clear-site-data', '"cache"')
  if (now === undefined) deleteCookie(c, name, attributesOf(name))
  else setCookie(c, name, now, { ...attributesOf(name), maxAge: MAX_AGE, httpOnly: true, sameSite: 'Lax' })
}

/** For signing out and the end of an account: empties the cache at once. What waits on the device for its owner stays. */
export function clearCache(c: Context<AppEnv>): void {
  c.header('clear-site-data', '"cache"')
  deleteCookie(c, nameOf(c), attributesOf(nameOf(c)))
}
