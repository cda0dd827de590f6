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
import { unavailable } from '../http/errors.ts'
import { fetchOnce, fetchRetrying } from './upstream.ts'

export interface OidcSettings {
  /** Where the service's description is found: `<url>/.well-known/openid-configuration`. */
  url: string
  /** As the description and every token must name it. */
  issuer: string
  clientId: string
  /** Empty for a public client. */
  clientSecret: string
  scopes: string
  appOrigin: string
}

/** Everything that a call to the service needs. */
export interface OidcService {
  server: AuthorizationServer
  client: Client
  clientAuth: ClientAuth
  /** For a call that uses something up, such as a code: sent once. */
  once: typeof ONCE
  /** For a call that may be repeated. */
  repeatable: typeof REPEATABLE
}

/** Milliseconds for which a description is used without asking, and after a failure until the next try. */
const FRESH = 3_600_000
const COOLDOWN = 30_000
/** One try, in milliseconds. */
const TIMEOUT = 5_000
/** Seconds that the clocks of the worker and the service may differ. */
const CLOCK_TOLERANCE = 5

const signal = () => AbortSignal.timeout(TIMEOUT)
const ONCE = { signal, [customFetch]: fetchOnce, [allowInsecureRequests]: false }
const REPEATABLE = { signal, [customFetch]: fetchRetrying, [allowInsecureRequests]: false }

/** Descriptions by address, for the life of the isolate. */
const known = new Map<string, { server: AuthorizationServer; askAgain: number }>()

/** The service as it describes itself. Throws `unavailable` where it does not answer, or is not the one that was meant. */
export async function oidcService(settings: OidcSettings): Promise<OidcService> {
  // Only a service on this machine: `checkSettings` refuses http for a real site.
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
  if (before && before.askAgain > Date.now()) return before.server
  try {
    const server = await processDiscoveryResponse(new URL(issuer), await discoveryRequest(new URL(url), options))
    known.set(key, { server, askAgain: Date.now() + FRESH })
    return server
  } catch (error) {
    if (!before) throw unavailable('The sign-in service', error)
    // An old description is better than none: services change theirs rarely.
    before.askAgain = Date.now() + COOLDOWN
    return before.server
  }
}

/** Basic is what a service takes unless it says otherwise (OpenID Connect Discovery §3). */
function clientAuth(secret: string, server: AuthorizationServer): ClientAuth {
  if (!secret) return None()
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return !methods.includes('client_secret_basic') && methods.includes('client_secret_post')
    ? ClientSecretPost(secret)
    : ClientSecretBasic(secret)
}
