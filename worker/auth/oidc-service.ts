import {
  type AuthorizationServer,
  allowInsecureRequests,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  customFetch,
  discoveryRequest,
  None,
  processDiscoveryResponse,
} from 'oauth4webapi'
import { fetchOnce, fetchRetrying, signInUnavailable } from './upstream.ts'

export interface OidcSettings {
  /** Location of the discovery document: `<url>/.well-known/openid-configuration`. */
  url: string
  /** Must equal the issuer in the discovery document and in every token. */
  issuer: string
  clientId: string
  /** Empty for a public client. */
  clientSecret: string
  scopes: string
  appOrigin: string
}

export interface OidcService {
  server: AuthorizationServer
  client: Client
  clientAuth: ClientAuth
  /** Options of calls that must not be repeated, such as the exchange of a code. */
  once: typeof ONCE
  /** Options of calls that may be repeated. */
  repeatable: typeof REPEATABLE
}

/** Milliseconds for which a discovery document is used, and until the next attempt after a failure. */
const FRESH = 3_600_000
const COOLDOWN = 30_000
/** Per attempt, in milliseconds. */
const TIMEOUT = 5_000
/** Tolerated difference between the clocks of the worker and the service, in seconds. */
const CLOCK_TOLERANCE = 5

const signal = () => AbortSignal.timeout(TIMEOUT)
const ONCE = { signal, [customFetch]: fetchOnce, [allowInsecureRequests]: false }
const REPEATABLE = { signal, [customFetch]: fetchRetrying, [allowInsecureRequests]: false }

/** Discovery documents by URL and issuer, for the life of the isolate. */
const known = new Map<string, { server: AuthorizationServer; refreshAt: number }>()

/** Reads the discovery document. Throws `unavailable` if the service does not answer, or its issuer is not the expected one. */
export async function oidcService(settings: OidcSettings): Promise<OidcService> {
  // http is only for a service on this machine: `checkSettings` refuses it for a site on https.
  const insecure = { [allowInsecureRequests]: settings.url.startsWith('http:') }
  const repeatable = { ...REPEATABLE, ...insecure }
  const server = await describe(settings, repeatable)
  return {
    server,
    client: { client_id: settings.clientId, [clockTolerance]: CLOCK_TOLERANCE },
    clientAuth: clientAuth(settings.clientSecret, server),
    once: { ...ONCE, ...insecure },
    repeatable,
  }
}

async function describe({ url, issuer }: OidcSettings, options: typeof REPEATABLE): Promise<AuthorizationServer> {
  const key = `${url} ${issuer}`
  const before = known.get(key)
  if (before && before.refreshAt > Date.now()) return before.server
  try {
    const server = await processDiscoveryResponse(new URL(issuer), await discoveryRequest(new URL(url), options))
    known.set(key, { server, refreshAt: Date.now() + FRESH })
    return server
  } catch (error) {
    if (!before) throw signInUnavailable(error)
    // An old document is better than none: they rarely change.
    before.refreshAt = Date.now() + COOLDOWN
    return before.server
  }
}

/** Basic is the default (OpenID Connect Discovery §3). */
function clientAuth(secret: string, server: AuthorizationServer): ClientAuth {
  if (!secret) return None()
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
    ? ClientSecretPost(secret)
    : ClientSecretBasic(secret)
}
