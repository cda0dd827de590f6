import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { buildWeb } from '../build-web.ts'
import { migrateDatabase, pendingMigrations } from '../migrate.ts'
import { releaseName } from '../release-name.ts'
import { SetupError } from '../setup-error.ts'
import { PROJECT } from '../state-folder.ts'
import { readWranglerConfig } from '../wrangler-config.ts'
import { bundleSize, kilobytes } from './bundle.ts'
import { databaseProblem, wranglerProblem } from './sentences.ts'
import { SETTINGS, settingProblems } from './settings.ts'
import { mustRun, type Wrangler, withSecretsFile } from './wrangler.ts'

/** Checks the settings as the worker does at its start, and nothing else: calls no account and builds nothing. */
export function check(settings: Record<string, string>, log: Deployment['log']): void {
  const problems = settingProblems(settings)
  for (const problem of problems) log(`✗ ${problem}`)
  if (problems.length > 0) throw notReady(problems.length)
  log('✓ settings')
}

export interface Deployment {
  settings: Record<string, string>
  dryRun: boolean
  wrangler: Wrangler
  /** Builds the files that the worker serves. */
  build?: () => Promise<unknown>
  /** The version reported by a running site, or null. */
  version?: (origin: string) => Promise<string | null>
  log: (line: string) => void
}

/**
 * Reports all problems and asks both accounts first; then builds, so that a broken build leaves the database alone; then migrates, then
 * uploads the code. A dry run calls no account.
 */
export async function deploy(deployment: Deployment): Promise<void> {
  const { settings, dryRun, wrangler, log } = deployment
  const problems = settingProblems(settings, dryRun ? undefined : await account(wrangler))
  const { APP_ORIGIN: origin, DATABASE_URL: database } = settings
  if (problems.length === 0) {
    if (!origin) problems.push('APP_ORIGIN is missing here: it says which host the site is put on')
    if (!database) problems.push('DATABASE_URL is missing here: migrations are run from this machine')
  }
  for (const problem of problems) log(`✗ ${problem}`)
  if (problems.length > 0 && !dryRun) throw notReady(problems.length)
  if (problems.length === 0) log('✓ settings')
  const pending = database && !dryRun ? await askDatabase(database, () => pendingMigrations(database)) : []

  await (deployment.build ?? buildWeb)()
  log('✓ web app is built')
  log(`✓ worker is bundled: ${kilobytes(await bundleSize(wrangler))} after gzip`)
  if (problems.length > 0 || !origin || !database) throw notReady(problems.length)
  if (dryRun) return log('Ready: "npm run deploy" without --dry-run deploys this.')
  await askDatabase(database, () => migrateDatabase(database))
  log(`✓ database ${pending.length === 0 ? 'is up to date' : `got ${pending.join(', ')}`}`)
  await upload(deployment, origin)
}

async function askDatabase<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw databaseProblem(databaseUrl, error)
  })
}

function notReady(problems: number): SetupError {
  return new SetupError(
    `Not ready to deploy: ${problems === 1 ? 'one thing is' : `${problems} things are`} missing or wrong. Put NAME=value lines into .env.deploy; docs/deploy.md tells where each comes from.`,
  )
}

/** Requires a signed-in account and a bucket. Returns the names of the worker's secrets. */
async function account(wrangler: Wrangler): Promise<Set<string>> {
  const { name, r2_buckets } = await readWranglerConfig()
  // In parallel: wrangler takes seconds to start.
  const [who, secrets, ...buckets] = await Promise.all([
    wrangler(['whoami', '--json']),
    wrangler(['secret', 'list', '--name', name, '--format', 'json']),
    ...r2_buckets.map(({ bucket_name }) => wrangler(['r2', 'bucket', 'info', bucket_name])),
  ])
  if (/"loggedIn":\s*false/.test(who.output))
    throw new SetupError(
      'Cloudflare does not know who deploys: run "npx wrangler login", or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.',
    )
  if (!who.ok) throw wranglerProblem('The sign-in at Cloudflare', who.output)
  for (const [nth, { bucket_name }] of r2_buckets.entries()) {
    const bucket = buckets[nth]
    if (bucket?.ok) continue
    if (/10006|does not exist/.test(bucket?.output ?? ''))
      throw new SetupError(
        `There is no bucket ${bucket_name}: make it with "npx wrangler r2 bucket create ${bucket_name}", then deploy again.`,
      )
    throw wranglerProblem(`Looking at the bucket ${bucket_name}`, bucket?.output ?? '')
  }
  // Before the first deployment there is no worker yet.
  if (!secrets.ok && !/10007|not found|does not exist/i.test(secrets.output))
    throw wranglerProblem("Listing the worker's secrets", secrets.output)
  return new Set(secrets.ok ? [...secrets.output.matchAll(/"name":\s*"(\w+)"/g)].map(([, secret]) => secret ?? '') : [])
}

