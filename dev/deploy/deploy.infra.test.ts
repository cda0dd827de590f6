import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WORKER_BUNDLE } from '../build-worker.ts'
import { Client } from '../http-client.ts'
import { MIGRATIONS, pendingMigrations, readJournal } from '../migrate.ts'
import { releaseName } from '../release-name.ts'
import { messageOf } from '../setup-error.ts'
import { type Stack, startStack } from '../stack.ts'
import { PROJECT } from '../state-folder.ts'
import { startCloudPeer } from './cloud-peer.ts'
import { deploy, rollBack } from './deploy.ts'
import { NAMES_HERE } from './neon-peer.ts'
import { wrangler } from './wrangler.ts'

const newKey = () => randomBytes(32).toString('base64')
const key = newKey()
let stack: Stack
let settings: Record<string, string>

beforeAll(async () => {
  stack = await startStack({ worker: false, assets: false, migrations: false })
  settings = {
    APP_ORIGIN: 'https://cairn.example',
    DATABASE_URL: Object.assign(new URL(stack.databaseUrl), { hostname: 'ep-here.neon.test' }).href,
    AUTH_URL: 'https://ep-a.neonauth.eu-central-1.aws.neon.tech/neondb/auth',
    SESSION_KEYS: `k1:${newKey()}`,
    LIVE_KEY: key,
  }
})

afterAll(() => stack?.stop())

/** Runs the command with exactly these settings. */
async function runCheck(env: Record<string, string>): Promise<{ code: number; output: string }> {
  const { PATH = '', HOME = '' } = process.env
  const options = { cwd: PROJECT, env: { PATH, HOME, NODE_OPTIONS: NAMES_HERE, ...env } }
  const ran = promisify(execFile)(process.execPath, ['dev/deploy/main.ts', '--check'], options)
  return ran.then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}` }),
  )
}

test('A dry run without settings names each missing one and still builds', async () => {
  const said: string[] = []
  let built = false
  const build = async () => (built = true)
  const running = deploy({ settings: {}, dryRun: true, wrangler: answers({}), build, log: (line) => said.push(line) })
  await expect(running).rejects.toThrow('Not ready to deploy: 5 things')
  expect(built).toBe(true)
  for (const name of Object.keys(settings)) expect(said).toContainEqual(expect.stringContaining(`✗ ${name} is missing: `))
  expect(said.at(-1)).toMatch(/worker is bundled: \d+ KB/)
})

test('A check refuses what the worker would refuse at its start, and builds and calls nothing', async () => {
  const fine = await runCheck(settings)
  expect(fine).toEqual({ code: 0, output: '✓ settings\n' })
  const unsafe = await runCheck({
    ...settings,
    APP_ORIGIN: 'http://cairn.example',
    SESSION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  })
  expect(unsafe.code).toBe(1)
  expect(unsafe.output).toContain('✗ APP_ORIGIN must start with https: only an address of this machine may be http')
  expect(unsafe.output).toContain('✗ SESSION_KEYS is too easy to guess')
  expect(unsafe.output).toContain('Not ready to deploy: 2 things')
})

test('A deployment migrates before it uploads, passes on only the settings, and waits for the new release', async () => {
  const commands: string[] = []
  let uploaded = {}
  const wrangler = async (args: string[]) => {
    commands.push(args.slice(0, 3).join(' '))
    if (args.includes('--outdir')) await writeFile(path.join(args.at(-1) ?? '', 'index.js'), 'export default {}')
    const secrets = args[args.indexOf('--secrets-file') + 1]
    if (args.includes('--secrets-file')) {
      expect(await pendingMigrations(stack.databaseUrl)).toEqual([])
      expect(args.join(' ')).toContain('--domain cairn.example')
      uploaded = JSON.parse(await readFile(secrets ?? '', 'utf8'))
    }
    return { ok: true, output: '[]' }
  }
  const release = await releaseName(PROJECT)
  const said: string[] = []
  await deploy({
    ...{ settings, dryRun: false, wrangler, build: async () => {}, version: async () => release },
    log: (line) => said.push(line),
  })
  expect(commands).toEqual([
    'whoami --json',
    'secret list --name',
    'r2 bucket info',
    'deploy --dry-run --minify',
    'deploy --minify --secrets-file',
  ])
  expect(uploaded).toEqual(settings)
  expect(said.at(-1)).toBe(`✓ ${release} runs at https://cairn.example`)
})

