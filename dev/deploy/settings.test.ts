import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSettings, SETTINGS, settingProblems } from './settings.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'cairn-settings-'))
afterAll(() => rm(folder, { recursive: true }))

const newKey = () => randomBytes(32).toString('base64')
const key = newKey()
const sound = {
  APP_ORIGIN: 'https://cairn.example',
  DATABASE_URL: 'postgresql://u:p@ep-a.eu-central-1.aws.neon.tech/neondb',
  AUTH_URL: 'https://ep-a.neonauth.eu-central-1.aws.neon.tech/neondb/auth',
  SESSION_KEYS: `k1:${newKey()}`,
  LIVE_KEY: key,
}

test('Settings come only from the file and the environment, which takes precedence', async () => {
  const file = path.join(folder, '.env.deploy')
  await writeFile(file, `APP_ORIGIN=https://old.example\nLIVE_KEY="${key}"\nMAIL_KEY=\nOTHER=1\n`)
  const settings = await readSettings(file, { APP_ORIGIN: 'https://cairn.example', HOME: '/root', CLOUDFLARE_API_TOKEN: 'hush' })
  expect(settings).toEqual({ APP_ORIGIN: 'https://cairn.example', LIVE_KEY: key })
  expect(await readSettings(path.join(folder, 'none'), {})).toEqual({})
})

test('Each missing setting is reported with its source', () => {
  const problems = settingProblems({ APP_ORIGIN: sound.APP_ORIGIN })
  expect(problems.map((problem) => problem.split(' ')[0])).toEqual(['DATABASE_URL', 'AUTH_URL', 'SESSION_KEYS', 'LIVE_KEY'])
  expect(problems[3]).toContain('--keys')
})

test('Settings stored on the platform are not required locally', () => {
  const { APP_ORIGIN, DATABASE_URL } = sound
  expect(settingProblems({ APP_ORIGIN, DATABASE_URL }, new Set(SETTINGS.map(({ name }) => name)))).toEqual([])
})

test('Invalid values are refused before anything is done', () => {
  expect(settingProblems(sound)).toEqual([])
  expect(settingProblems({ ...sound, AUTH_URL: 'http://127.0.0.1:4748/auth' })).toEqual([expect.stringContaining('AUTH_URL')])
  expect(settingProblems({ ...sound, SESSION_KEYS: `local1:${key}` })).toEqual([expect.stringContaining('SESSION_KEYS')])
})
