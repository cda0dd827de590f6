import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { findChromium } from './chromium.ts'
import { SetupError } from './setup-error.ts'
import { PROJECT } from './state-folder.ts'
import { seconds } from './steps.ts'

/** `npm test`: types, lint, then every test. The last line is the total: `N passed, N failed`. */

const BIN = path.join(PROJECT, 'node_modules')
const CHECKS = [
  { name: 'types', script: 'typescript/bin/tsc', args: ['-b'] },
  { name: 'unused exports, files and dependencies', script: 'knip/bin/knip.js', args: [] },
  {
    name: 'texts in the catalogues',
    script: '@lingui/cli/dist/lingui.js',
    args: ['check', 'sync', '--workers', '1', '--config', 'dev/language/config.ts'],
  },
  { name: 'lint and format', script: '@biomejs/biome/bin/biome', args: ['check', '--error-on-warnings', '.'] },
]

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(z.object({ name: z.string(), status: z.string(), assertionResults: z.array(z.unknown()) })),
})

const tally = { passed: 0, failed: 0 }
process.chdir(PROJECT)
try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error)
  tally.failed++
}
console.log(`\n${tally.passed} passed, ${tally.failed} failed`)
process.exit(tally.failed === 0 ? 0 : 1)

/** With arguments, runs only these tests in vitest: `npm test -- --project api posts`; `--checks` runs types and lint as well. */
async function main(given: string[]): Promise<void> {
  const args = given.filter((arg) => arg !== '--checks')
  // Installed before the tests, which would all ask for it at once.
  await findChromium(console.log)
  if (given.length === 0 || args.length < given.length) for (const check of CHECKS) await runCheck(check)
  await runVitest(args)
}

async function runCheck({ name, script, args }: (typeof CHECKS)[number]): Promise<void> {
  const begin = performance.now()
  const ok = (await run([path.join(BIN, script), ...args])) === 0
  console.log(`${ok ? '✓' : '✗'} ${name}  ${seconds(performance.now() - begin)}`)
  tally[ok ? 'passed' : 'failed']++
}

async function runVitest(args: string[]): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-report-'))
  const file = path.join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await run([path.join(BIN, 'vitest/vitest.mjs'), 'run', ...reporters, ...args])
  const report = await readFile(file, 'utf8').then(
    (text) => Report.parse(JSON.parse(text)),
    () => null,
  )
  await rm(folder, { recursive: true })
  tally.passed += report?.numPassedTests ?? 0
  // A file that fails to load reports no tests of its own.
  const broken =
    report?.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0).length ?? 0
  const failed = (report?.numFailedTests ?? 0) + broken
  tally.failed += failed === 0 && code !== 0 ? 1 : failed
}

function run(args: string[]): Promise<number | null> {
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
}
