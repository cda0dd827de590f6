import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { PROJECT } from '../state-folder.ts'
import { cloudOf } from './cloud.ts'
import { SETTINGS } from './settings.ts'

const readProject = (file: string) => readFile(path.join(PROJECT, file), 'utf8')
const workflows = { ci: await readProject('.github/workflows/ci.yml'), preview: await readProject('.github/workflows/preview.yml') }

/** The lines of a job, found by its name; all workflows here are indented by two spaces. */
const jobOf = (workflow: string, name: string) => new RegExp(`^ {2}${name}:\\n((?: {3,}.*\\n?|\\n)*)`, 'm').exec(workflow)?.[1] ?? ''
const deploy = jobOf(workflows.ci, 'deploy')
const preview = jobOf(workflows.preview, 'preview')

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

test('The preview has every environment variable it reads', () => {
  const names = environmentOf(preview)
  expect(() => cloudOf(Object.fromEntries(names.map((name) => [name, 'set'])))).not.toThrow()
  for (const name of preview.match(/(?<=\$)[A-Z_]+/g) ?? []) expect(names).toContain(name)
})

test('A pull request opens and updates its preview, and closing it closes the preview', () => {
  expect(workflows.preview).toContain('types: [opened, reopened, synchronize, closed]')
  expect(preview).toContain("github.event.action == 'closed' && 'close' || 'open'")
})

test.each([
  ['production', deploy],
  ['preview', preview],
])('The table of docs/deploy.md lists everything that the jobs of %s read, where they read it', (environment, job) => {
  expect(job).toContain(`environment: ${environment}`)
  const row = rowOf(`Environment *${environment}*`)
  const [, condition = ''] = /^ {4}if: (.*)$/m.exec(job) ?? []
  // Before an environment is entered only variables of the repository are known.
  expect(read(condition, 'vars').filter((name) => !repository.variables.includes(name))).toEqual([])
  expect(read(job, 'vars').filter((name) => ![...repository.variables, ...row.variables].includes(name))).toEqual([])
  expect(row.variables.filter((name) => !read(job, 'vars').includes(name))).toEqual([])
  expect(read(job, 'secrets').toSorted()).toEqual(row.secrets.toSorted())
})

test('Every npm script that a workflow runs exists', async () => {
  const { scripts } = z.looseObject({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(await readProject('package.json')))
  const run = Object.values(workflows).flatMap((workflow) => [...workflow.matchAll(/npm run (\w+)/g)].map(([, name = '']) => name))
  expect(run).toEqual(['deploy', 'preview'])
  for (const name of run) expect(scripts).toHaveProperty(name)
})