test("The site's address and the database must be set locally for each deployment, even if the worker has them", async () => {
  const said: string[] = []
  const secrets = JSON.stringify(Object.keys(settings).map((name) => ({ name })))
  const wrangler = async () => ({ ok: true, output: secrets })
  const again = deploy({ settings: {}, dryRun: false, wrangler, log: (line) => said.push(line) })
  await expect(again).rejects.toThrow('2 things are missing')
  expect(said).toEqual([expect.stringContaining('APP_ORIGIN is missing here'), expect.stringContaining('DATABASE_URL is missing here')])
})

test('Code older than the database, or with a changed migration, is refused', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-migrations-'))
  try {
    await cp(MIGRATIONS, folder, { recursive: true })
    const journal = await readJournal(folder)
    const last = journal.entries.pop()
    await writeFile(path.join(folder, 'meta/_journal.json'), JSON.stringify(journal))
    await expect(pendingMigrations(stack.databaseUrl, folder)).rejects.toThrow('The database is newer than this code')
    await cp(MIGRATIONS, folder, { recursive: true })
    await writeFile(path.join(folder, `${last?.tag}.sql`), 'select 1')
    await expect(pendingMigrations(stack.databaseUrl, folder)).rejects.toThrow('append-only')
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('A rollback to a version with other secrets changes nothing and names them, unless it is told to take them back', async () => {
  const cloud = await startCloudPeer()
  for (const [name, value] of Object.entries({ API_BASE_URL: cloud.url, API_TOKEN: 't', ACCOUNT_ID: 'a1' }))
    vi.stubEnv(`CLOUDFLARE_${name}`, value)
  const [now, before] = [1, 2].map((nth) => ({ id: `00000000-0000-4000-8000-00000000000${nth}`, tag: '' }))
  if (!now || !before) throw new Error()
  Object.assign(cloud.state, { versions: [now, before], running: now.id, changedSecrets: 'SESSION_KEYS, LIVE_KEY' })
  const said: string[] = []
  const back = (version: string | undefined, withSecrets: boolean) =>
    rollBack({ wrangler, version, withSecrets, log: (line) => said.push(line) })
  try {
    await expect(back(undefined, false)).rejects.toThrow(
      `since ${before.id}, these secrets of the worker have: SESSION_KEYS, LIVE_KEY. Their earlier values come back with "npm run deploy -- --rollback ${before.id} --with-secrets"`,
    )
    expect(cloud.state.running).toBe(now.id)
    await back(before.id, true)
    expect(cloud.state.running).toBe(before.id)
    expect(said.join()).toContain('The database stays')
  } finally {
    vi.unstubAllEnvs()
    await cloud.stop()
  }
})

test('A worker with invalid settings answers with the problem and without their values', async () => {
  const unset = await startStack({ worker: WORKER_BUNDLE, assets: false, migrations: false, vars: { LIVE_KEY: 'hush' } })
  try {
    const { status, bytes } = await new Client(unset.origin).get('/api/health')
    expect(status).toBe(503)
    const text = new TextDecoder().decode(bytes)
    expect(text).toContain('LIVE_KEY is base64 of 32 bytes')
    expect(text).not.toContain('hush')
  } finally {
    await unset.stop()
  }
})

/** wrangler that fails with these outputs by command; every other command succeeds. */
const answers = (outputs: Record<string, string>) => async (args: string[]) => {
  if (args.includes('--outdir')) await writeFile(path.join(args.at(-1) ?? '', 'index.js'), 'export default {}')
  const [, output] = Object.entries(outputs).find(([command]) => args.join(' ').startsWith(command)) ?? []
  return output === undefined ? { ok: true, output: '[]' } : { ok: false, output }
}

test.each([
  ['no one is signed in', { whoami: '{"loggedIn": false}' }, 'Cloudflare does not know who deploys: run "npx wrangler login"'],
  ['the token is wrong', { whoami: 'Invalid access token [code: 9109]' }, 'Cloudflare refuses the token'],
  ['there is no network', { whoami: 'TypeError: fetch failed' }, 'Cloudflare cannot be reached: check the network'],
  [
    'the bucket is missing',
    { 'r2 bucket info': 'The specified bucket does not exist. [code: 10006]' },
    'npx wrangler r2 bucket create cairn-files',
  ],
  ['the secrets cannot be listed', { 'secret list': 'Authentication error [code: 10000]' }, "Listing the worker's secrets failed, because"],
])('If %s, a deployment says so before it builds or migrates', async (_when, outputs, sentence) => {
  let built = false
  const build = async () => (built = true)
  const deploying = deploy({ settings, dryRun: false, wrangler: answers(outputs), build, log: () => {} })
  await expect(deploying).rejects.toThrow(sentence)
  expect(built).toBe(false)
})

test.each([
  ['cannot be reached', (url: URL) => Object.assign(url, { port: '9' }), 'The database at ep-here.neon.test cannot be reached'],
  ['refuses the password', (url: URL) => Object.assign(url, { password: 'wrong-word' }), 'refuses the password of cairn'],
  ['does not exist', (url: URL) => Object.assign(url, { pathname: '/nowhere' }), 'There is no database nowhere at ep-here.neon.test'],
])('If the database %s, a deployment says so before it builds, without the password', async (_what, change, sentence) => {
  let built = false
  const build = async () => (built = true)
  const DATABASE_URL = change(new URL(settings.DATABASE_URL ?? '')).href
  const deploying = deploy({ settings: { ...settings, DATABASE_URL }, dryRun: false, wrangler: answers({}), build, log: () => {} })
  const message = await deploying.then(String, String)
  expect(message).toContain(sentence)
  expect(message).not.toMatch(new RegExp(`wrong-word|${new URL(stack.databaseUrl).password}`))
  expect(built).toBe(false)
})

test('A failed upload says that the database was migrated and that deploying again is safe', async () => {
  const wrangler = answers({ 'deploy --minify --secrets-file': 'fetch failed' })
  const deploying = deploy({ settings, dryRun: false, wrangler, build: async () => {}, log: () => {} })
  await expect(deploying).rejects.toThrow(/Cloudflare cannot be reached.*database has its migrations.*deploying again is safe/s)
})

test('What wrangler itself says about the token, the bucket and the network becomes one sentence', { timeout: 300_000 }, async () => {
  const cloud = await startCloudPeer()
  // Only the command in question is run by wrangler itself, which takes seconds to start.
  const saying = async (command: string, url: string) => {
    for (const [name, value] of Object.entries({ API_BASE_URL: url, API_TOKEN: 't', ACCOUNT_ID: 'a1' }))
      vi.stubEnv(`CLOUDFLARE_${name}`, value)
    const run = (args: string[]) => (args[0] === command ? wrangler : answers({}))(args)
    return deploy({ settings, dryRun: false, wrangler: run, log: () => {} }).then(String, messageOf)
  }
  try {
    cloud.state.refused = 'cloudflare'
    expect(await saying('whoami', cloud.url)).toMatch(
      /^The sign-in at Cloudflare failed, because Cloudflare refuses the token \(Invalid access token .*\): run .*\.$/,
    )
    cloud.state.refused = undefined
    expect(await saying('r2', cloud.url)).toMatch(/^There is no bucket cairn-files: make it with .*\.$/)
    expect(await saying('whoami', 'http://127.0.0.1:9')).toMatch(
      /^The sign-in at Cloudflare failed, because Cloudflare cannot be reached: .*\.$/,
    )
  } finally {
    vi.unstubAllEnvs()
    await cloud.stop()
  }
})
