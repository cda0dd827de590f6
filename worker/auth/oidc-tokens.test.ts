import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { type AuthorizationServer, None, processRefreshTokenResponse, type TokenEndpointResponse } from 'oauth4webapi'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { OidcService } from './oidc-service.ts'
import { personOf, refreshTokenOf, sessionOf } from './oidc-tokens.ts'

const ISSUER = 'https://service.example'
const ALGORITHMS = ['RS256', 'ES256', 'HS256', 'none']
const server: AuthorizationServer = { issuer: ISSUER, jwks_uri: `${ISSUER}/jwks`, id_token_signing_alg_values_supported: ALGORITHMS }
const service = { server, client: { client_id: 'cairn' }, clientAuth: None() } as unknown as OidcService
const keys = generateKeyPair('ES256', { extractable: true })
const claims = { sub: 'u1', email: 'Ada@Example.org', email_verified: true, name: 'Ada Test' }
const ada = { id: 'u1', email: 'ada@example.org', emailVerified: true, name: 'Ada Test' }

beforeEach(() => {
  vi.stubGlobal('fetch', async () => {
    const jwk = await exportJWK((await keys).publicKey)
    return Response.json({ keys: [{ ...jwk, kid: 'one', alg: 'ES256' }] })
  })
})
afterEach(() => void vi.unstubAllGlobals())

const idToken = (said: object) => new SignJWT({ ...said }).setIssuer(ISSUER).setAudience('cairn').setIssuedAt().setExpirationTime('5m')
const signed = async (said: object) =>
  idToken(said)
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .sign((await keys).privateKey)

/** The service's answer, as far as oauth4webapi checks it. */
function answer(token?: string): Promise<TokenEndpointResponse> {
  const tokens = { access_token: 'opaque', token_type: 'bearer', ...(token !== undefined && { id_token: token }) }
  return processRefreshTokenResponse(server, service.client, Response.json(tokens))
}

describe('an ID token', () => {
  test('says who it is, with booleans as text too', async () => {
    expect(await personOf(service, await answer(await signed(claims)))).toEqual(ada)
    expect(await personOf(service, await answer(await signed({ ...claims, email_verified: 'true' })))).toEqual(ada)
    expect(await personOf(service, await answer(await signed({ ...claims, email_verified: 1 })))).toEqual({ ...ada, emailVerified: false })
  })

  test('is refused when the service did not sign it, whatever it says of its algorithm', async () => {
    const { publicKey } = await keys
    const other = (await generateKeyPair('ES256')).privateKey
    const secret = new TextEncoder().encode(await exportSPKI(publicKey))
    const forged = [
      await idToken(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(other),
      await idToken(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret),
      new UnsecuredJWT(claims).setIssuer(ISSUER).setAudience('cairn').setIssuedAt().setExpirationTime('5m').encode(),
    ]
    for (const token of forged) {
      await expect(answer(token).then((tokens) => personOf(service, tokens))).rejects.toThrow()
    }
  })

  test('of somebody else, or of nobody with an address, is refused', async () => {
    await expect(personOf(service, await answer(await signed({ ...claims, sub: 'u2' })), ada)).rejects.toThrow('somebody else')
    await expect(personOf(service, await answer(await signed({ sub: 'u1' })))).rejects.toThrow('no e-mail address')
    await expect(personOf(service, await answer())).rejects.toThrow('no ID token')
  })

  test('may be missing at a refresh: it is still the same person', async () => {
    expect(await personOf(service, await answer(), ada)).toEqual(ada)
  })
})

describe('a session', () => {
  const tokens = (more: Partial<TokenEndpointResponse>) => ({ access_token: 'x', token_type: 'bearer', ...more }) as TokenEndpointResponse
  const minutes = (more: Partial<TokenEndpointResponse>) => Math.round((sessionOf(tokens(more), ada).expiresAt - Date.now()) / 60_000)

  test('is asked for again when the service says, within five minutes and an hour', () => {
    const refresh_token = 'r'
    expect([10, 1200, 86_400].map((expires_in) => minutes({ refresh_token, expires_in }))).toEqual([5, 20, 60])
    expect(minutes({ refresh_token })).toBe(15)
    expect(minutes({ expires_in: 28_800 })).toBe(480)
  })

  test('keeps its credential where the service does not rotate, and never shares one without', () => {
    expect(refreshTokenOf(sessionOf(tokens({ refresh_token: 'new' }), ada, 'refresh:old').credential)).toBe('new')
    expect(refreshTokenOf(sessionOf(tokens({}), ada, 'refresh:old').credential)).toBe('old')
    const [one, two] = [sessionOf(tokens({}), ada), sessionOf(tokens({}), ada)]
    expect(refreshTokenOf(one.credential)).toBeNull()
    expect(one.credential).not.toBe(two.credential)
  })
})
