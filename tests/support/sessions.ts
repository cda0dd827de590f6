import { inject } from 'vitest'
import type { Client } from '../../dev/http-client.ts'
import type { Session } from '../../worker/auth/provider.ts'
import { parseSessionKeys } from '../../worker/auth/sealed.ts'
import { SessionCookies, sealSession, unsealSession } from '../../worker/auth/session-cookie.ts'

/** Changes the content of the browser's session cookie, as only the worker could. */
export async function reseal(client: Client, change: Partial<Session>): Promise<void> {
  const keys = parseSessionKeys(inject('stack').sessionKeys)
  const cookies = new SessionCookies(client.origin)
  const opened = await unsealSession(cookies.join(Object.fromEntries(client.cookies)) ?? '', keys)
  if (!opened) throw new Error('This browser has no session')
  client.cookies.clear()
  client.cookies.set(cookies.name, await sealSession({ ...opened.session, ...change }, keys))
}

/** Names of the session cookies of a browser. */
export const sessionCookies = (client: Client) => [...client.cookies.keys()].filter((name) => /^(__Host-)?session\b/.test(name))
