import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { releaseName } from '../release-name.ts'
import { type Stack, startStack } from '../stack.ts'
import { PROJECT } from '../state-folder.ts'
import { type CloudPeer, startCloudPeer } from './cloud-peer.ts'
import { deploy } from './deploy.ts'
import { type NeonPeer, startNeonPeer } from './neon-peer.ts'
import { previewName } from './preview.ts'
import { SETTINGS } from './settings.ts'
import { wrangler } from './wrangler.ts'

/**
 * Follows docs/deploy.md: the commands of its code blocks in their order, with wrangler itself, against peers on this machine
 * (cloud-peer.ts) and a real Postgres (neon-peer.ts). A command on the page that is not tried here fails.
 */

const page = await readFile(path.join(PROJECT, 'docs/deploy.md'), 'utf8')
const blocks = [...page.matchAll(/^ *```(sh|ini)\n([\s\S]*?)^ *```$/gm)].map(([, language, text = '']) => ({ language, text }))
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.split('\n'))
  .map((line) => line.replace(/\s+#.*/, '').trim())
  .filter(Boolean)

let stack: Stack
let cloud: CloudPeer
let neon: NeonPeer
let folder: string
const settings: Record<string, string> = {}

beforeAll(async () => {
  ;[stack, cloud] = await Promise.all([startStack({ worker: false, assets: false, migrations: false }), startCloudPeer()])
  neon = await startNeonPeer(stack)
  folder = await mkdtemp(path.join(tmpdir(), 'cairn-walk-'))
  for (const database of ['site', 'preview', 'empty']) {
    await neon.create(database)
    await neon.enableAuth(database)
  }
  cloud.kept.databaseUrl = neon.url('preview')
  for (const [name, value] of Object.entries({
    ...{ CLOUDFLARE_API_BASE_URL: cloud.url, CLOUDFLARE_API_TOKEN: 'token', CLOUDFLARE_ACCOUNT_ID: 'a1' },
    ...{ NEON_API_HOST: cloud.url, NEON_API_KEY: 'key', NEON_PROJECT_ID: 'p1' },
  }))
    vi.stubEnv(name, value)
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await neon?.stop()
  await Promise.all([stack?.stop(), cloud?.stop(), folder && rm(folder, { recursive: true })])
})

/** An npm script as a person runs it; throws where it fails. */
async function npm(command: string, env: Record<string, string> = {}): Promise<string> {
  const [, name = '', args = ''] = /^npm run (?:--silent )?(\w+) -- (.*)$/.exec(command) ?? []
  const { scripts } = JSON.parse(await readFile(path.join(PROJECT, 'package.json'), 'utf8'))
  const [node, ...script] = `${scripts[name]} ${args}`.split(' ')
  expect(node).toBe('node')
  const { stdout } = await promisify(execFile)(process.execPath, script, { cwd: PROJECT, env: { ...process.env, ...env } })
  return stdout
}

async function npx(command: string): Promise<string> {
  const { ok, output } = await wrangler(command.split(' ').slice(2))
  expect(ok, output).toBe(true)
  return output
}

const BRANCH = 'feature/login-page'
const named = (command: string) =>
  command
    .replace('<branch>', BRANCH)
    .replace('<folder>', path.join(folder, 'copy'))
    .replace('<version>', cloud.kept.versions.at(-1)?.id ?? '')

const rowsOf = async (database: string) => (await neon.query(database, 'select id, email from users order by id')).rows

/** What each command must do; the others are for a person's own machine, or need nobody's account. */
const STEPS: Record<string, (command: string) => Promise<void>> = {
  'npm install --no-save': async (command) => {
    const clone = path.join(folder, 'clone')
    await mkdir(clone)
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) await copyFile(path.join(PROJECT, file), path.join(clone, file))
    // All but fetching: whether npm takes this lock at all, without a network and without what it has kept.
    const [name = '', ...args] = [...command.split(' '), '--dry-run', '--ignore-scripts', '--offline', '--cache', path.join(folder, 'npm')]
    expect((await promisify(execFile)(name, args, { cwd: clone })).stdout).toMatch(/added \d+ packages/)
  },
  // Instead of the browser's: who has a token is signed in as well.
  'npx wrangler login': async () => expect(await npx('npx wrangler whoami --json')).toContain('"loggedIn": true'),
  'npx wrangler r2 bucket create cairn-files': async (command) => {
    await npx(command)
    expect(cloud.kept.buckets).toEqual(['cairn-files'])
  },
  'npm run --silent deploy -- --keys >> .env.deploy': async (command) => {
    const [written = ''] = blocks.filter(({ language }) => language === 'ini').map(({ text }) => text)
    const keys = parseEnv(await npm(command.replace(/ >> .*/, '')))
    Object.assign(settings, parseEnv(written), keys, { DATABASE_URL: neon.url('site'), AUTH_URL: settings.AUTH_URL ?? AUTH_URL })
    for (const { name, required } of SETTINGS) if (required) expect(settings, `${name} is on the page`).toHaveProperty(name)
  },
  'npm run deploy -- --dry-run': async (command) => {
    const output = await npm(command, settings)
    expect(output).toContain('✓ settings')
    expect(Number(/worker is bundled: (\d+) KB/.exec(output)?.[1])).toBeLessThan(1000)
    expect(output).toContain('database would get 0000_extensions')
    expect(output).toContain('Ready')
    expect(cloud.kept.versions).toEqual([])
    expect((await neon.query('site', `select to_regclass('users') as there`)).rows[0].there).toBe(null)
  },
  'npm run deploy': async () => {
    const version = async () => (cloud.kept.running ? releaseName(PROJECT) : null)
    await deploy({ settings, dryRun: false, wrangler, version, build: async () => {}, say: () => {} })
    const { secrets, hosts, crons, previewsEnabled } = cloud.kept
    expect({ secrets, hosts, crons, previewsEnabled }).toEqual({
      secrets: settings,
      hosts: ['cairn.example.org'],
      crons: ['* * * * *'],
      previewsEnabled: true,
    })
    // As if somebody had deployed before.
    cloud.kept.versions.push({ id: '00000000-0000-4000-8000-00000000000a', tag: 'before' })
    await neon.query('site', `insert into users (id, email) values ('ada', 'ada@example.org')`)
  },
  'npm run deploy -- --rollback': async (command) => {
    const [, before] = cloud.kept.versions
    await npm(command)
    expect(cloud.kept.running).toBe(before?.id)
  },
  'npx wrangler versions list': async (command) => {
    const listed = await npx(command)
    for (const { id } of cloud.kept.versions) expect(listed).toContain(id)
  },
  'npm run deploy -- --rollback <version>': async (command) => {
    cloud.kept.running = cloud.kept.versions[0]?.id
    await npm(named(command))
    expect(cloud.kept.running).toBe(cloud.kept.versions.at(-1)?.id)
  },
  'npm run preview -- open <branch>': async (command) => {
    const name = previewName(BRANCH)
    const origin = `https://${name}-cairn.acme.workers.dev`
    expect(await npm(named(command))).toContain(`✓ ${origin}`)
    expect(cloud.kept).toMatchObject({ trusted: [origin], branches: [{ name }], buckets: ['cairn-files', `cairn-preview-${name}`] })
    expect(cloud.kept.previews[name]).toMatchObject({
      buckets: [`cairn-preview-${name}`],
      secrets: { APP_ORIGIN: origin, DATABASE_URL: neon.url('preview') },
    })
    expect(await rowsOf('preview')).toEqual([])
  },
  'npm run preview -- close <branch>': async (command) => {
    cloud.kept.objects = ['assets/1/original', 'sweep/comparison']
    await npm(named(command))
    expect(cloud.kept).toMatchObject({ branches: [], buckets: ['cairn-files'], objects: [], previews: {} })
  },
  'DATABASE_URL=<connection string> npm run backup -- <folder>': async (command) => {
    const [, script = ''] = command.split(/^DATABASE_URL=<[^>]*> /)
    await npm(named(script), { DATABASE_URL: neon.url('site') })
  },
  'DATABASE_URL=<of the empty one> npm run restore -- <folder>': async (command) => {
    const [, script = ''] = command.split(/^DATABASE_URL=<[^>]*> /)
    await npm(named(script), { DATABASE_URL: neon.url('empty') })
    expect(await rowsOf('empty')).toEqual([{ id: 'ada', email: 'ada@example.org' }])
  },
}

const AUTH_URL = 'https://ep-a.neonauth.eu-central-1.aws.neon.tech/neondb/auth'

/** dev/backup/backup.infra.test.ts follows these. */
const ELSEWHERE = ['npm run backup -- ~/cairn-2026-11-21', 'npm run restore -- ~/cairn-2026-11-21 --reset']

test('every command of docs/deploy.md does what the page says', { timeout: 240_000 }, async () => {
  expect(commands.filter((command) => !STEPS[command] && !ELSEWHERE.includes(command))).toEqual([])
  expect(Object.keys(STEPS).filter((command) => !commands.includes(command))).toEqual([])
  const follow = async (some: string[]) => {
    for (const command of some) await STEPS[command]?.(command)
  }
  const deployed = commands.indexOf('npm run deploy') + 1
  await follow(commands.slice(0, deployed))
  // What comes after the first deployment does not meet: a place for each, side by side.
  const places = Object.groupBy(commands.slice(deployed), (command) => /preview|DATABASE_URL/.exec(command)?.[0] ?? 'site')
  await Promise.all(Object.values(places).map((some) => follow(some ?? [])))
})

test('every setting of a deployment is on the page, and the page names no other', () => {
  const names = new Set(page.match(/\b(?:APP|DATABASE|AUTH|SESSION|LIVE|PARTY|MAIL|MAP|IMAGE|ANALYTICS|VAPID)_[A-Z_]*[A-Z]\b/g))
  const known = [...SETTINGS.map(({ name }) => name), 'AUTH_PROVIDER']
  expect([...names].filter((name) => !known.includes(name))).toEqual([])
  expect(known.filter((name) => !names.has(name) && !EXOTIC.includes(name))).toEqual([])
})

/** Told by wrangler.toml alone: what few sign-in services need. */
const EXOTIC = ['AUTH_ISSUER', 'AUTH_AUDIENCE', 'AUTH_SCOPES']
