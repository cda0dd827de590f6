import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { z } from 'zod'
import type { AppEnv } from '../context.ts'
import { parseSessionKeys, seal, unseal } from './sealed.ts'

/** Seconds that somebody may take on the service's pages. */
const LIFETIME = 600
/** Attempts that one browser may have open, such as in several tabs; more, and all earlier ones end. */
const MAX_OPEN = 4

const Attempt = z.strictObject({ state: z.string(), memory: z.string(), returnTo: z.string(), until: z.number() })

/** What we know of a sign-in while the browser is at the service. */
export interface SignInAttempt {
  state: string
  /** The provider's own. */
  memory: string
  /** Where to go afterwards. */
  returnTo: string
}

/** Remembers the attempt in a sealed cookie of its own, so that only this browser can finish it, and only soon. */
export async function rememberAttempt(c: Context<AppEnv>, attempt: SignInAttempt): Promise<void> {
  const sealed = await seal({ ...attempt, until: Date.now() + LIFETIME * 1000 }, parseSessionKeys(c.env.SESSION_KEYS))
  const open = Object.keys(getCookie(c)).filter((name) => name.startsWith(prefix(c)))
  if (open.length >= MAX_OPEN) for (const name of open) send(c, name, '', 0)
  send(c, nameOf(c, attempt.state), sealed, LIFETIME)
}

/** The attempt that this browser began and that the answer names; null where there is none (any more). Good for one answer. */
export async function takeAttempt(c: Context<AppEnv>, state: string): Promise<SignInAttempt | null> {
  const name = nameOf(c, state)
  const sealed = getCookie(c)[name]
  if (sealed === undefined) return null
  send(c, name, '', 0)
  const { data } = Attempt.safeParse((await unseal(sealed, parseSessionKeys(c.env.SESSION_KEYS)))?.content)
  return data && data.state === state && data.until > Date.now() ? data : null
}

/** Part of the state names the cookie: several tabs can sign in at once. */
function nameOf(c: Context<AppEnv>, state: string): string {
  return prefix(c) + state.replace(/[^\w-]/g, '').slice(0, 12)
}

function prefix(c: Context<AppEnv>): string {
  return c.env.APP_ORIGIN.startsWith('https:') ? '__Host-sign-in.' : 'sign-in.'
}

/** Lax: the service sends the browser back by a link, and nothing else brings the cookie along. */
function send(c: Context<AppEnv>, name: string, value: string, maxAge: number): void {
  const secure = c.env.APP_ORIGIN.startsWith('https:') ? '; Secure' : ''
  c.header('set-cookie', `${name}=${value}; Max-Age=${maxAge}; Path=/; HttpOnly; SameSite=Lax${secure}`, { append: true })
}
