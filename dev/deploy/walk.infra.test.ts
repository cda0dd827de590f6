import { execFile } from 'node:child_process'
import { appendFile, copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SIGN_IN_HOOK_PATH } from '../../worker/auth/hook-signature.ts'
import { buildWeb } from '../build-web.ts'
import { migrateDatabase } from '../migrate.ts'
import { makeOwnCheckout } from '../own-checkout.ts'
import { releaseName } from '../release-name.ts'
import { type Stack, startStack } from '../stack.ts'
import { PROJECT } from '../state-folder.ts'
import { type CloudPeer, startCloudPeer } from './cloud-peer.ts'
import { deploy } from './deploy.ts'
import { NAMES_HERE, type NeonPeer, startNeonPeer } from './neon-peer.ts'
import { readSettings, SETTINGS } from './settings.ts'
import { wrangler } from './wrangler.ts'

/**
 * Follows docs/deploy.md: runs the commands of its code blocks in order, in a separate checkout, with wrangler itself, against fake APIs on
 * this machine (cloud-peer.ts) and a real Postgres (neon-peer.ts). A command on the page that is not tested here fails.
 */

const page = await readFile(path.join(PROJECT, 'docs/deploy.md'), 'utf8')
const blocks = [...page.matchAll(/^ *```(sh|ini)\n([\s\S]*?)^ *```$/gm)].map(([, language, text = '']) => ({ language, text }))
const SQL = [...page.matchAll(/^```sql\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.split('\n'))
  .map((line) => line.replace(/\s+#.*/, '').trim())
  .filter(Boolean)

let stack: Stack
let cloud: CloudPeer
let neon: NeonPeer
let folder: string
let checkout: string

beforeAll(async () => {
  ;[stack, cloud] = await Promise.all([startStack({ worker: false, assets: false, migrations: false }), startCloudPeer()])
  neon = await startNeonPeer(stack)
  folder = await mkdtemp(path.join(tmpdir(), 'cairn-walk-'))
  checkout = path.join(folder, 'cairn')
  // Built once and in this checkout: a build from linked sources has other file names.
  await buildWeb()
  await makeOwnCheckout(checkout)
  for (const database of ['site', 'preview', 'empty']) {
    await neon.create(database)
    await neon.enableAuth(database)
  }
  for (const [name, value] of Object.entries({ API_BASE_URL: cloud.url, API_TOKEN: 'token', ACCOUNT_ID: 'a1' }))
    vi.stubEnv(`CLOUDFLARE_${name}`, value)
  // The developer's own environment would override the file.
  for (const { name } of SETTINGS) vi.stubEnv(name, undefined)
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await neon?.stop()
  await Promise.all([stack?.stop(), cloud?.stop(), folder && rm(folder, { recursive: true })])
})

/** Runs a line as typed into a shell; throws if it fails. */
async function run(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', command], {
    cwd: checkout,
    env: { ...process.env, CI: 'true', NO_COLOR: '1', NODE_OPTIONS: NAMES_HERE },
  })
  return stdout
}

const settings = () => readSettings(path.join(checkout, '.env.deploy'), {})

const named = (command: string) =>
  command
    .replace('<connection string>', neon.url('site'))
    .replace('<of the empty one>', neon.url('empty'))
    .replace('<of the preview>', neon.url('preview'))
    .replace('<folder>', path.join(folder, 'copy'))
    .replace('<version>', cloud.state.versions.at(-1)?.id ?? '')

const rowsOf = async (database: string) => (await neon.query(database, 'select id, email from users order by id')).rows

/**
 * Checks every word and option against the program's help, because the command is interactive or needs an account that no fake provides.
 */
async function isKnown(command: string): Promise<void> {
  const words = command.split(' ')
  const end = words.findIndex((word, nth) => nth > 2 && !/^[a-z]+$/.test(word))
  const program = words.slice(0, end < 0 ? undefined : end).join(' ')
  const help = await run(`${program} --help`)
  expect(help).toContain(program.replace('npx ', ''))
  for (const option of words.filter((word) => word.startsWith('-'))) expect(help, command).toMatch(new RegExp(`(^|[ ,])${option}[ ,]`, 'm'))
}

/**
 * rclone may not be installed. Checks that its remotes are defined earlier on the page or are local paths, and that the bucket is the
 * site's. A copy that follows the bucket must keep what is gone there.
 */
async function copies(command: string): Promise<void> {
  expect(command).not.toMatch(/ sync (?!.*--backup-dir )/)
  const before = page.slice(0, page.indexOf(command))
  for (const [, remote = '', bucket] of command.matchAll(/ (\w+):([\w-]+|<bucket>)/g)) {
    expect(before).toMatch(remote === 'backup' ? /`backup` is / : new RegExp(`^rclone config create ${remote} `, 'm'))
    expect(['cairn-files', '<bucket>', ...(remote === 'backup' ? ['cairn-removed'] : [])]).toContain(bucket)
  }
}

/** The expected effect of each command. All other commands are for the user's own machine or need no account. */
const STEPS: Record<string, (command: string) => Promise<void>> = {
  'npm install --no-save': async (command) => {
    const clone = path.join(folder, 'clone')
    await mkdir(clone)
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) await copyFile(path.join(PROJECT, file), path.join(clone, file))
    // Only checks that npm accepts this lock file, without a network and without its cache.
    const [name = '', ...args] = [...command.split(' '), '--dry-run', '--ignore-scripts', '--offline', '--cache', path.join(folder, 'npm')]
    expect((await promisify(execFile)(name, args, { cwd: clone })).stdout).toMatch(/added \d+ packages/)
  },
  // Replaces the login in a browser: a token counts as signed in.
  'npx wrangler login': async () => expect(await run('npx wrangler whoami --json')).toContain('"loggedIn": true'),
  'npx wrangler r2 bucket create cairn-files': async (command) => {
    await run(command)
    expect(cloud.state.buckets).toEqual(['cairn-files'])
  },
  'npm run --silent deploy -- --keys >> .env.deploy': async (command) => {
    await run(command)
    const own: Record<string, string> = { DATABASE_URL: neon.url('site'), AUTH_URL }
    const [written = ''] = blocks.filter(({ language }) => language === 'ini').map(({ text }) => text)
    const lines = written.replace(/^(\w+)=.*….*$/gm, (_line, name: string) => `${name}=${own[name]}`)
    // As some editors leave it, without a final newline: appended keys must start on their own line.
    await appendFile(path.join(checkout, '.env.deploy'), lines.trimEnd())
    const there = await settings()
    for (const { name, required } of SETTINGS) if (required) expect(there, `${name} is on the page`).toHaveProperty(name)
    await expect(run(command)).rejects.toThrow('SESSION_KEYS is set already')
    expect(await settings()).toEqual(there)
  },
  'npm run --silent deploy -- --keys k2 >> .env.deploy': async (command) => {
    const { SESSION_KEYS: before = '', ...others } = await settings()
    await run(command)
    expect(await settings()).toEqual({ ...others, SESSION_KEYS: expect.stringMatching(/^k2:.*,k1:/) })
    expect((await settings()).SESSION_KEYS).toContain(before)
  },
  'npm run deploy -- --check': async (command) => {
    const before = cloud.state.calls
    expect(await run(command)).toContain('✓ settings')
    expect(cloud.state.calls).toBe(before)
  },
  'npm run deploy -- --dry-run': async (command) => {
    const calls = () => ({ accounts: cloud.state.calls, database: neon.connections() })
    const before = calls()
    const output = await run(command)
    expect(calls()).toEqual(before)
    expect(output).toContain('✓ settings')
    expect(output).toMatch(/worker is bundled: \d+ KB/)
    expect(output).toContain('Ready')
  },
  // Not in a shell: the site's address does not resolve here.
  'npm run deploy': async () => {
    const version = async () => (cloud.state.running ? releaseName(PROJECT) : null)
    await deploy({ settings: await settings(), dryRun: false, wrangler, version, build: async () => {}, log: () => {} })
    const { secrets, hosts, crons, previewsEnabled, uploaded } = cloud.state
    expect({ secrets, hosts, crons, previewsEnabled }).toEqual({
      secrets: await settings(),
      hosts: ['cairn.example.org'],
      crons: ['* * * * *'],
      previewsEnabled: true,
    })
    // The worker speaks all languages.
    const sentences = ['Der Speicher antwortet gerade nicht', 'De opslag reageert nu niet']
    expect(sentences.filter((sentence) => !uploaded.includes(sentence))).toEqual([])
    // Simulates an earlier deployment.
    cloud.state.versions.push({ id: '00000000-0000-4000-8000-00000000000a', tag: 'before' })
    await neon.query('site', `insert into users (id, email) values ('ada', 'ada@example.org')`)
  },
  'npm run deploy -- --rollback': async (command) => {
    const [, before] = cloud.state.versions
    await run(command)
    expect(cloud.state.running).toBe(before?.id)
  },
  'npx wrangler versions list': async (command) => {
    const listed = await run(command)
    for (const { id } of cloud.state.versions) expect(listed).toContain(id)
  },
  'npm run deploy -- --rollback <version>': async (command) => {
    cloud.state.running = cloud.state.versions[0]?.id
    await run(named(command))
    expect(cloud.state.running).toBe(cloud.state.versions.at(-1)?.id)
  },
  'npm run --silent deploy -- --keys party >> .env.deploy': async (command) => {
    await run(command)
    expect(await settings()).toHaveProperty('PARTY_PUBLISH_KEY')
  },
  'DATABASE_URL=<connection string> npm run backup -- <folder>': async (command) => void (await run(named(command))),
  'DATABASE_URL=<of the empty one> npm run restore -- <folder>': async (command) => {
    await run(named(command))
    expect(await rowsOf('empty')).toEqual([{ id: 'ada', email: 'ada@example.org' }])
  },
  'DATABASE_URL=<of the preview> npm run restore -- <folder>': async (command) => {
    // A preview has all migrations and no rows (preview-walk.infra.test.ts).
    await migrateDatabase(neon.url('preview'))
    await run(named(command))
    expect(await rowsOf('preview')).toEqual([{ id: 'ada', email: 'ada@example.org' }])
  },
}

/** Sent without curl, which may not be installed. */
async function setsWebhooks(command: string): Promise<void> {
  const [, url = ''] = /"https:\/\/console\.neon\.tech\/api\/v2([^"]+)"/.exec(command) ?? []
  const [, body = ''] = / -d '([^']+)'$/.exec(command) ?? []
  const headers = { authorization: 'Bearer key', 'content-type': 'application/json' }
  const address = cloud.url + url.replace('<project>', 'p1').replace('<branch>', 'br-1')
  const send = async () => {
    const response = await fetch(address, { method: 'PUT', headers, body })
    return response.status === 200 ? response.json() : response.status
  }
  // Neon refuses writes, with 423, while another is being carried out.
  await expect.poll(send).toMatchObject({
    enabled: true,
    webhook_url: `https://cairn.example.org${SIGN_IN_HOOK_PATH}`,
    enabled_events: ['send.magic_link'],
  })
}

