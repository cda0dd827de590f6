import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { AuthService } from './auth-service.ts'
import { type KeepOptions, keepRunning } from './keep-running.ts'
import { MailCatcher } from './mail-catcher.ts'
import { migrateDatabase } from './migrate.ts'
import { type LocalSql, localSql } from './neon.ts'
import { type NeonEndpoint, startNeonEndpoint } from './neon-endpoint.ts'
import { freePort, HOST, isFree } from './ports.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { loadSecrets, type Secrets } from './secrets.ts'
import { SetupError } from './setup-error.ts'
import { lockStateFolder } from './stack-lock.ts'
import { prepareStateFolder } from './state-folder.ts'
import type { WorkerHost } from './worker-host.ts'

const DATABASE = 'cairn'
/** Names in the tokens of the local sign-in service: fixed, so that sessions survive a change of ports. */
const AUTH_NAME = 'https://auth.cairn.local'

export interface StackOptions {
  /**
   * The state folder; if missing, a temporary folder that `stop` removes. Its data need not survive a crash of the machine, and its passwords are
   * cheap to check.
   */
  dir?: string
  /** The app's port, an error if taken; if missing, any free one. */
  port?: number
  /** Set if another server listens on `port` in front of the worker, which then gets another port. */
  fronted?: boolean
  ports?: { auth?: number; neon?: number; postgres?: number }
  /** Path of a bundled worker (may still be pending), or false for the services alone. */
  worker: string | false | Promise<string>
  /** Folder of the built web app (may still be pending), or false for the API alone. */
  assets: string | false | Promise<string>
  /** Folder of the migrations, or false for an empty database. */
  migrations?: string | false
  /** Sign-in requires a confirmed address. */
  requireConfirmation?: boolean
  /** Values of the worker's bindings that a test overrides. */
  vars?: Record<string, string>
  log?: (line: string) => void
  onMail?: (mail: { to: string; subject: string; link?: string | undefined }) => void
  /** Wraps each part's start, to show progress and duration. */
  step?: <T>(name: string, work: () => Promise<T>) => Promise<T>
  /** Called when a part ends by itself again and again. */
  onGiveUp?: (reason: string) => void
  /** Aborts the start between two parts. */
  signal?: AbortSignal
}

export interface Stack {
  dir: string
  /** The app's address. */
  origin: string
  postgres: Postgres
  neon: NeonEndpoint
  auth: AuthService
  mailCatcher: MailCatcher
  secrets: Secrets
  /** All values passed to the worker. */
  vars: Record<string, string>
  /** Connection string for Neon's driver, with host and port of the local Neon endpoint. */
  databaseUrl: string
  /** Connection string of Postgres itself, for tests that inspect the database. */
  postgresUrl: string
  /** Neon's HTTP driver on `databaseUrl`. */
  sql: LocalSql
  /** Throws if the stack has no worker. */
  worker: WorkerHost
  bucket(): ReturnType<WorkerHost['bucket']>
  /** Fast shutdown and start on the same port: connections break, nothing committed is lost. */
  restartDatabase(): Promise<void>
  /** SIGKILL; `postgres.start()` restarts it. */
  killDatabase(): Promise<void>
  stop(): Promise<void>
}

type Ending = (() => Promise<unknown>)[]

/** Starts everything that Cairn needs on one machine. If a part fails, stops those already started. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const ending: Ending = []
  try {
    return await startParts(options, ending)
  } catch (error) {
    await endAll(ending).catch(() => {})
    throw error
  }
}

/** Stops the parts in reverse order, each one even if others fail. */
async function endAll(ending: Ending): Promise<void> {
  const failures: unknown[] = []
  for (const end of ending.splice(0).toReversed()) await end().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}

async function startParts(options: StackOptions, ending: Ending): Promise<Stack> {
  const step: NonNullable<StackOptions['step']> = async (name, work) => {
    options.signal?.throwIfAborted()
    return options.step ? options.step(name, work) : work()
  }
  const reservation = await reserve(options, ending)
  // The two heaviest modules load while the database starts in its own process.
  const loading = Promise.all([import('./auth-service.ts'), import('./worker-host.ts')])

  const { postgres, neon } = await step('database', () => startDatabase(options, reservation, ending))
  const { postgresPassword } = reservation.secrets
  const databaseUrl = databaseAddress(postgresPassword, neon.port, DATABASE)
  const postgresUrl = databaseAddress(postgresPassword, postgres.port, DATABASE)
  const { migrations } = options
  if (migrations !== false) await step('migrations', () => migrateDatabase(databaseUrl, migrations))

  const mailCatcher = new MailCatcher(path.join(reservation.dir, 'outbox'), options.onMail)
  const auth = await step('sign-in', async () =>
    (await loading)[0].startAuthService(await authOptions(options, reservation, postgresUrl, mailCatcher)),
  )
  ending.push(() => auth.stop())

  const vars = workerVars(reservation, auth, databaseUrl, options.vars)
  const [bundle, assets] = await Promise.all([options.worker, options.assets])
  const [, { startWorkerHost }] = await loading
  // The runtime starts itself again, at once: here its ends are only counted.
  const runtime = keep(options, { part: 'worker', start: async () => {}, pauses: [0, 0, 0, 0, 0] })
  const host = { assets, vars, log: options.log ?? ignore, onRestart: runtime.ended, storage: path.join(reservation.dir, 'storage') }
  await mkdir(host.storage, { recursive: true, mode: 0o700 })
  const port = options.fronted ? await freePort() : reservation.port
  const worker = bundle !== false && (await step('worker', () => startWorkerHost({ ...host, bundle, port })))
  if (worker) {
    ending.push(() => Promise.all([runtime.stop(), worker.dispose()]))
    mailCatcher.deliver = worker.side.deliverMail
  }
  const running = () => {
    if (!worker) throw new Error('This stack was started without a worker')
    return worker
  }

  return {
    ...{
      dir: reservation.dir,
      origin: reservation.origin,
      secrets: reservation.secrets,
      postgres,
      neon,
      auth,
      mailCatcher,
      vars,
      databaseUrl,
      postgresUrl,
      sql: localSql(databaseUrl),
    },
    get worker() {
      return running()
    },
    bucket: () => running().bucket(),
    async restartDatabase() {
      await postgres.stop()
      await postgres.start()
    },
    killDatabase: () => postgres.kill9(),
    stop: () => endAll(ending),
  }
}

