import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { verifyAccessToken } from './access-token.ts'

type Pair = Awaited<ReturnType<typeof generateKeyPair>>

const ISSUER = 'https://auth.example'
const claims = { email: 'Ada@Example.org', emailVerified: true, name: 'Ada Test' }

/** A sign-in service whose keys can be changed and which can be switched off. */
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

describe('a good token', () => {
  test('tells who it is', async () => {
    expect(await service.verify(await service.sign())).toEqual({
      id: 'u1',
      email: 'ada@example.org',
      emailVerified: true,
      name: 'Ada Test',
    })
  })

  test('names the user by id where it has no sub, and is not verified unless it says so', async () => {
    const token = await service.sign({ sub: undefined as never, id: 'u2', emailVerified: undefined, name: undefined })
    expect(await service.verify(token)).toEqual({ id: 'u2', email: 'ada@example.org', emailVerified: false, name: null })
  })

  test('costs one fetch of the keys, however many there are', async () => {
    for (let n = 0; n < 5; n++) await service.verify(await service.sign())
    expect(service.fetches).toBe(1)
  })
})

describe('refused is', () => {
  const now = () => Math.floor(Date.now() / 1000)

  test.each<[string, JWTPayload]>([
    ['an expired token', { exp: now() - 10 }],
    ['one that is not yet valid', { nbf: now() + 60 }],
    ['one of another issuer', { iss: 'https://evil.example' }],
    ['one for another audience', { aud: 'https://evil.example' }],
    ['one without an issuer', { iss: undefined as never }],
    ['one without an audience', { aud: undefined as never }],
    ['one that never ends', { exp: undefined as never }],
    ['one of nobody', { sub: undefined as never }],
    ['one without an address', { email: undefined }],
    ['one whose subject is no text', { sub: { $ne: null } as never }],
  ])('%s', async (_, payload) => {
    expect(await service.verify(await service.sign(payload))).toBeNull()
  })

  test('an unsigned token', async () => {
    const token = new UnsecuredJWT({ sub: 'u1', ...claims }).setIssuer(ISSUER).setAudience(ISSUER).setExpirationTime('5m').encode()
    expect(await service.verify(token)).toBeNull()
    const [, payload] = (await service.sign()).split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'none', kid: 'one' })).toString('base64url')
    expect(await service.verify(`${header}.${payload}.`)).toBeNull()
  })

  test('one signed by HMAC with the public key as its secret', async () => {
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

  test('one signed with a key of the same name, or bringing its own', async () => {
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

  test('one that was changed, cut or never was one', async () => {
    const [header, , signature] = (await service.sign()).split('.')
    const payload = Buffer.from(JSON.stringify({ sub: 'u2', iss: ISSUER, aud: ISSUER, exp: now() + 900, ...claims })).toString('base64url')
    for (const token of [`${header}.${payload}.${signature}`, `${header}.${payload}`, '', '..', 'x', 'a.b.c']) {
      expect(await service.verify(token)).toBeNull()
    }
  })
})

describe('when the keys change or cannot be fetched', () => {
  test('tokens of the old and of the new key both work at once', async () => {
    const old = await service.sign()
    await service.verify(old)
    await service.addKey('two')
    expect(await service.verify(await service.sign({}, { kid: 'two' }))).not.toBeNull()
    expect(await service.verify(old)).not.toBeNull()
    expect(service.fetches).toBe(2)
  })

  test('a key that is known still works, even an hour later', async () => {
    await service.verify(await service.sign())
    service.down = true
    expect(await service.verify(await service.sign())).not.toBeNull()
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] })
    const fetches = service.fetches
    for (let n = 0; n < 3; n++) expect(await service.verify(await service.sign())).not.toBeNull()
    // Four tries of the first request, none of the others.
    expect(service.fetches - fetches).toBe(4)
  })

  test('nobody is refused while no key is known, or the token’s key is not', async () => {
    service.down = true
    await expect(service.verify(await service.sign())).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 })
    service.down = false
    await service.verify(await service.sign())
    await service.addKey('two')
    service.down = true
    await expect(service.verify(await service.sign({}, { kid: 'two' }))).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('an answer that is no key set counts as none', async () => {
    vi.stubGlobal('fetch', async () => new Response('<h1>Sorry</h1>', { status: 200 }))
    await expect(service.verify(await service.sign())).rejects.toMatchObject({ code: 'unavailable' })
    vi.stubGlobal('fetch', async () => new Response('', { status: 404 }))
    await expect(service.verify(await service.sign())).rejects.toMatchObject({ code: 'unavailable' })
  })
})
