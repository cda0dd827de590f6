import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { PROJECT } from '../state-folder.ts'
import { cloudOf } from './cloud.ts'
import { MAP_SETTINGS } from './preview.ts'
import { SETTINGS } from './settings.ts'

const readProject = (file: string) => readFile(path.join(PROJECT, file), 'utf8')
const workflow = (name: string) => readProject(`.github/workflows/${name}.yml`)
const [ci, opening, closing, checking] = await Promise.all(['ci', 'preview', 'preview-close', 'preview-check'].map(workflow))

/** The lines of a job, found by its name; all workflows here are indented by two spaces. */
const jobOf = (text = '', name: string) => new RegExp(`^ {2}${name}:\\n((?: {3,}.*\\n?|\\n)*)`, 'm').exec(text)?.[1] ?? ''
const deploy = jobOf(ci, 'deploy')
const open = jobOf(opening, 'open')
const close = jobOf(closing, 'close')
const check = jobOf(checking, 'check')

/** Environment variables of a job's command. */
const environmentOf = (job: string) => [...job.matchAll(/^ {10}([A-Z_]+): /gm)].map(([, name = '']) => name)
const read = (text: string, from: 'vars' | 'secrets') =>
  [...text.matchAll(new RegExp(`\\b${from}\\.([A-Z_]+)`, 'g'))].map(([, name = '']) => name)

/** Names in one row of the page's table: variables, then secrets. */
const page = await readProject('docs/deploy.md')
const rowOf = (where: string) => {
  const [, , variables = '', secrets = ''] =
    page
      .split('\n')
      .find((line) => line.startsWith(`| ${where} |`))
      ?.split('|') ?? []
  const names = (cell: string) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name)
  return { variables: names(variables), secrets: names(secrets) }
}
const repository = rowOf('The repository itself')

test('The deployment from main has all local settings and no unknown name', () => {
  const names = environmentOf(deploy)
  // wrangler reads the first two; the others say where the site is deployed and which database is migrated.
  const here = ['CLOUDFLARE_ACCOUNT_ID', 'CLOUDFLARE_API_TOKEN', 'APP_ORIGIN', 'DATABASE_URL']
  expect(here.filter((name) => !names.includes(name))).toEqual([])
  const known = [...here, ...SETTINGS.map(({ name }) => name), 'AUTH_PROVIDER']
  expect(names.filter((name) => !known.includes(name))).toEqual([])
})

test.each([
  ['opens', open],
  ['closes', close],
  ['checks', check],
])('The workflow that %s previews has every environment variable it reads', (_what, job) => {
  const names = environmentOf(job)
  expect(() => cloudOf(Object.fromEntries(names.map((name) => [name, 'set'])))).not.toThrow()
  for (const name of job.match(/(?<=\$)[A-Z_]+/g) ?? []) expect(names).toContain(name)
})

test('Every push to a branch opens or updates its preview, with or without a pull request', () => {
  expect(opening).toMatch(/^on:\n {2}push:\n {4}branches-ignore: \[main\]\n\S/m)
  expect(opening).not.toContain('pull_request')
  expect(open).toContain('npm run preview -- open "$BRANCH"')
  for (const name of MAP_SETTINGS) expect(environmentOf(open)).toContain(name)
})

test("The preview's address is the address of the deployment, which GitHub shows on the pull request", () => {
  // On the commit, too, because GitHub hides the address of a deployment that another branch's has made inactive.
  expect(open).toMatch(/statuses: write/)
  expect(open).toContain('-f target_url="$PREVIEW_URL"')
  expect(open).toMatch(/environment:\n {6}name: preview\n(?: {6}#.*\n)* {6}url: \$\{\{ steps\.open\.outputs\.url \}\}/)
  expect(open).toContain('- id: open\n        run: npm run preview -- open')
})

test('Deleting a branch closes its preview from main, and never while it is being opened', () => {
  expect(closing).toMatch(/^on: delete$/m)
  expect(close).toContain("github.event.ref_type == 'branch'")
  expect(close).toContain('npm run preview -- close "$BRANCH"')
  // No ref: GitHub checks out main.
  expect(close).not.toContain('ref:')
  expect(opening).toMatch(/group: preview-\$\{\{ github\.ref_name \}\}/)
  expect(closing).toMatch(/group: preview-\$\{\{ github\.event\.ref \}\}/)
})

test('Previews are checked every night', () => {
  expect(checking).toMatch(/schedule:\n {4}- cron: "\d+ \d+ \* \* \*"/)
  expect(check).toContain('npm run preview -- check')
})

test.each([
  ['production', deploy],
  ['preview', open + close + check],
])('The table of docs/deploy.md lists everything that the jobs of %s read, where they read it', (environment, jobs) => {
  expect(jobs).toMatch(new RegExp(`environment:(\\n {6}name:)? ${environment}`))
  const row = rowOf(`Environment *${environment}*`)
  const conditions = [...jobs.matchAll(/^ {4}if: (.*)$/gm)].map(([, condition = '']) => condition)
  // Before an environment is entered only variables of the repository are known.
  expect(read(conditions.join(), 'vars').filter((name) => !repository.variables.includes(name))).toEqual([])
  expect(read(jobs, 'vars').filter((name) => ![...repository.variables, ...row.variables].includes(name))).toEqual([])
  expect(row.variables.filter((name) => !read(jobs, 'vars').includes(name))).toEqual([])
  expect([...new Set(read(jobs, 'secrets'))].toSorted()).toEqual(row.secrets.toSorted())
})

test('Every npm script that a workflow runs exists', async () => {
  const { scripts } = z.looseObject({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(await readProject('package.json')))
  const files = await readdir(path.join(PROJECT, '.github/workflows'))
  const texts = await Promise.all(files.map((file) => readProject(`.github/workflows/${file}`)))
  const run = texts.flatMap((text) => [...text.matchAll(/npm run (\w+)/g)].map(([, name = '']) => name))
  expect([...new Set(run)].toSorted()).toEqual(['deploy', 'preview'])
  for (const name of run) expect(scripts).toHaveProperty(name)
})

test('Every workflow runs actions by digest, with their version beside it, and installs exactly the lock file', async () => {
  const files = await readdir(path.join(PROJECT, '.github/workflows'))
  for (const file of files) {
    const text = await readProject(`.github/workflows/${file}`)
    const actions = [...text.matchAll(/\buses: (.*)$/gm)].map(([, action = '']) => action)
    expect(actions.length, file).toBeGreaterThan(0)
    for (const action of actions) expect(action, file).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    for (const job of text.split('runs-on:').slice(1)) {
      const runs = [...job.matchAll(/\brun: (.*)$/gm)].map(([, command = '']) => command)
      // Once, before anything else.
      expect([runs.indexOf('npm ci'), runs.lastIndexOf('npm ci')], file).toEqual([0, 0])
    }
    expect(text, file).not.toMatch(/npm (i|install)\b/)
    expect(text, file).toMatch(/^permissions:\n {2}contents: read\n\S/m)
  }
})