interface Reservation {
  dir: string
  port: number
  origin: string
  secrets: Secrets
}

/** Reserves the folder and the port. */
async function reserve(options: StackOptions, ending: Ending): Promise<Reservation> {
  const dir = options.dir ?? (await mkdtemp(path.join(tmpdir(), 'cairn-')))
  if (options.dir === undefined) ending.push(() => rm(dir, { recursive: true, force: true, maxRetries: 3 }))
  const port = options.port || (await freePort())
  const origin = `http://${HOST}:${port}`
  await prepareStateFolder(dir)
  ending.push(await lockStateFolder(dir, origin))
  if (!(await isFree(port))) {
    throw new SetupError(
      `Port ${port} is taken by another program: end that program, or choose another port with "npm start -- --port ${port + 10}".`,
    )
  }
  return { dir, port, origin, secrets: await loadSecrets(dir) }
}

async function startDatabase(options: StackOptions, { dir, secrets }: Reservation, ending: Ending) {
  const { ports, log } = options
  const port = await freePort(ports?.postgres)
  const keeper = keep(options, { part: 'database', start: () => postgres.start() })
  const postgres = await startPostgres({
    ...{ dir, port, password: secrets.postgresPassword, throwaway: options.dir === undefined },
    ...{ onEnd: keeper.ended, ...(log && { log }) },
  })
  ending.push(async () => {
    await keeper.stop()
    await postgres.stop()
  })
  await createDatabase(databaseAddress(postgres.password, port, 'postgres'))
  const neon = await startNeonEndpoint({ port: await freePort(ports?.neon), postgresPort: port })
  ending.push(() => neon.stop())
  return { postgres, neon }
}

const keep = ({ log = ignore, onGiveUp: giveUp = ignore }: StackOptions, part: Pick<KeepOptions, 'part' | 'start' | 'pauses'>) =>
  keepRunning({ log, giveUp, ...part })

async function authOptions(options: StackOptions, { origin, secrets }: Reservation, postgresUrl: string, mailCatcher: MailCatcher) {
  return {
    port: await freePort(options.ports?.auth),
    postgresUrl,
    appOrigin: origin,
    issuer: AUTH_NAME,
    audience: AUTH_NAME,
    secret: secrets.authSecret,
    mailCatcher,
    requireConfirmation: options.requireConfirmation ?? false,
    quickPasswords: options.dir === undefined,
    log: options.log ?? ignore,
  }
}

function workerVars(
  { origin, secrets }: Reservation,
  auth: AuthService,
  databaseUrl: string,
  wished: StackOptions['vars'],
): Record<string, string> {
  return {
    APP_ORIGIN: origin,
    AUTH_PROVIDER: 'better-auth',
    AUTH_URL: auth.url,
    AUTH_ISSUER: AUTH_NAME,
    AUTH_AUDIENCE: AUTH_NAME,
    MAIL_URL: `${auth.origin}/outbox`,
    MAIL_IN_DOMAIN: 'in.cairn.localhost',
    DATABASE_URL: databaseUrl,
    NEON_PROXY: new URL(databaseUrl).host,
    SESSION_KEYS: secrets.sessionKeys,
    LIVE_KEY: secrets.liveKey,
    VAPID_PUBLIC_KEY: secrets.vapid.publicKey,
    VAPID_PRIVATE_KEY: secrets.vapid.privateKey,
    VAPID_SUBJECT: 'mailto:nobody@example.org',
    PUSH_SERVICES: `${HOST} push.example.org`,
    ...wished,
  }
}

function ignore(): void {}

function databaseAddress(password: string, port: number, database: string): string {
  return `postgresql://cairn:${encodeURIComponent(password)}@${HOST}:${port}/${database}`
}

async function createDatabase(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}
