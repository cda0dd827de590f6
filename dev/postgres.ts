import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOST } from './ports.ts'
import { findPostgresHome, giveTo, type PostgresHome } from './postgres-home.ts'
import { commandOf, endWithThisProcess, isAlive, waitUntilGone } from './processes.ts'
import { SetupError } from './setup-error.ts'

/** Version of the binaries that npm installs; data folders of other major versions are refused. */
const MAJOR = '18'
const USER = 'cairn'

export interface PostgresOptions {
  /** The state folder. */
  dir: string
  port: number
  password: string
  /** Does not wait for the disk: a crash of the machine may lose data, a crash of the server does not. */
  throwaway?: boolean
  log?: (line: string) => void
  /** Called when the server ends unexpectedly. */
  onEnd?: (reason: string) => void
}

export interface Postgres {
  port: number
  user: string
  password: string
  data: string
  /** Process id of the running postmaster, or undefined. */
  readonly pid: number | undefined
  start(): Promise<void>
  /** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
  stop(): Promise<void>
  /** SIGKILL, for fault tests: nothing is flushed and clients are not notified. */
  kill9(): Promise<void>
}

export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const home = await findPostgresHome(options.dir)
  if (home.note) options.log?.(home.note)
  await stopLeftover(home.data)
  await checkVersion(home.data)
  if (!existsSync(home.data)) await createCluster(home, options)
  await giveTo(home.user, home.data)

  let child: ChildProcess | undefined
  let callOff = () => {}
  const postgres: Postgres = {
    port: options.port,
    user: USER,
    password: options.password,
    data: home.data,
    get pid() {
      return child?.pid
    },
    async start() {
      child = await launch(home, options)
      const started = child
      callOff = endWithThisProcess(started.pid ?? 0, 'INT')
      started.once('exit', (code, signal) => {
        callOff()
        if (child !== started) return
        child = undefined
        options.onEnd?.(signal ?? `exit code ${code}`)
      })
    },
    async stop() {
      await end('SIGINT')
    },
    async kill9() {
      await end('SIGKILL')
    },
  }

  async function end(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    const ending = child
    child = undefined
    if (!ending?.pid) return
    const gone = new Promise((resolve) => ending.once('exit', resolve))
    if (ending.exitCode !== null || ending.signalCode !== null) return
    if (process.platform === 'win32' && signal === 'SIGINT') {
      spawn(home.programs.pg_ctl, ['stop', '-D', home.data, '-m', 'fast'], { stdio: 'ignore' })
    } else ending.kill(signal)
    await gone
  }

  await postgres.start()
  return postgres
}

/** A postmaster may outlive its killed parent: it is stopped before a new one starts. */
export async function stopLeftover(data: string): Promise<void> {
  const pid = Number((await pidFile(data))[0])
  if (!pid || !isAlive(pid)) return
  // Postgres would take any process that has this id now, even a zombie, for the owner of the folder.
  if (!(await commandOf(pid)).includes(data)) return rm(path.join(data, 'postmaster.pid'), { force: true })
  process.kill(pid, 'SIGINT')
  if (await waitUntilGone(pid, 20_000)) return
  throw new SetupError(`An earlier database still runs as process ${pid} and does not end: stop it, then start again.`)
}

async function pidFile(data: string): Promise<string[]> {
  const text = await readFile(path.join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  return text.split('\n').map((line) => line.trim())
}

async function checkVersion(data: string): Promise<void> {
  if (!existsSync(data)) return
  const found = (await readFile(path.join(data, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (found === MAJOR) return
  throw new SetupError(
    found
      ? `The database in ${data} was made by Postgres ${found} and this Cairn runs Postgres ${MAJOR}: go back to the Cairn that made it to take your data out, or start empty with "npm start -- --reset".`
      : `The folder ${data} is not a database of Cairn: move it away, or start empty with "npm start -- --reset".`,
  )
}

/** Created next to its final location and renamed, so that a killed initdb never leaves half a cluster. */
async function createCluster(home: PostgresHome, { password, throwaway = false }: PostgresOptions): Promise<void> {
  const fresh = `${home.data}.new`
  const passwordFile = `${home.data}.password`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { mode: 0o700 })
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (home.user) {
    await chown(fresh, home.user.uid, home.user.gid)
    await chown(passwordFile, home.user.uid, home.user.gid)
  }
  try {
    await runToEnd(home, [
      `--pgdata=${fresh}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      // Neon takes the password in clear inside TLS; on loopback the same exchange saves SCRAM's round trips.
      '--auth-host=password',
      '--auth-local=reject',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(throwaway ? ['--no-sync'] : []),
    ])
  } finally {
    await rm(passwordFile, { force: true })
  }
  await rename(fresh, home.data)
}

async function runToEnd(home: PostgresHome, args: string[]): Promise<void> {
  const child = spawn(home.programs.initdb, args, { ...home.user, cwd: path.dirname(home.data), env: environment() })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0) throw new SetupError(`The database could not be created: ${lastLines(output)}`)
}

/** Starts the server and waits until it accepts connections. */
async function launch(home: PostgresHome, options: PostgresOptions): Promise<ChildProcess> {
  // After a SIGKILL the backends keep the shared memory, or the port, a moment longer than the postmaster lives.
  for (const end = Date.now() + 10_000; ; await sleep(100)) {
    const outcome = await launchOnce(home, options)
    if (typeof outcome !== 'string') return outcome
    if (/shared memory block|address already in use/i.test(outcome) && Date.now() < end) continue
    throw new SetupError(`The database did not start: ${outcome}`)
  }
}

async function launchOnce(home: PostgresHome, options: PostgresOptions): Promise<ChildProcess | string> {
  // A file and not a pipe: the server must be able to log after this process is gone.
  const logFile = path.join(options.dir, 'postgres.log')
  // A new file, not the same one truncated: late output of a killed server's backends would hide why this one ends.
  await rm(logFile, { force: true })
  const log = openSync(logFile, 'w', 0o600)
  const child = spawn(home.programs.postgres, ['-D', home.data, ...settings(options)], {
    ...home.user,
    cwd: home.data,
    env: environment(),
    stdio: ['ignore', log, log],
    // In its own process group, so that Ctrl-C reaches only this process and the server ends last.
    detached: true,
  })
  closeSync(log)
  let failure: Error | undefined
  child.once('error', (error) => (failure = error))
  while (!failure && child.exitCode === null && child.signalCode === null) {
    const lines = await pidFile(home.data)
    if (Number(lines[0]) === child.pid && lines[7] === 'ready') return child
    await sleep(20)
  }
  return failure?.message ?? lastLines(await readFile(logFile, 'utf8'))
}

function settings({ port, throwaway = false }: PostgresOptions): string[] {
  const values = {
    listen_addresses: HOST,
    port,
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: '128MB',
    jit: 'off',
    log_checkpoints: 'off',
    // There are no replicas, so much less has to be written.
    wal_level: 'minimal',
    max_wal_senders: 0,
    ...(throwaway ? { fsync: 'off', full_page_writes: 'off' } : {}),
    timezone: 'UTC',
    log_timezone: 'UTC',
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C' }
}

function lastLines(output: string): string {
  const lines = output
    .trim()
    .split('\n')
    .filter((line) => /FATAL|ERROR|error|could not|HINT/.test(line))
  return (lines.length > 0 ? lines : output.trim().split('\n')).slice(-3).join(' ') || 'no reason was given'
}
