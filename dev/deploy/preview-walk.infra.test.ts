import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireRoom } from '../backup/restore-database.ts'
import { buildWeb } from '../build-web.ts'
import { readJournal } from '../migrate.ts'
import { makeOwnCheckout } from '../own-checkout.ts'
import { type Stack, startStack } from '../stack.ts'
import { PROJECT } from '../state-folder.ts'
import { type CloudPeer, startCloudPeer } from './cloud-peer.ts'
import { NAMES_HERE, type NeonPeer, startNeonPeer } from './neon-peer.ts'
import { previewName } from './preview-name.ts'

/**
 * Runs the commands of the workflows for two branches, in a separate checkout, with wrangler itself, against both accounts on this machine
 * (cloud-peer.ts) and a real Postgres (neon-peer.ts).
 */

const exec = promisify(execFile)
const BRANCHES = ['feature/login-page', 'fix/typo']
const [login = '', typo = ''] = BRANCHES.map(previewName)
const SHOW = 'npm run preview -- show "$BRANCH"'
const DATABASES: Record<string, string> = { [login]: 'login', [typo]: 'typo' }
const MAP_STYLE_URL = 'https://maps.example/style.json'

let stack: Stack
let cloud: CloudPeer
let neon: NeonPeer
let folder: string
let checkout: string

beforeAll(async () => {
  ;[stack, cloud] = await Promise.all([startStack({ worker: false, assets: false, migrations: false }), startCloudPeer()])
  neon = await startNeonPeer(stack)
  folder = await mkdtemp(path.join(tmpdir(), 'cairn-preview-walk-'))
  checkout = path.join(folder, 'cairn')
  // Built once and in this checkout: a build from linked sources has other file names.
  await buildWeb()
  await makeOwnCheckout(checkout)
  for (const database of Object.values(DATABASES)) await neon.create(database)
  cloud.state.databaseUrl = (branch) => neon.url(DATABASES[branch] ?? '')
  cloud.state.branches = [{ id: 'br-0', name: 'production' }]
  cloud.state.buckets = ['cairn-files']
  // As the deployment of the site left it.
  cloud.state.previewsEnabled = true
  await makeRepository()
})

afterAll(async () => {
  await neon?.stop()
  await Promise.all([stack?.stop(), cloud?.stop(), folder && rm(folder, { recursive: true })])
})

