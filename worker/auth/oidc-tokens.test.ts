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

/** A token response that oauth4webapi has validated. */
function answer(token?: string): Promise<TokenEndpointResponse> {
  const tokens = { access_token: 'opaque', token_type: 'bearer', ...(token !== undefined && { id_token: token }) }
  return processRefreshTokenResponse(server, service.client, Response.json(tokens))
}

describe('ID tokens', () => {
  test('an ID token returns its claims, with booleans as text too', async () => {
    expect(await personOf(service, await answer(await signed(claims)))).toEqual(ada)
    expect(await personOf(service, await answer(await signed({ ...claims, email_verified: 'true' })))).toEqual(ada)
    expect(await personOf(service, await answer(await signed({ ...claims, email_verified: 1 })))).toEqual({ ...ada, emailVerified: false })
  })

  test('an ID token that the service did not sign is refused with any algorithm', async () => {
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

  test('an ID token of another user, or without an address, is refused', async () => {
    await expect(personOf(service, await answer(await signed({ ...claims, sub: 'u2' })), ada)).rejects.toThrow('another user')
    await expect(personOf(service, await answer(await signed({ sub: 'u1' })))).rejects.toThrow('no e-mail address')
    await expect(personOf(service, await answer())).rejects.toThrow('no ID token')
  })

  test('a refresh without an ID token keeps the claims', async () => {
    expect(await personOf(service, await answer(), ada)).toEqual(ada)
  })
})

describe('sessions', () => {
  const tokens = (more: Partial<TokenEndpointResponse>) => ({ access_token: 'x', token_type: 'bearer', ...more }) as TokenEndpointResponse
  const minutes = (more: Partial<TokenEndpointResponse>) => Math.round((sessionOf(tokens(more), ada).expiresAt - Date.now()) / 60_000)

  test('a session expires as the service says, between five minutes and an hour', () => {
    const refresh_token = 'r'
    expect([10, 1200, 86_400].map((expires_in) => minutes({ refresh_token, expires_in }))).toEqual([5, 20, 60])
    expect(minutes({ refresh_token })).toBe(15)
    expect(minutes({ expires_in: 28_800 })).toBe(480)
  })

  test('a session keeps its credential without rotation, and gets a unique one without a refresh token', () => {
    expect(refreshTokenOf(sessionOf(tokens({ refresh_token: 'new' }), ada, 'refresh:old').credential)).toBe('new')
    expect(refreshTokenOf(sessionOf(tokens({}), ada, 'refresh:old').credential)).toBe('old')
    const [one, two] = [sessionOf(tokens({}), ada), sessionOf(tokens({}), ada)]
    expect(refreshTokenOf(one.credential)).toBeNull()
    expect(one.credential).not.toBe(two.credential)
  })
})