const stepOf = (command: string) =>
  STEPS[command] ??
  (command.startsWith('curl -X PUT ') ? setsWebhooks : undefined) ??
  (command.startsWith('npx partykit ') ? isKnown : command.startsWith('rclone ') ? copies : undefined)

const AUTH_URL = 'https://ep-a.neonauth.eu-central-1.aws.neon.tech/neondb/auth'

/** Tested by dev/backup/backup.infra.test.ts and, with other branches, by preview-walk.infra.test.ts. */
const ELSEWHERE = [
  'npm run backup -- ~/cairn-2026-11-21',
  'npm run restore -- ~/cairn-2026-11-21 --reset',
  'npm run preview -- open <branch>',
  'npm run preview -- show <branch>',
  'npm run preview -- close <branch>',
  'npm run preview -- open restore-drill',
  'npm run preview -- close restore-drill',
]

test('Every command of docs/deploy.md does what the page says', { timeout: 900_000 }, async () => {
  expect(commands.filter((command) => !stepOf(command) && !ELSEWHERE.includes(command))).toEqual([])
  expect(Object.keys(STEPS).filter((command) => !commands.includes(command))).toEqual([])
  const follow = async (some: string[]) => {
    for (const command of some) await stepOf(command)?.(command)
  }
  const deployed = commands.indexOf('npm run deploy') + 1
  await follow(commands.slice(0, deployed))
  // The commands after the first deployment are independent, so these groups run in parallel.
  const groups = Object.groupBy(commands.slice(deployed), (command) => (command.startsWith('DATABASE_URL=') ? 'databases' : 'site'))
  await Promise.all(Object.values(groups).map((some) => follow(some ?? [])))
})

