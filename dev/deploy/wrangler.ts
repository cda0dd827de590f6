import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { PROJECT } from '../state-folder.ts'
import { wranglerProblem } from './sentences.ts'

const CLI = path.join(PROJECT, 'node_modules/wrangler/bin/wrangler.js')

interface CommandResult {
  ok: boolean
  output: string
}

/** Runs wrangler with these arguments in the checkout; `output` is stdout and stderr. */
export type Wrangler = (args: string[]) => Promise<CommandResult>

export const wrangler: Wrangler = async (args) => {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: PROJECT,
    // No input: wrangler must not wait for an answer.
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: 'true', WRANGLER_SEND_METRICS: 'false', FORCE_COLOR: '0', NO_COLOR: '1' },
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  return { ok: code === 0, output: stripVTControlCharacters(output).trim() }
}

/** Like `run`, but throws an error that says what failed and why. */
export async function mustRun(run: Wrangler, args: string[], what: string): Promise<string> {
  const { ok, output } = await run(args)
  if (!ok) throw wranglerProblem(what, output)
  return output
}

/** Passes secrets to wrangler in a file that only this user can read and that is removed afterwards. */
export async function withSecretsFile<T>(secrets: Record<string, string>, work: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-secrets-'))
  const file = path.join(folder, 'secrets.json')
  try {
    await writeFile(file, JSON.stringify(secrets), { mode: 0o600 })
    return await work(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
