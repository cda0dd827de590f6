import { mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { withoutPooler } from '../migrate.ts'
import { releaseName } from '../release-name.ts'
import { errorCode, SetupError } from '../setup-error.ts'
import { type Stack, startStack } from '../stack.ts'
import { PROJECT } from '../state-folder.ts'
import { type Manifest, readManifest, verifyBackup } from './manifest.ts'
import { restoreObjects, saveObjects, withBucket } from './objects.ts'
import { requireKnownSchema, requireRoom, restoreDatabase } from './restore-database.ts'
import { saveDatabase } from './save-database.ts'

/** Saves the database and objects that `npm start` stores in `dir` into a new folder. Refused while Cairn is running there. */
export function saveLocal(dir: string, folder: string): Promise<Manifest> {
  return saveInto(folder, async () => {
    await requireOutside(dir, folder)
    return withServices(dir, async ({ postgresUrl }) => {
      const database = await saveDatabase(postgresUrl, folder)
      return { ...database, objects: await withBucket(storageOf(dir), (bucket) => saveObjects(bucket, folder)) }
    })
  })
}

/** Saves a deployment's database. Its objects are copied from bucket to bucket, see docs/deploy.md. */
export function saveDeployed(databaseUrl: string, folder: string): Promise<Manifest> {
  return saveInto(folder, async () => ({ ...(await saveDatabase(withoutPooler(databaseUrl), folder)), objects: null }))
}

/**
 * Restores the objects first: repeating them changes nothing, and rows must not exist before their objects. `remove` may delete the
 * existing data, after the backup was checked. Returns null if it did not.
 */
export async function restoreLocal(dir: string, folder: string, remove = async () => true): Promise<Manifest | null> {
  await requireOutside(dir, folder)
  const manifest = await readSound(folder)
  requireLocal(manifest)
  if (!(await remove())) return null
  await withServices(dir, async ({ postgresUrl: url, databaseUrl }) => {
    await requireRoom({ url, databaseUrl }, manifest)
    if (manifest.objects) await withBucket(storageOf(dir), (bucket) => restoreObjects(bucket, folder))
    await restoreDatabase({ url, databaseUrl }, folder, manifest)
  })
  return manifest
}

export async function restoreDeployed(databaseUrl: string, folder: string): Promise<Manifest> {
  const manifest = await readSound(folder)
  const target = { url: withoutPooler(databaseUrl), databaseUrl }
  await requireRoom(target, manifest)
  await restoreDatabase(target, folder, manifest)
  return manifest
}

/** Checks all of a backup without changing anything. */
async function readSound(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  await requireKnownSchema(manifest)
  await verifyBackup(folder, manifest)
  return manifest
}

/** A deployment's objects are stored elsewhere, and its accounts are in tables that the local sign-in service does not have. */
function requireLocal({ objects }: Manifest): void {
  if (objects) return
  throw new SetupError(
    'This is the backup of a deployment, which is restored into a database at Neon: set DATABASE_URL to an empty one, without --reset. docs/deploy.md tells what else it takes.',
  )
}

/** Deleting all of Cairn's data would delete a backup inside its folder. */
async function requireOutside(dir: string, folder: string): Promise<void> {
  const [data, backup] = await Promise.all([realOf(dir), realOf(folder)])
  if (backup === data || backup.startsWith(data + path.sep))
    throw new SetupError(`${folder} lies in ${dir}, which --reset removes whole: a backup needs another place.`)
}

/** Resolves links on the path; returns the path unchanged if it does not exist. */
function realOf(place: string): Promise<string> {
  return realpath(place).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return path.resolve(place)
    throw error
  })
}

const storageOf = (dir: string) => path.join(dir, 'storage')

/** Starts the database and the sign-in service, which creates its own tables; the schema stays as it is. */
async function withServices<T>(dir: string, work: (stack: Stack) => Promise<T>): Promise<T> {
  const stack = await startStack({ dir, worker: false, assets: false, migrations: false })
  try {
    return await work(stack)
  } finally {
    await stack.stop()
  }
}

type Saved = Pick<Manifest, 'schema' | 'tables' | 'sequences' | 'objects'>

/** Requires an empty folder, and empties it again if the backup fails. */
async function saveInto(folder: string, save: () => Promise<Saved>): Promise<Manifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0) throw new SetupError(`${folder} is not empty: name a new folder for the backup.`)
  try {
    const manifest: Manifest = { format: 1, release: await releaseName(PROJECT), taken: new Date().toISOString(), ...(await save()) }
    await writeFile(path.join(folder, 'backup.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 })
    return manifest
  } catch (error) {
    for (const part of await readdir(folder)) await rm(path.join(folder, part), { recursive: true, force: true })
    throw error
  }
}

export function summary({ tables, objects, schema }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const files = objects ? `, ${objects.count} objects of ${(objects.bytes / 1e6).toFixed(1)} MB` : ''
  return `${rows} rows of ${tables.length} tables (schema ${schema.tag})${files}`
}
