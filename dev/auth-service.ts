import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { jwt } from 'better-auth/plugins'
import pg from 'pg'
import { SIGN_IN_HOOK_PATH } from '../worker/auth/hook-signature.ts'
import type { MailCatcher } from './mail-catcher.ts'
import { surviveBrokenConnections } from './neon-pools.ts'
import { HOST } from './ports.ts'
import { messageOf } from './setup-error.ts'
import { type HookOptions, type MailEvent, sendHook } from './sign-in-hook.ts'

const DAY = 24 * 60 * 60

export interface AuthServiceOptions {
  port: number
  /** Connection string of the local Postgres; the service uses only its own schema `auth`. */
  postgresUrl: string
  /** The app's address: the only trusted origin, and where it takes the mails to send. */
  appOrigin: string
  /** Fixed names in the tokens, so that sessions survive a change of ports. */
  issuer: string
  audience: string
  secret: string
  mailCatcher: MailCatcher
  /** Sign-in requires a confirmed address, which docs/deploy.md recommends for Neon Auth. */
  requireConfirmation?: boolean
  /** For tests, which sign up thousands of users: passwords that are cheap to check, and therefore not secure. */
  quickPasswords?: boolean
  log?: (line: string) => void
}

export interface AuthService {
  /** Base URL of its calls, such as `<url>/sign-in/email`. */
  url: string
  origin: string
  stop(): Promise<void>
}

/** Stands for Neon Auth, which production uses: a hosted Better Auth, here in the same Postgres. */
export async function startAuthService(given: AuthServiceOptions): Promise<AuthService> {
  let ending = false
  // Drops log lines about the missing database while the service is shutting down.
  const options = { ...given, log: (line: string) => ending || given.log?.(line) }
  const pool = new pg.Pool({ connectionString: options.postgresUrl, options: '-c search_path=auth', max: 5 })
  surviveBrokenConnections(pool)
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(options.port, HOST, resolve))
  // A listening server's address is a string only for pipes.
  const origin = `http://${HOST}:${(server.address() as AddressInfo).port}`
  const config = authConfig(options, pool, origin)
  await migrate(pool, config)
  const service = betterAuth(config)
  // Makes the keys, with which the first mail is signed.
  await service.handler(new Request(`${origin}/auth/.well-known/jwks.json`))
  const handle = toNodeHandler(service)
  server.on('request', async (request, response) => {
    try {
      if (!(await options.mailCatcher.serve(request, response))) await handle(request, response)
    } catch (error) {
      options.log?.(`The sign-in service failed: ${messageOf(error)}`)
      if (!response.headersSent) response.writeHead(503)
      response.end()
    }
  })
  return {
    url: `${origin}/auth`,
    origin,
    async stop() {
      if (ending) return
      ending = true
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await Promise.all([closed, pool.end()])
    },
  }
}

const quickHash = async (password: string) => createHash('sha256').update(password).digest('hex')
const QUICK = {
  hash: quickHash,
  verify: async ({ hash, password }: { hash: string; password: string }) => hash === (await quickHash(password)),
}

type AuthConfig = Parameters<typeof betterAuth>[0]

async function migrate(pool: pg.Pool, config: AuthConfig): Promise<void> {
  await pool.query('create schema if not exists auth')
  const { runMigrations } = await getMigrations(config)
  await runMigrations()
}

function authConfig(options: AuthServiceOptions, pool: pg.Pool, origin: string) {
  const { appOrigin, issuer, audience, secret } = options
  const hook: HookOptions = { url: `${appOrigin}${SIGN_IN_HOOK_PATH}`, pool, secret }
  // Not awaited: the service holds a connection meanwhile, and the app needs others to answer.
  const askForMail = async (event: MailEvent) => void sendHook(hook, event).catch((error) => options.log?.(messageOf(error)))
  return {
    baseURL: origin,
    basePath: '/auth',
    secret,
    database: pool,
    trustedOrigins: [appOrigin],
    telemetry: { enabled: false },
    // The worker limits by the caller's address, which this service never sees.
    rateLimit: { enabled: false },
    // A UUID, as in Neon Auth.
    advanced: { database: { generateId: () => randomUUID() } },
    // Throws errors other than the caller's to the server below, which answers 503.
    onAPIError: { throw: true },
    logger: { log: (level, message) => level === 'error' && options.log?.(`Sign-in service: ${message}`) },
    session: { expiresIn: 400 * DAY },
    emailAndPassword: {
      enabled: true,
      autoSignIn: true,
      minPasswordLength: 8,
      requireEmailVerification: options.requireConfirmation ?? false,
      revokeSessionsOnPasswordReset: true,
      ...(options.quickPasswords ? { password: QUICK } : {}),
      sendResetPassword: ({ user: { email }, url, token }) => askForMail({ type: 'forget-password', email, url, token }),
    },
    user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
    emailVerification: {
      sendOnSignUp: true,
      autoSignInAfterVerification: false,
      sendVerificationEmail: ({ user: { email }, url, token }) => askForMail({ type: 'email-verification', email, url, token }),
    },
    plugins: [
      jwt({
        jwks: { jwksPath: '/.well-known/jwks.json', keyPairConfig: { alg: 'EdDSA', crv: 'Ed25519' } },
        jwt: {
          issuer,
          audience,
          expirationTime: '15m',
          definePayload: ({ user: { id, email, emailVerified, name } }) => ({ id, email, emailVerified, name }),
        },
      }),
    ],
  } satisfies AuthConfig
}
