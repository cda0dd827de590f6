import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Client } from '../../dev/http-client.ts'
import { freePort, HOST } from '../../dev/ports.ts'
import { endWithThisProcess, waitUntilGone } from '../../dev/processes.ts'
import type { Stack } from '../../dev/stack.ts'
import { answered } from './figures.ts'

/** Too large for a dependency of the project: downloaded on demand, in exactly this version. */
const VERSION = '12.4.0'
export const DIRECTUS = `Directus ${VERSION}`
/** Kept for the next run: it is 730 MB, and npm takes minutes to install it. */
const INSTALLED = path.join(tmpdir(), `cairn-directus-${VERSION}`)
const ADMIN = { email: 'ada@example.com', password: 'correct horse battery' }
const DATABASE = 'directus'
/** Milliseconds. */
const START_WITHIN = 120_000
const INSTALL_WITHIN = 900_000
/** Nothing listens there: Directus reports its use there, which without a licence cannot be switched off for sure. */
const NOWHERE = `http://${HOST}:9`

export interface Directus {
  /** Signed in as its admin, with the cookie of a session as in its own app. */
  client: Client
  userId: string
  /** Connection string of its database. */
  databaseUrl: string
  pid: number
  stop(): Promise<void>
}

/** Directus on 127.0.0.1, with a database of its own on the stack's Postgres. Its files are in a temporary folder, which `stop` removes. */
export async function startDirectus(stack: Stack): Promise<Directus> {
  await install()
  const databaseUrl = await newDatabase(stack.postgresUrl)
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-peer-'))
  const origin = `http://${HOST}:${await freePort()}`
  const env = environment(databaseUrl, folder, origin)
  let server: ChildProcess | undefined
  const stop = async () => {
    await end(server)
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    await mkdir(path.join(folder, 'uploads'))
    const code = await ended(launch('bootstrap', env))
    if (code !== 0) throw new Error(`Directus could not fill its database (${code})`)
    server = launch('start', env)
    const client = new Client(origin)
    await untilReady(client, server)
    await answered(client.post('/auth/login', { ...ADMIN, mode: 'session' }))
    const { data } = await answered(client.get('/users/me?fields=id'))
    return { client, userId: data.id, databaseUrl, pid: server.pid ?? 0, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * npm writes the hidden lock file last. Directus' sandbox for scripts in its flows (isolated-vm 5) does not compile for Node 24: an empty
 * package takes its place, because nothing here runs one.
 */
async function install(): Promise<void> {
  if (existsSync(path.join(INSTALLED, 'node_modules/.package-lock.json'))) return
  console.error(`Installing ${DIRECTUS} in ${INSTALLED} …`)
  const sandbox = path.join(INSTALLED, 'no-sandbox')
  await mkdir(sandbox, { recursive: true })
  await writeFile(path.join(sandbox, 'package.json'), JSON.stringify({ name: 'isolated-vm', version: '5.0.3', main: 'index.js' }))
  await writeFile(path.join(sandbox, 'index.js'), 'module.exports = {}\n')
  const project = { private: true, dependencies: { directus: VERSION }, overrides: { 'isolated-vm': 'file:./no-sandbox' } }
  await writeFile(path.join(INSTALLED, 'package.json'), JSON.stringify(project))
  const args = ['install', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const code = await ended(spawn('npm', args, { cwd: INSTALLED, stdio: ['ignore', 'ignore', 'inherit'], timeout: INSTALL_WITHIN }))
  if (code !== 0) throw new Error(`npm could not install ${DIRECTUS} (${code})`)
}

async function newDatabase(postgresUrl: string): Promise<string> {
  const owner = new pg.Client({ connectionString: postgresUrl })
  await owner.connect()
  await owner.query(`create database ${DATABASE}`).finally(() => owner.end())
  return Object.assign(new URL(postgresUrl), { pathname: `/${DATABASE}` }).href
}

/** Settings as they come, but for what would disturb: limits on requests, as in the bench's Cairn, and calls to the internet. */
function environment(databaseUrl: string, folder: string, origin: string): NodeJS.ProcessEnv {
  const database = new URL(databaseUrl)
  return {
    ...{ PATH: process.env.PATH, HOME: folder, NODE_ENV: 'production', LOG_LEVEL: 'error' },
    ...{ HOST, PORT: new URL(origin).port, PUBLIC_URL: origin, SECRET: randomBytes(32).toString('hex') },
    ...{ DB_CLIENT: 'pg', DB_HOST: database.hostname, DB_PORT: database.port, DB_DATABASE: DATABASE },
    ...{ DB_USER: database.username, DB_PASSWORD: decodeURIComponent(database.password) },
    ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
    ...{ STORAGE_LOCATIONS: 'local', STORAGE_LOCAL_ROOT: path.join(folder, 'uploads'), EXTENSIONS_PATH: path.join(folder, 'extensions') },
    ...{ PRESSURE_LIMITER_ENABLED: 'false', RATE_LIMITER_ENABLED: 'false' },
    ...{ TELEMETRY: 'false', TELEMETRY_URL: NOWHERE, COMPLIANCE_URL: NOWHERE, PROJECT_OWNER_ENABLED: 'false' },
  }
}

/** Not by Directus' own command, which asks the registry for newer versions first. */
function launch(command: 'bootstrap' | 'start', env: NodeJS.ProcessEnv): ChildProcess {
  const script = path.join(INSTALLED, 'node_modules/@directus/api/dist/cli/run.js')
  const child = spawn(process.execPath, [script, command], { cwd: env.HOME, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const callOff = endWithThisProcess(child.pid ?? 0, 'TERM')
  child.once('exit', callOff)
  if (command === 'bootstrap') setTimeout(() => child.kill('SIGKILL'), START_WITHIN).unref()
  return child
}

function ended(child: ChildProcess): Promise<number | string | null> {
  return new Promise((resolve, reject) => child.once('error', reject).once('exit', (code, signal) => resolve(code ?? signal)))
}

async function untilReady(client: Client, server: ChildProcess): Promise<void> {
  for (const until = Date.now() + START_WITHIN; Date.now() < until; await sleep(250)) {
    if (server.exitCode !== null) throw new Error(`Directus ended with ${server.exitCode}`)
    const status = await client.get('/server/ping').then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === 200) return
  }
  throw new Error(`Directus did not start within ${START_WITHIN / 1000} s`)
}

async function end(server: ChildProcess | undefined): Promise<void> {
  if (!server?.pid || server.exitCode !== null || server.signalCode !== null) return
  server.kill('SIGTERM')
  if (!(await waitUntilGone(server.pid, 10_000))) server.kill('SIGKILL')
}
