import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { releaseName } from './release-name.ts'

let dir: string
const at = async (folder: string) => {
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'package.json'), '{"version":"1.2.3"}')
  return releaseName(folder)
}
const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: dir })

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'cairn-release-'))
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(dir, { recursive: true })
})

test('A copy without a history is named by its version', async () => {
  expect(await at(dir)).toBe('1.2.3')
})

const hasGit = spawnSync('git', ['--version']).status === 0

test.runIf(hasGit)('The name of a checkout contains its own commit, and not that of an enclosing checkout', async () => {
  git('init', '--quiet')
  expect(await at(dir)).toBe('1.2.3')
  git('commit', '--quiet', '--allow-empty', '--no-gpg-sign', '-m', 'Begin')
  expect(await at(dir)).toMatch(/^1\.2\.3\+[0-9a-f]{7,}$/)
  expect(await at(path.join(dir, 'inside'))).toBe('1.2.3')
})

test('The release name does not require git', async () => {
  vi.stubEnv('PATH', dir)
  expect(await at(dir)).toBe('1.2.3')
})
