import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { SetupError } from './setup-error.ts'
import { PROJECT } from './state-folder.ts'

export const WEB_BUILD = path.join(PROJECT, 'dist/web')
const STAMP = path.join(PROJECT, 'dist/web.stamp')
/** All sources of the web app. */
const SOURCES = [
  'web',
  'contract',
  'content',
  'language',
  'dev/content',
  'dev/service-worker',
  'dev/guest-script.ts',
  'dev/head-script.ts',
  'dev/language',
  'dev/demo/pictures',
  'vite.config.ts',
  'package-lock.json',
]

/** Builds the web app if its sources have changed since the last build; returns whether it did. */
export async function buildWeb(signal?: AbortSignal): Promise<{ folder: string; built: boolean }> {
  const stamp = await hashSources()
  if (stamp === (await readFile(STAMP, 'utf8').catch(() => ''))) return { folder: WEB_BUILD, built: false }
  await mkdir(WEB_BUILD, { recursive: true })
  await runVite(signal)
  await writeFile(STAMP, stamp)
  return { folder: WEB_BUILD, built: true }
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of await filesOf(path.join(PROJECT, source))) {
      hash.update(`${path.relative(PROJECT, file)}\0`).update(await readFile(file))
    }
  }
  return hash.digest('hex')
}

async function filesOf(target: string): Promise<string[]> {
  const found = await stat(target).catch(() => null)
  if (!found) return []
  if (found.isFile()) return [target]
  const entries = await readdir(target, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted()
}

/** In a separate process, to use the second core and release its memory. */
async function runVite(signal: AbortSignal | undefined): Promise<void> {
  const vite = path.join(PROJECT, 'node_modules/vite/bin/vite.js')
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn', '--configLoader', 'native'], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    // The test runner sets NODE_ENV, and Vite would then bundle React's development build.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0) throw new SetupError(`The web app could not be built:\n${output.trim()}`)
}
