import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { verifyAccessToken } from './access-token.ts'

type Pair = Awaited<ReturnType<typeof generateKeyPair>>

const ISSUER = 'https://auth.example'
const claims = { email: 'Ada@Example.org', emailVerified: true, name: 'Ada Test' }

/** A sign-in service whose keys can be changed and that can be switched off. */
class Service {
  static count = 0
  readonly rules = { jwksUrl: `https://auth.example/${Service.count++}/.well-known/jwks.json`, issuer: ISSUER, audience: ISSUER }
  keys: { kid: string; pair: Pair }[] = []
  down = false
  fetches = 0

  async addKey(kid: string): Promise<void> {
    this.keys.push({ kid, pair: await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true }) })
  }

  answer = async (): Promise<Response> => {
    this.fetches++
    if (this.down) throw new TypeError('fetch failed')
    const keys = this.keys.map(async ({ kid, pair }) => ({ ...(await exportJWK(pair.publicKey)), kid, alg: 'EdDSA' }))
    return Response.json({ keys: await Promise.all(keys) })
  }

  sign(payload: JWTPayload = {}, { kid, alg = 'EdDSA' }: { kid?: string; alg?: string } = {}): Promise<string> {
    const key = this.keys.find((known) => known.kid === kid) ?? this.keys.at(-1)
    if (!key) throw new Error('no key')
    const now = Math.floor(Date.now() / 1000)
    return new SignJWT({ sub: 'u1', iss: ISSUER, aud: ISSUER, iat: now, exp: now + 900, ...claims, ...payload })
      .setProtectedHeader({ alg, kid: kid ?? key.kid })
      .sign(key.pair.privateKey)
  }

  verify = (token: string) => verifyAccessToken(token, this.rules)
}

let service: Service

beforeEach(async () => {
  service = new Service()
  await service.addKey('one')
  vi.stubGlobal('fetch', service.answer)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('a valid token', () => {
  test('a valid token returns its claims', async () => {
    expect(await service.verify(await service.sign())).toEqual({
      id: 'u1',
      email: 'ada@example.org',
      emailVerified: true,
      name: 'Ada Test',
    })
  })

  test('a token without sub uses its id, and its address is unverified by default', async () => {
    const token = await service.sign({ sub: undefined as never, id: 'u2', emailVerified: undefined, name: undefined })
    expect(await service.verify(token)).toEqual({ id: 'u2', email: 'ada@example.org', emailVerified: false, name: null })
  })

  test('verifying several tokens fetches the keys once', async () => {
    for (let n = 0; n < 5; n++) await service.verify(await service.sign())
    expect(service.fetches).toBe(1)
  })
})

describe('invalid tokens', () => {
  const now = () => Math.floor(Date.now() / 1000)

  test.each<[string, JWTPayload]>([
    ['an expired token', { exp: now() - 10 }],
    ['a token that is not yet valid', { nbf: now() + 60 }],
    ['a token of another issuer', { iss: 'https://evil.example' }],
    ['a token for another audience', { aud: 'https://evil.example' }],
    ['a token without an issuer', { iss: undefined as never }],
    ['a token without an audience', { aud: undefined as never }],
    ['a token without expiry', { exp: undefined as never }],
    ['a token without a subject', { sub: undefined as never }],
    ['a token without an address', { email: undefined }],
    ['a token whose subject is not a string', { sub: { $ne: null } as never }],
  ])('%s is refused', async (_, payload) => {
    expect(await service.verify(await service.sign(payload))).toBeNull()
  })

  test('an unsigned token is refused', async () => {
    const token = new UnsecuredJWT({ sub: 'u1', ...claims }).setIssuer(ISSUER).setAudience(ISSUER).setExpirationTime('5m').encode()
    expect(await service.verify(token)).toBeNull()
    const [, payload] = (await service.sign()).split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'none', kid: 'one' })).toString('base64url')
    expect(await service.verify(`${header}.${payload}.`)).toBeNull()
  })

  test('a token signed by HMAC with the public key as secret is refused', async () => {
    const { publicKey } = service.keys[0]?.pair ?? {}
    if (!publicKey) throw new Error('no key')
    const jwk = await exportJWK(publicKey)
    for (const secret of [await exportSPKI(publicKey), JSON.stringify(jwk), jwk.x ?? '']) {
      for (const bytes of [Buffer.from(secret), Buffer.from(secret, 'base64url')]) {
        const token = await new SignJWT({ sub: 'u1', ...claims })
          .setProtectedHeader({ alg: 'HS256', kid: 'one' })
          .setIssuer(ISSUER)
          .setAudience(ISSUER)
          .setExpirationTime('5m')
          .sign(bytes.length >= 32 ? bytes : Buffer.concat([bytes, Buffer.alloc(32 - bytes.length)]))
        expect(await service.verify(token)).toBeNull()
      }
    }
  })

  test('a token signed with another key of the same id, or with its own key in the header, is refused', async () => {
    const other = new Service()
    await other.addKey('one')
    expect(await service.verify(await other.sign())).toBeNull()
    const { pair } = other.keys[0] ?? {}
    if (!pair) throw new Error('no key')
    const token = await new SignJWT({ sub: 'u1', ...claims })
      .setProtectedHeader({ alg: 'EdDSA', jwk: await exportJWK(pair.publicKey) })
      .setIssuer(ISSUER)
      .setAudience(ISSUER)
      .setExpirationTime('5m')
      .sign(pair.privateKey)
    expect(await service.verify(token)).toBeNull()
  })

  test('an altered, truncated or malformed token is refused', async () => {
    const [header, , signature] = (await service.sign()).split('.')
    const payload = Buffer.from(JSON.stringify({ sub: 'u2', iss: ISSUER, aud: ISSUER, exp: now() + 900, ...claims })).toString('base64url')
    for (const token of [`${header}.${payload}.${signature}`, `${header}.${payload}`, '', '..', 'x', 'a.b.c']) {
      expect(await service.verify(token)).toBeNull()
    }
  })
})

describe('key rotation and outages', () => {
  test('tokens of the old and the new key are both valid right after a rotation', async () => {
    const old = await service.sign()
    await service.verify(old)
    await service.addKey('two')
    expect(await service.verify(await service.sign({}, { kid: 'two' }))).not.toBeNull()
    expect(await service.verify(old)).not.toBeNull()
    expect(service.fetches).toBe(2)
  })

  test('known keys are used during an outage, even an hour later', async () => {
    await service.verify(await service.sign())
    service.down = true
    expect(await service.verify(await service.sign())).not.toBeNull()
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] })
    const fetches = service.fetches
    for (let n = 0; n < 3; n++) expect(await service.verify(await service.sign())).not.toBeNull()
    // Four attempts of the first request, none of the others.
    expect(service.fetches - fetches).toBe(4)
  })

  test('verifyAccessToken throws unavailable during an outage if the key of the token is unknown', async () => {
    service.down = true
    await expect(service.verify(await service.sign())).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 })
    service.down = false
    await service.verify(await service.sign())
    await service.addKey('two')
    service.down = true
    await expect(service.verify(await service.sign({}, { kid: 'two' }))).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('a response that is not a key set counts as an outage', async () => {
    vi.stubGlobal('fetch', async () => new Response('<h1>Sorry</h1>', { status: 200 }))
    await expect(service.verify(await service.sign())).rejects.toMatchObject({ code: 'unavailable' })
    vi.stubGlobal('fetch', async () => new Response('', { status: 404 }))
    await expect(service.verify(await service.sign())).rejects.toMatchObject({ code: 'unavailable' })
  })
})
