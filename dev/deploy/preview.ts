import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buildWeb } from '../build-web.ts'
import { migrateDatabase } from '../migrate.ts'
import { messageOf, SetupError } from '../setup-error.ts'
import { PROJECT } from '../state-folder.ts'
import { type Cloud, emptyBucket, listBranches, openBranch, removeBranch, workersSubdomain } from './cloud.ts'
import { ensureKeys, type PreviewKeys, storedKeys } from './preview-keys.ts'
import { type Config, previewBucket, wranglerConfig } from './preview-name.ts'
import { databaseProblem } from './sentences.ts'
import { mustRun, type Wrangler, withSecretsFile } from './wrangler.ts'

export interface Preview {
  /** As `previewName` makes it from a git branch. */
  name: string
  cloud: Cloud
  wrangler: Wrangler
  log: (line: string) => void
  /** A hosted map style, for a preview that shows the site's map. */
  map?: Record<string, string>
  build?: () => Promise<unknown>
  migrate?: (databaseUrl: string) => Promise<void>
}

export interface OpenedPreview {
  origin: string
  /** Opens the calls below /_preview; undefined if there is no preview yet. */
  key: string | undefined
}

export const MAP_SETTINGS = ['MAP_STYLE_URL', 'MAP_STYLE_URL_DARK', 'MAP_HOSTS']

/** Parts of the site that a preview lacks, one sentence each. */
export const LACKS = [
  "Crons do not run: the call below runs the minute's task.",
  'Mails are not sent: the call below shows them.',
  'A map archive (MAP_TILES) stays in the bucket of the site: without MAP_STYLE_URL the map is the built-in one.',
  'Images are made by the worker, without IMAGE_PROVIDER. There are no analytics.',
]

/**
 * wrangler.toml with an environment for this preview. A preview inherits no bindings. Its rooms are separate by themselves, a bucket is
 * not. It must not share one: the sweep deletes objects that have no row in its own database.
 */
export function previewConfig(config: Config, name: string): object {
  const { vars, images, durable_objects } = config
  const r2_buckets = [{ binding: 'FILES', bucket_name: previewBucket(config.name, name) }]
  return { ...config, previews: { vars, images, durable_objects, r2_buckets } }
}

async function originOf(cloud: Cloud, { name: worker }: Config, name: string): Promise<string> {
  return `https://${name}-${worker}.${await workersSubdomain(cloud)}.workers.dev`
}

/**
 * Creates everything the preview needs: a branch of the database with its sign-in service, a bucket, rooms and keys. Calling it again
 * updates the code and keeps the rest. Both accounts are asked before anything is built or made.
 */
export async function openPreview(preview: Preview): Promise<OpenedPreview> {
  const { cloud, name } = preview
  const config = await wranglerConfig()
  const [origin] = await Promise.all([originOf(cloud, config, name), listBranches(cloud)])
  await (preview.build ?? buildWeb)()
  try {
    return await makeParts(preview, config, origin)
  } catch (error) {
    throw new SetupError(
      `${messageOf(error)}\nThe preview ${name} is not complete: run the same command again, or remove it with "npm run preview -- close --name ${name}".`,
    )
  }
}

async function makeParts({ cloud, wrangler, log, name, ...preview }: Preview, config: Config, origin: string): Promise<OpenedPreview> {
  const bucket = previewBucket(config.name, name)
  const { databaseUrl, authUrl } = await openBranch(cloud, name, origin)
  log(`✓ database branch ${name}`)
  await (preview.migrate ?? migrateDatabase)(databaseUrl).catch((error: unknown) => {
    throw databaseProblem(databaseUrl, error)
  })
  await makeBucket(wrangler, bucket)
  log(`✓ bucket ${bucket}`)
  const keys = await ensureKeys(cloud, bucket)
  await upload(wrangler, {
    config,
    name,
    secrets: { APP_ORIGIN: origin, DATABASE_URL: databaseUrl, AUTH_URL: authUrl, ...keys, ...preview.map },
  })
  log(`✓ ${origin}`)
  return { origin, key: keys.PREVIEW_KEY }
}

/** Address and key of a preview that may be open. */
export async function showPreview(cloud: Cloud, name: string): Promise<OpenedPreview> {
  const config = await wranglerConfig()
  const keys: PreviewKeys | undefined = await storedKeys(cloud, previewBucket(config.name, name))
  return { origin: await originOf(cloud, config, name), key: keys?.PREVIEW_KEY }
}

async function makeBucket(wrangler: Wrangler, bucket: string): Promise<void> {
  if ((await wrangler(['r2', 'bucket', 'info', bucket])).ok) return
  await mustRun(wrangler, ['r2', 'bucket', 'create', bucket], `The bucket ${bucket}`)
}

interface Upload {
  config: Config
  name: string
  secrets: Record<string, string> & { APP_ORIGIN: string }
}

async function upload(wrangler: Wrangler, { config, name, secrets }: Upload): Promise<void> {
  // Next to wrangler.toml, because its paths are relative to it.
  const file = path.join(PROJECT, 'wrangler.preview.json')
  try {
    await writeFile(file, JSON.stringify(previewConfig(config, name), null, 2))
    const output = await withSecretsFile(secrets, (secretsFile) =>
      mustRun(wrangler, ['preview', '--config', file, '--name', name, '--secrets-file', secretsFile], 'The preview'),
    )
    if (!output.includes(secrets.APP_ORIGIN))
      throw new SetupError(
        `The preview has another address than ${secrets.APP_ORIGIN}, or none, so nobody can sign in. wrangler says:\n${output}`,
      )
  } finally {
    await rm(file, { force: true })
  }
}

/** Removes everything that `openPreview` created, whether or not all parts exist. Needs nothing but the name. */
export async function closePreview({ name, cloud, wrangler, log }: Preview): Promise<void> {
  const { name: worker } = await wranglerConfig()
  const bucket = previewBucket(worker, name)
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
      (error: unknown) => failures.push(`${part}: ${messageOf(error)}`),
    )
  }
  if (failures.length > 0)
    throw new SetupError(`The preview ${name} is not wholly removed: run the same command again for the rest.\n${failures.join('\n')}`)
}

async function unlessGone(wrangler: Wrangler, args: string[]): Promise<void> {
  const { ok, output } = await wrangler(args)
  if (!ok && !/not found|does not exist|10006|10007|10025|10090/i.test(output)) throw new Error(output)
}