async function upload({ settings, wrangler, log, version = siteVersion }: Deployment, origin: string): Promise<void> {
  const release = await releaseName(PROJECT)
  const { ok, output } = await withSecretsFile(secretsOf(settings), (file) => wrangler(deployArgs({ ...settings, origin }, file, release)))
  if (!ok)
    throw new SetupError(
      `${wranglerProblem('The upload', output).message}\nThe database has its migrations, and the earlier code still runs with them: deploying again is safe.`,
    )
  if (!(await runs(() => version(origin), release)))
    throw new SetupError(
      `${release} is deployed, and ${origin}/api/health does not name it yet: look there, read "npx wrangler tail", or go back with "npm run deploy -- --rollback".`,
    )
  log(`✓ ${release} runs at ${origin}`)
}

/** Passes on only the names in SETTINGS; the rest of the environment stays private. */
function secretsOf(settings: Record<string, string>): Record<string, string> {
  return Object.fromEntries(SETTINGS.flatMap(({ name }) => (settings[name] ? [[name, settings[name]]] : [])))
}

interface Target {
  origin: string
  AUTH_PROVIDER?: string
}

function deployArgs({ origin, AUTH_PROVIDER }: Target, secrets: string, release: string): string[] {
  const host = new URL(origin).hostname
  return [
    ...['deploy', '--minify', '--secrets-file', secrets, '--tag', release, '--message', release],
    ...(AUTH_PROVIDER ? ['--var', `AUTH_PROVIDER:${AUTH_PROVIDER}`] : []),
    ...(host.endsWith('.workers.dev') ? [] : ['--domain', host]),
  ]
}

/** A new domain gets its certificate within a minute or two. */
async function runs(version: () => Promise<string | null>, release: string, attempts = 60): Promise<boolean> {
  for (let left = attempts; left > 0; left--) {
    if ((await version()) === release) return true
    if (left > 1) await sleep(2_000)
  }
  return false
}

async function siteVersion(origin: string): Promise<string | null> {
  try {
    const response = await fetch(`${origin}/api/health`, { signal: AbortSignal.timeout(5_000) })
    const body: unknown = await response.json()
    return typeof body === 'object' && body && 'version' in body ? String(body.version) : null
  } catch {
    return null
  }
}

export interface Rollback {
  wrangler: Wrangler
  /** The one before the current if undefined. */
  version: string | undefined
  /** Whether secrets that have changed since get the values of that version again. Without it, they prevent the rollback. */
  withSecrets: boolean
  log: Deployment['log']
}

/** Restores an earlier version of the worker. The database stays as it is. */
export async function rollBack({ wrangler, version, withSecrets, log }: Rollback): Promise<void> {
  const target = version ?? (await versionBefore(wrangler))
  // Without a terminal `rollback` answers the question about changed secrets with yes; `versions deploy` fails.
  const command = withSecrets ? ['rollback', target] : ['versions', 'deploy', `${target}@100%`]
  const { ok, output } = await wrangler([...command, '--yes', '--message', 'npm run deploy -- --rollback'])
  const [, changed] = /The following secrets have changed:\s*([\w, ]+)/.exec(output) ?? []
  if (!ok && changed)
    throw new SetupError(
      `Nothing was changed: since ${target}, these secrets of the worker have: ${changed.trim()}. Their earlier values come back with "npm run deploy -- --rollback ${target} --with-secrets".`,
    )
  if (!ok) throw wranglerProblem('Going back', output)
  log('✓ the worker went back. The database stays as it is: migrations only add, so that the earlier code runs on it.')
}

const Deployments = z.array(
  z.looseObject({ created_on: z.string(), versions: z.array(z.looseObject({ version_id: z.string(), percentage: z.number() })) }),
)

/** The newest version that had all traffic before the current deployment. */
async function versionBefore(wrangler: Wrangler): Promise<string> {
  const output = await mustRun(wrangler, ['deployments', 'list', '--json'], 'Listing the deployments')
  // Without the warnings around it.
  const json = output.slice(output.indexOf('[\n'), output.lastIndexOf('\n]') + 2)
  const newestFirst = Deployments.parse(JSON.parse(json)).toSorted((a, b) => b.created_on.localeCompare(a.created_on))
  const earlier = newestFirst.slice(1).flatMap(({ versions }) => versions)
  const found = earlier.find(({ percentage }) => percentage === 100)
  if (!found) throw new SetupError('There is no earlier version to go back to.')
  return found.version_id
}
