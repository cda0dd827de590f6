import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { newId } from '../../contract/ids.ts'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { Client } from '../../dev/http-client.ts'
import { freePort, HOST } from '../../dev/ports.ts'
import { type Stack, startStack } from '../../dev/stack.ts'
import { startWorkerHost } from '../../dev/worker-host.ts'
import type { Session } from '../../worker/auth/provider.ts'
import { parseSessionKeys } from '../../worker/auth/sealed.ts'
import { SessionCookies, sealSession, unsealSession } from '../../worker/auth/session-cookie.ts'
import { type OidcPeer, SECRET, startOidcPeer, visitService } from './oidc-peer.ts'

export interface OidcStack {
  stack: Stack
  peer: OidcPeer
  /** Starts another worker on the same database, with other values if given. Returns its origin. */
  another(vars?: Record<string, string>): Promise<string>
  stop(): Promise<void>
}

/** A whole stack that signs in at an OpenID Connect service of its own; `assets` is the folder of the built web app. */
export async function startOidcStack(assets: string | false = false): Promise<OidcStack> {
  // The service redirects only to registered addresses.
  const [port, ...spare] = await Promise.all(Array.from({ length: 10 }, () => freePort()))
  const peer = await startOidcPeer([port, ...spare].map((number) => `http://${HOST}:${number}`))
  const oidc = { AUTH_PROVIDER: 'oidc', AUTH_URL: peer.issuer, AUTH_ISSUER: '', AUTH_CLIENT_ID: 'cairn', AUTH_CLIENT_SECRET: SECRET }
  const stack = await startStack({
    ...{ port: port ?? 0, worker: WORKER_BUNDLE, assets },
    vars: { ...oidc, RATE_LIMIT_FACTOR: '1000' },
  })
  const ending: (() => Promise<unknown>)[] = []
  return {
    stack,
    peer,
    async another(different = {}) {
      const workerPort = spare.pop()
      if (!workerPort) throw new Error('All addresses that the service knows are taken')
      const origin = `http://${HOST}:${workerPort}`
      const storage = await mkdtemp(path.join(tmpdir(), 'cairn-worker-'))
      const vars = { ...stack.vars, APP_ORIGIN: origin, ...different }
      const worker = await startWorkerHost({ bundle: WORKER_BUNDLE, assets: false, port: workerPort, storage, vars })
      ending.push(async () => {
        await worker.dispose()
        await rm(storage, { recursive: true, force: true, maxRetries: 3 })
      })
      return origin
    },
    async stop() {
      for (const end of ending) await end()
      await stack.stop()
      await peer.stop()
    },
  }
}

/** The address to which the app sends a browser that wants to sign in. */
export async function beginSignIn(client: Client, returnTo?: string): Promise<string> {
  const query = returnTo === undefined ? '' : `?${new URLSearchParams({ returnTo })}`
  const { status, headers } = await client.get(`/api/auth/social/oidc${query}`)
  const location = headers.get('location')
  if (status !== 302 || !location) throw new Error(`Signing in did not begin: ${status}`)
  return location
}

/** Opens the address to which the service redirected the browser. Returns the app's own redirect. */
export async function comeBack(client: Client, to: URL): Promise<string | null> {
  return (await client.get(to.pathname + to.search)).headers.get('location')
}

/** A new user who signed in through the service's pages. */
export async function signInByService(origin: string, login = `p${newId().slice(-12)}`): Promise<Client & { login: string }> {
  const client = new Client(origin)
  const location = await comeBack(client, await visitService(await beginSignIn(client), login))
  if (location !== '/') throw new Error(`${login} could not sign in: ${location}`)
  return Object.assign(client, { login })
}

/** Reads and creates session cookies. */
export function sessionsOf(stack: Stack) {
  const keys = parseSessionKeys(stack.vars.SESSION_KEYS ?? '')
  return {
    async open(client: Client): Promise<Session> {
      const sealed = new SessionCookies(client.origin).join(Object.fromEntries(client.cookies)) ?? ''
      const session = (await unsealSession(sealed, keys))?.session
      if (!session) throw new Error('no session')
      return session
    },
    /** A browser with this session, which expires in `left` milliseconds. */
    async holding(origin: string, session: Session, left?: number): Promise<Client> {
      const client = new Client(origin)
      const expiresAt = left === undefined ? session.expiresAt : Date.now() + left
      client.cookies.set('session', await sealSession({ ...session, expiresAt }, keys))
      return client
    },
  }
}