const git = (...args: string[]) => exec('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: checkout })

/** The repository that the checkout is a clone of: nothing but its branches matters. */
async function makeRepository(): Promise<void> {
  const origin = path.join(folder, 'origin.git')
  await git('init', '--quiet', '--bare', origin)
  await git('init', '--quiet')
  await git('remote', 'add', 'origin', origin)
  await git('commit', '--quiet', '--allow-empty', '-m', 'Begin')
  for (const branch of ['main', ...BRANCHES]) await git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`)
}

interface Outcome {
  code: number
  output: string
  /** Address of the deployment, as the workflow passes it to GitHub. */
  url: string | undefined
}

/** The last command of a workflow. */
async function commandOf(name: string): Promise<string> {
  const workflow = await readFile(path.join(PROJECT, `.github/workflows/${name}.yml`), 'utf8')
  return [...workflow.matchAll(/run: (npm run .*)/g)].at(-1)?.[1] ?? ''
}

const runWorkflow = async (name: string, branch = '') => run(await commandOf(name), branch)

/** Runs a command as GitHub does: with CI set, and with nothing of this machine's own settings. */
async function run(command: string, branch: string): Promise<Outcome> {
  const outputs = path.join(folder, 'outputs')
  await writeFile(outputs, '')
  const { PATH = '', HOME = '' } = process.env
  const env = {
    ...{ PATH, HOME, NODE_OPTIONS: NAMES_HERE, CI: 'true', NO_COLOR: '1', GITHUB_OUTPUT: outputs, BRANCH: branch, MAP_STYLE_URL },
    ...{ CLOUDFLARE_API_BASE_URL: cloud.url, CLOUDFLARE_API_TOKEN: 'token', CLOUDFLARE_ACCOUNT_ID: 'a1' },
    ...{ NEON_API_HOST: cloud.url, NEON_API_KEY: 'key', NEON_PROJECT_ID: 'p1' },
  }
  const ran = await exec('bash', ['-c', command], { cwd: checkout, env }).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), output: `${stdout}${stderr}` }),
  )
  return { ...ran, url: /^url=(.*)$/m.exec(await readFile(outputs, 'utf8'))?.[1] }
}

const originOf = (name: string) => `https://${name}-cairn.acme.workers.dev`
const secretsOf = (name: string) => cloud.state.previews[name]?.secrets ?? {}

test('Previews of two branches without a pull request are opened, updated and closed by pushes and deletions', {
  timeout: 400_000,
}, async () => {
  const schema = { tag: 'the newest', when: (await readJournal()).entries.at(-1)?.when ?? 0 }
  for (const [nth, branch] of BRANCHES.entries()) {
    const name = previewName(branch)
    const { code, output, url } = await runWorkflow('preview', branch)
    expect(code, output).toBe(0)
    expect(url).toBe(originOf(name))
    expect(output).toContain(`Preview: ${originOf(name)}`)
    expect(output).toContain('Crons do not run')
    expect(output).toContain(`database branch ${name}`)
    expect(output).toContain(`bucket cairn-preview-${name}`)
    expect(cloud.state.branches.at(-1)?.trusted).toEqual([originOf(name)])
    expect(cloud.state.branches.map((one) => one.name)).toEqual(['production', ...[login, typo].slice(0, nth + 1)])
    expect(cloud.state.previews[name]).toMatchObject({
      buckets: [`cairn-preview-${name}`],
      secrets: { APP_ORIGIN: originOf(name), DATABASE_URL: neon.url(DATABASES[name] ?? ''), MAP_STYLE_URL },
    })
    // Each has the tables and no data, so that a backup can be restored into it.
    expect((await neon.query(DATABASES[name] ?? '', 'select id from users')).rows).toEqual([])
    const databaseUrl = stack.postgresUrl.replace(/[^/]+$/, DATABASES[name] ?? '')
    await requireRoom({ url: databaseUrl, databaseUrl }, { schema })
    // A log of CI is read by many.
    expect(output).not.toContain(secretsOf(name).PREVIEW_KEY)
    expect(output).toContain('npm run preview -- show <branch>')
  }
  expect(secretsOf(login).VAPID_PUBLIC_KEY).toMatch(/^B[\w-]{86}$/)
  expect(Object.keys(secretsOf(login))).not.toContain('ANALYTICS_KEY')
  for (const name of ['SESSION_KEYS', 'LIVE_KEY', 'VAPID_PRIVATE_KEY', 'PREVIEW_KEY']) {
    expect(secretsOf(login)[name]).toBeTruthy()
    expect(secretsOf(login)[name]).not.toBe(secretsOf(typo)[name])
  }

  const shown = await run(SHOW, 'feature/login-page')
  expect(shown).toMatchObject({ code: 0, output: expect.stringContaining(`Preview: ${originOf(login)}`) })
  expect(shown.output).not.toContain(secretsOf(login).PREVIEW_KEY)

  // Another push to the first branch: the same address, keys and data.
  const before = secretsOf(login)
  await neon.query('login', `insert into users (id, email) values ('ada', 'ada@example.org')`)
  expect(await runWorkflow('preview', 'feature/login-page')).toMatchObject({ code: 0, url: originOf(login) })
  expect(secretsOf(login)).toEqual(before)
  expect((await neon.query('login', 'select id from users')).rows).toEqual([{ id: 'ada' }])
  expect(cloud.state).toMatchObject({ made: 2, buckets: ['cairn-files', `cairn-preview-${login}`, `cairn-preview-${typo}`] })
  expect(await runWorkflow('preview-check')).toMatchObject({ code: 0, output: expect.stringContaining('✓ every preview has its branch') })

  // Deleted while the workflow did not run: the nightly check is red, and removes nothing.
  await git('push', '--quiet', 'origin', '--delete', 'feature/login-page')
  const check = await runWorkflow('preview-check')
  expect(check.code).toBe(1)
  expect(check.output).toContain(`✗ ${login} (database, bucket, worker): its branch is gone. "npm run preview -- close --name ${login}"`)
  expect(check.output).not.toContain(typo)
  expect(Object.keys(cloud.state.previews)).toEqual([login, typo])

  expect((await runWorkflow('preview-close', 'feature/login-page')).code).toBe(0)
  expect(cloud.state.branches.map(({ name }) => name)).toEqual(['production', typo])
  expect(cloud.state.buckets).toEqual(['cairn-files', `cairn-preview-${typo}`])
  expect(Object.keys(cloud.state.previews)).toEqual([typo])
  expect(secretsOf(typo).APP_ORIGIN).toBe(originOf(typo))

  await git('push', '--quiet', 'origin', '--delete', 'fix/typo')
  expect((await runWorkflow('preview-close', 'fix/typo')).code).toBe(0)
  // Closing once more finds nothing to do.
  expect((await runWorkflow('preview-close', 'fix/typo')).code).toBe(0)
  expect(cloud.state).toMatchObject({ branches: [{ name: 'production' }], buckets: ['cairn-files'], previews: {} })
  expect((await runWorkflow('preview-check')).code).toBe(0)
})

test('The commands for previews in docs/deploy.md are those of the workflows', async () => {
  const page = await readFile(path.join(PROJECT, 'docs/deploy.md'), 'utf8')
  const followed = [await commandOf('preview'), await commandOf('preview-close'), SHOW]
  for (const command of followed) expect(page).toContain(command.replace('"$BRANCH"', '<branch>'))
})
