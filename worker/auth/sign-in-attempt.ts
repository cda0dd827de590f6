import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { z } from 'zod'
import type { AppEnv } from '../context.ts'
import { parseSessionKeys, seal, unseal } from './sealed.ts'

/** Seconds for a sign-in on the service's pages. */
const LIFETIME = 600
/** Open attempts per browser, for example in several tabs. One more ends all earlier ones. */
const MAX_OPEN = 4

const Attempt = z.strictObject({ state: z.string(), memory: z.string(), returnTo: z.string(), until: z.number() })

export interface SignInAttempt {
  state: string
  /** Data of the provider. */
  memory: string
  /** Path to open after the sign-in. */
  returnTo: string
}

/** Stores the attempt in a sealed cookie of its own, so that only this browser can finish it, within LIFETIME. */
export async function rememberAttempt(c: Context<AppEnv>, attempt: SignInAttempt): Promise<void> {
  const sealed = await seal({ ...attempt, until: Date.now() + LIFETIME * 1000 }, parseSessionKeys(c.env.SESSION_KEYS))
  const open = Object.keys(getCookie(c)).filter((name) => name.startsWith(prefix(c)))
  if (open.length >= MAX_OPEN) for (const name of open) send(c, name, '', 0)
  send(c, nameOf(c, attempt.state), sealed, LIFETIME)
}

/** Returns and removes the attempt of this browser with this state. Null if there is none, or it has expired. */
export async function takeAttempt(c: Context<AppEnv>, state: string): Promise<SignInAttempt | null> {
  const name = nameOf(c, state)
  const sealed = getCookie(c)[name]
  if (sealed === undefined) return null
  send(c, name, '', 0)
  const { data } = Attempt.safeParse((await unseal(sealed, parseSessionKeys(c.env.SESSION_KEYS)))?.content)
  return data && data.state === state && data.until > Date.now() ? data : null
}

/** The name contains part of the state, so that several tabs can sign in at once. */
function nameOf(c: Context<AppEnv>, state: string): string {
  return prefix(c) + state.replace(/[^\w-]/g, '').slice(0, 12)
}

function prefix(c: Context<AppEnv>): string {
  return c.env.APP_ORIGIN.startsWith('https:') ? '__Host-sign-in.' : 'sign-in.'
}

/** SameSite=Lax, because the browser returns from the service by a cross-site navigation. */
function send(c: Context<AppEnv>, name: string, value: string, maxAge: number): void {
  setCookie(c, name, value, { path: '/', maxAge, httpOnly: true, sameSite: 'Lax', secure: c.env.APP_ORIGIN.startsWith('https:') })
}
