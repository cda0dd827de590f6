import { exportJWK, generateKeyPair, SignJWT } from 'jose'

const MINUTE = 60_000

/** An in-memory sign-in service in place of `fetch`, with faults on request. */
export class FakeAuth {
  static #count = 0
  readonly #number = FakeAuth.#count++
  readonly url = `https://auth${this.#number}.example/auth`
  readonly credential = `better-auth.session_token=${this.#number}.signature`
  #pair = generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  /** Answers to the next calls of a path, before it works as usual: a status, or 'down'. */
  faults: Record<string, (number | 'down')[]> = {}
  calls: { path: string; origin: string | null; cookie: string | null; body: unknown }[] = []
  emailVerified = false
  signedOut = false

  count = (path: string) => this.calls.filter((call) => call.path === path).length

  async token(lifetime = 15 * MINUTE): Promise<string> {
    const origin = new URL(this.url).origin
    return new SignJWT({ sub: 'u1', email: 'ada@example.org', emailVerified: this.emailVerified, name: 'Ada Test' })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'one' })
      .setIssuer(origin)
      .setAudience(origin)
      .setExpirationTime(new Date(Date.now() + lifetime))
      .sign((await this.#pair).privateKey)
  }

  async session(lifetime = 15 * MINUTE) {
    const id = '0198b2c4-0000-7000-8000-000000000001'
    return { accessToken: await this.token(lifetime), expiresAt: Date.now() + lifetime, credential: this.credential, id }
  }

  fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(input))
    if (url.pathname === '/sql') return everySession(JSON.parse(String(init.body)))
    // A retry from an earlier test, whose service is gone.
    if (!url.href.startsWith(this.url)) throw new TypeError('fetch failed')
    const path = url.href.slice(this.url.length).split('?')[0] ?? ''
    const headers = new Headers(init.headers)
    const cookie = headers.get('cookie')
    this.calls.push({ path, origin: headers.get('origin'), cookie, body: init.body ? JSON.parse(String(init.body)) : null })
    const fault = this.faults[path]?.shift()
    // Long enough for concurrent calls to arrive.
    await new Promise((resolve) => setTimeout(resolve, 5))
    if (fault === 'down') throw new TypeError('fetch failed')
    if (fault) return Response.json({ code: 'FAULT' }, { status: fault })
    return this.#answer(path, cookie)
  }

  async #answer(path: string, cookie: string | null): Promise<Response> {
    if (path === '/.well-known/jwks.json') {
      const jwk = await exportJWK((await this.#pair).publicKey)
      return Response.json({ keys: [{ ...jwk, kid: 'one', alg: 'EdDSA' }] })
    }
    if (path === '/token') {
      if (this.signedOut || cookie !== this.credential) return new Response(null, { status: 401 })
      return Response.json({ token: await this.token() })
    }
    if (path === '/sign-out') this.signedOut = true
    return Response.json({ success: true, status: true })
  }
}

/** The answer of a database in which every session is still there. */
function everySession({ queries }: { queries?: unknown[] }): Response {
  const result = { fields: [], rows: [], command: 'SELECT', rowCount: 0 }
  return Response.json(queries ? { results: queries.map(() => result) } : result)
}
