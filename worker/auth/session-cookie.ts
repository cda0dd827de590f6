import { z } from 'zod'
import type { Session } from './provider.ts'
import { type SessionKey, seal, unseal } from './sealed.ts'

/** The longest lifetime that browsers give a cookie, in seconds: 400 days. */
export const COOKIE_SECONDS = 400 * 24 * 60 * 60
/** Characters of a chunk, as browsers limit a cookie. */
const CHUNK = 3180
const MAX_CHUNKS = 5
/** Stale cookies expired per response; more take several responses. */
const MAX_EXPIRED = 20

const SealedSession = z.strictObject({
  accessToken: z.string(),
  expiresAt: z.number(),
  credential: z.string(),
  claims: z.strictObject({ id: z.string(), email: z.string(), emailVerified: z.boolean(), name: z.string().nullable() }).optional(),
  provenAt: z.number().optional(),
  id: z.uuid().optional(),
})

export function sealSession(session: Session, keys: readonly SessionKey[]): Promise<string> {
  return seal(session, keys)
}

/** Null if it is not a session sealed with one of these keys. `retired`: it should be sealed again with the newest key. */
export async function unsealSession(sealed: string, keys: readonly SessionKey[]): Promise<{ session: Session; retired: boolean } | null> {
  const opened = await unseal(sealed, keys)
  const session = SealedSession.safeParse(opened?.content).data
  return opened && session ? { session, retired: opened.retired } : null
}

/** Names and attributes of the session cookies: `__Host-` and Secure if the app is on https. */
export class SessionCookies {
  readonly name: string
  readonly #attributes: string
  readonly #ours: RegExp

  constructor(appOrigin: string) {
    const secure = appOrigin.startsWith('https:')
    this.name = secure ? '__Host-session' : 'session'
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
    this.#ours = new RegExp(`^${this.name}(?:\\.(\\d{1,4}))?$`)
  }

  /** Names of the session cookies that the browser sent. */
  sent(cookies: Record<string, string>): string[] {
    return Object.keys(cookies).filter((name) => this.#ours.test(name))
  }

  /** Joins the chunks to the sealed session. Null if a chunk is missing or there are too many. */
  join(cookies: Record<string, string>): string | null {
    const whole = cookies[this.name]
    if (whole !== undefined) return whole
    const count = this.sent(cookies).length
    if (count === 0 || count > MAX_CHUNKS) return null
    const chunks = Array.from({ length: count }, (_, n) => cookies[`${this.name}.${n}`])
    return chunks.every((chunk) => chunk !== undefined) ? chunks.join('') : null
  }

  /** Set-Cookie lines that store `sealed` and expire the remaining chunks of an earlier session. */
  store(sealed: string, cookies: Record<string, string>): string[] {
    const chunks = sealed.match(new RegExp(`.{1,${CHUNK}}`, 'g')) ?? []
    if (chunks.length > MAX_CHUNKS) throw new Error(`The session takes ${chunks.length} cookies, at most ${MAX_CHUNKS} are read`)
    const names = chunks.map((_, n) => (chunks.length === 1 ? this.name : `${this.name}.${n}`))
    const stored = chunks.map((chunk, n) => `${names[n]}=${chunk}; Max-Age=${COOKIE_SECONDS}; ${this.#attributes}`)
    return [...this.#expire(this.sent(cookies).filter((name) => !names.includes(name))), ...stored]
  }

  /** Set-Cookie lines that expire all session cookies. */
  clear(cookies: Record<string, string>): string[] {
    return this.#expire(this.sent(cookies))
  }

  #expire(names: string[]): string[] {
    return names.slice(0, MAX_EXPIRED).map((name) => `${name}=; Max-Age=0; ${this.#attributes}`)
  }
}
