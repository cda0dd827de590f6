import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse } from 'smol-toml'
import { buildWeb } from '../build-web.ts'
import { migrateDatabase } from '../migrate.ts'
import { SetupError } from '../setup-error.ts'
import { PROJECT } from '../state-folder.ts'
import { type Cloud, emptyBucket, openBranch, removeBranch, workersSubdomain } from './cloud.ts'
import { mustRun, type Wrangler } from './wrangler.ts'

export interface Preview {
  /** Name of the git branch. */
  branch: string
  cloud: Cloud
  wrangler: Wrangler
  log: (line: string) => void
  build?: () => Promise<unknown>
  migrate?: (databaseUrl: string) => Promise<void>
}

/** A branch's name as a part of a host name. The hash distinguishes names that differ only in punctuation or beyond the length limit. */
export function previewName(branch: string): string {
  const words = branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 24)
    .replace(/-$/, '')
  return `${words || 'branch'}-${createHash('sha256').update(branch).digest('hex').slice(0, 6)}`
}

const bucketOf = (worker: string, name: string) => `${worker}-preview-${name}`

type Config = Record<string, unknown> & { name: string }

async function wranglerConfig(): Promise<Config> {
  const config = parse(await readFile(path.join(PROJECT, 'wrangler.toml'), 'utf8'))
  return { ...config, name: String(config.name) }
}

/**
 * wrangler.toml with an environment for this preview. A preview inherits no bindings. Its rooms are separate by themselves, a bucket is
 * not. It must not share one: the sweep deletes objects that have no row in its own database.
 */
export function previewConfig(config: Config, name: string): object {
  const { vars, images, version_metadata, durable_objects } = config
  const r2_buckets = [{ binding: 'FILES', bucket_name: bucketOf(config.name, name) }]
  return { ...config, previews: { vars, images, version_metadata, durable_objects, r2_buckets } }
}

/**
 * Creates everything the preview needs: a branch of the database with its sign-in service, a bucket, rooms and keys. Calling it again
 * updates them.
 */
export async function openPreview(preview: Preview): Promise<string> {
  const { cloud, wrangler, log } = preview
  const config = await wranglerConfig()
  const name = previewName(preview.branch)
  const origin = `https://${name}-${config.name}.${await workersSubdomain(cloud)}.workers.dev`
  await (preview.build ?? buildWeb)()
  const { databaseUrl, authUrl } = await openBranch(cloud, name, origin)
  log(`✓ database branch ${name}`)
  await (preview.migrate ?? migrateDatabase)(databaseUrl)
  await makeBucket(wrangler, bucketOf(config.name, name))
  log(`✓ bucket ${bucketOf(config.name, name)}`)
  await upload(wrangler, { config, name, secrets: { APP_ORIGIN: origin, DATABASE_URL: databaseUrl, AUTH_URL: authUrl, ...freshKeys() } })
  log(`✓ ${origin}`)
  return origin
}

async function makeBucket(wrangler: Wrangler, bucket: string): Promise<void> {
  if ((await wrangler(['r2', 'bucket', 'info', bucket])).ok) return
  await mustRun(wrangler, ['r2', 'bucket', 'create', bucket], `The bucket ${bucket}`)
}

/** New keys at each update: users have to sign in again. */
function freshKeys(): Record<string, string> {
  return { SESSION_KEYS: `p1:${randomBytes(32).toString('base64')}`, LIVE_KEY: randomBytes(32).toString('base64') }
}

interface Upload {
  config: Config
  name: string
  secrets: Record<string, string> & { APP_ORIGIN: string }
}

async function upload(wrangler: Wrangler, { config, name, secrets }: Upload): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-preview-'))
  // Next to wrangler.toml, because its paths are relative to it.
  const file = path.join(PROJECT, 'wrangler.preview.json')
  const secretsFile = path.join(folder, 'secrets.json')
  try {
    await writeFile(file, JSON.stringify(previewConfig(config, name), null, 2))
    await writeFile(secretsFile, JSON.stringify(secrets), { mode: 0o600 })
    const output = await mustRun(wrangler, ['preview', '--config', file, '--name', name, '--secrets-file', secretsFile], 'The preview')
    if (!output.includes(secrets.APP_ORIGIN))
      throw new SetupError(
        `The preview has another address than ${secrets.APP_ORIGIN}, or none, so nobody can sign in. wrangler says:\n${output}`,
      )
  } finally {
    await rm(file, { force: true })
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes everything that `openPreview` created, whether or not all parts exist. */
export async function closePreview({ branch, cloud, wrangler, log }: Preview): Promise<void> {
  const { name: worker } = await wranglerConfig()
  const name = previewName(branch)
  const bucket = bucketOf(worker, name)
  const parts: Record<string, () => Promise<unknown>> = {
    preview: () => unlessGone(wrangler, ['preview', 'delete', '--name', name, '--skip-confirmation']),
    database: () => removeBranch(cloud, name),
    bucket: async () => {
      await emptyBucket(cloud, bucket)
      await unlessGone(wrangler, ['r2', 'bucket', 'delete', bucket])
    },
  }
  const failures: string[] = []
  for (const [part, remove] of Object.entries(parts)) {
    await remove().then(
      () => log(`✓ ${part} of ${name} is removed`),
      (error: unknown) => failures.push(`${part}: ${error instanceof Error ? error.message : error}`),
    )
  }
  if (failures.length > 0) throw new SetupError(`The preview ${name} is not wholly removed.\n${failures.join('\n')}`)
}

async function unlessGone(wrangler: Wrangler, args: string[]): Promise<void> {
  const { ok, output } = await wrangler(args)
  if (!ok && !/not found|does not exist|10006|10007|10025|10090/i.test(output)) throw new Error(output)
}