test('Every command in the sentences of docs/deploy.md exists with its options', async () => {
  const [, ...inlineParts] = page.replace(/^ *```[\s\S]*?^ *```$/gm, '').split('`npx ')
  const inline = inlineParts.map((text) => `npx ${text.slice(0, text.indexOf('`'))}`)
  expect(inline.length).toBeGreaterThan(0)
  for (const command of new Set(inline)) await isKnown(command)
})

test('Every statement of docs/deploy.md can be run again', async () => {
  await neon.create('statements')
  await migrateDatabase(neon.url('statements'))
  await neon.query('statements', `insert into users (id, email) values ('ada', 'ada@example.org')`)
  expect(SQL.length).toBeGreaterThan(0)
  for (const text of [...SQL, ...SQL]) await neon.query('statements', text)
  expect((await neon.query('statements', `select items from quotas where owner = 'ada'`)).rows).toEqual([{ items: 2000000 }])
})

test('docs/deploy.md names exactly the settings of a deployment', () => {
  const names = new Set(
    page.match(/\b(?:APP|DATABASE|AUTH|SESSION|LIVE|PARTY|MAIL|MAP|IMAGE|ANALYTICS|VAPID|PUSH|SECURITY)_[A-Z_]*[A-Z]\b/g),
  )
  const known = [...SETTINGS.map(({ name }) => name), 'AUTH_PROVIDER']
  expect([...names].filter((name) => !known.includes(name))).toEqual([])
  expect(known.filter((name) => !names.has(name) && !EXOTIC.includes(name))).toEqual([])
})

/** Settings described only in settings.ts: few sign-in services need them. */
const EXOTIC = ['AUTH_ISSUER', 'AUTH_AUDIENCE', 'AUTH_SCOPES']
