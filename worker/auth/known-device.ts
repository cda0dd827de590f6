import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { z } from 'zod'
import { newId } from '../../contract/ids.ts'
import type { AppEnv } from '../context.ts'
import { parseSessionKeys, seal, unseal } from './sealed.ts'
import { COOKIE_SECONDS } from './session-cookie.ts'

/** Accounts that one device is known for. */
const MAX_ACCOUNTS = 10

const Device = z.strictObject({ device: z.uuid(), accounts: z.array(z.string()) })
type Device = z.infer<typeof Device>

/** Of the sealed cookie, which says for which accounts the device is known. It outlives their sessions, and grants no access. */
const cookieName = (c: Context<AppEnv>) => (c.env.APP_ORIGIN.startsWith('https:') ? '__Secure-device' : 'device')

const attributesOf = (c: Context<AppEnv>) => ({ path: '/api/auth', secure: cookieName(c).startsWith('__Secure-') })

async function deviceOf(c: Context<AppEnv>): Promise<Device | null> {
  const sealed = getCookie(c, cookieName(c))
  const opened = sealed === undefined ? null : await unseal(sealed, parseSessionKeys(c.env.SESSION_KEYS))
  return Device.safeParse(opened?.content).data ?? null
}

/**
 * The id of this device, if it is known for the account with this e-mail address. Its attempts are then counted apart from those of strangers, who
 * could lock the owner out otherwise.
 */
export async function knownDevice(c: Context<AppEnv>, email: string): Promise<string | undefined> {
  const known = await deviceOf(c)
  return known?.accounts.includes(email) ? known.device : undefined
}

/** Remembers that somebody on this device has proved that the account with this e-mail address is theirs: by its password, or by a link mailed to it. */
export async function rememberDevice(c: Context<AppEnv>, email: string): Promise<void> {
  const known = await deviceOf(c)
  const accounts = [email, ...(known?.accounts ?? []).filter((other) => other !== email)].slice(0, MAX_ACCOUNTS)
  const sealed = await seal({ device: known?.device ?? newId(), accounts } satisfies Device, parseSessionKeys(c.env.SESSION_KEYS))
  setCookie(c, cookieName(c), sealed, { ...attributesOf(c), maxAge: COOKIE_SECONDS, httpOnly: true, sameSite: 'Strict' })
}

/** Forgets for which accounts this device is known, at the end of one. */
export function forgetDevice(c: Context<AppEnv>): void {
  deleteCookie(c, cookieName(c), attributesOf(c))
}
