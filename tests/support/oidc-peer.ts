import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type Configuration, type KoaContextWithOIDC } from 'oidc-provider'
import { type AuthFront, startAuthFront } from './auth-front.ts'

export const SECRET = 'a secret of the service and us'

export interface OidcPeer {
  issuer: string
  front: AuthFront
  /** Accounts with an unconfirmed address, and those whose address is not `<id>@example.org`. */
  unverified: Set<string>
  emails: Map<string, string>
  /** Refreshes granted and refused by the service. */
  refreshes: { granted: number; refused: number }
  /** Revokes a refresh token, as an administrator would. */
  revoke(refreshToken: string): Promise<void>
  stop(): Promise<void>
}

/** A real OpenID Connect service that rotates refresh tokens: `cairn` has a secret, `cairn-public` has none. It accepts any password. */
export async function startOidcPeer(appOrigins: string[]): Promise<OidcPeer> {
  const [unverified, emails] = [new Set<string>(), new Map<string, string>()]
  const refreshes = { granted: 0, refused: 0 }
  const keys = await signingKeys()
  const front = await startAuthFront((origin) => {
    const provider = quietly(() => new Provider(origin, configuration(appOrigins, keys, { unverified, emails })))
    const count = (what: keyof typeof refreshes) => (ctx: KoaContextWithOIDC) => {
      if (ctx.oidc.params?.grant_type === 'refresh_token') refreshes[what]++
    }
    provider.on('grant.success', count('granted'))
    provider.on('grant.error', count('refused'))
    return provider.callback()
  })
  return {
    ...{ issuer: front.origin, front, unverified, emails, refreshes },
    async revoke(token) {
      const headers = { authorization: `Basic ${btoa(`cairn:${encodeURIComponent(SECRET).replaceAll('%20', '+')}`)}` }
      const { status } = await fetch(`${front.origin}/token/revocation`, { method: 'POST', headers, body: new URLSearchParams({ token }) })
      if (status !== 200) throw new Error(`The token was not revoked: ${status}`)
    },
    stop: () => front.stop(),
  }
}

async function signingKeys() {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return [{ ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }]
}

type People = Pick<OidcPeer, 'unverified' | 'emails'>

function configuration(appOrigins: string[], keys: object[], { unverified, emails }: People): Configuration {
  const client = {
    redirect_uris: appOrigins.map((origin) => `${origin}/api/auth/callback`),
    post_logout_redirect_uris: appOrigins.map((origin) => `${origin}/login`),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code' as const],
  }
  return {
    clients: [
      { ...client, client_id: 'cairn', client_secret: SECRET },
      { ...client, client_id: 'cairn-public', token_endpoint_auth_method: 'none' },
    ],
    jwks: { keys },
    cookies: { keys: ['for tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: true }, revocation: { enabled: true, allowedPolicy: async () => true } },
    ttl: { AccessToken: 900, AuthorizationCode: 60, Grant: 86_400, IdToken: 900, Interaction: 600, RefreshToken: 86_400, Session: 86_400 },
    rotateRefreshToken: true,
    async findAccount(_ctx, id) {
      const email = emails.get(id) ?? `${id}@example.org`
      return { accountId: id, claims: async () => ({ sub: id, email, email_verified: !unverified.has(id), name: 'Ada Test' }) }
    },
  }
}

/** Silences warnings about settings that a real service must not have, such as accepting any password. */
function quietly<T>(make: () => T): T {
  const { warn, info } = console
  Object.assign(console, { warn: () => {}, info: () => {} })
  try {
    return make()
  } finally {
    Object.assign(console, { warn, info })
  }
}

/** Acts as the user at the service: signs in as `login` and consents, or cancels. Returns the address that the browser is redirected to. */
export async function visitService(begin: string, login: string, { agree = true } = {}): Promise<URL> {
  const { origin } = new URL(begin)
  const jar = new Map<string, string>()
  let next: { url: string; form?: URLSearchParams } = { url: begin }
  for (let step = 0; step < 12; step++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(next.url, {
      headers: { cookie },
      redirect: 'manual',
      ...(next.form && { method: 'POST', body: next.form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    const page = await response.text()
    if (location) {
      const to = new URL(location, next.url)
      if (to.origin !== origin) return to
      next = { url: to.href }
      continue
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
    if (!prompt || !action) throw new Error(`The service shows no form: ${response.status} ${page.slice(0, 300)}`)
    next = agree ? { url: action, form: new URLSearchParams({ prompt, login, password: 'any' }) } : { url: `${action}/abort` }
  }
  throw new Error('The service sends round in circles')
}
