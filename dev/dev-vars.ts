import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PROJECT } from './state-folder.ts'

const FILE = path.join(PROJECT, '.dev.vars')
const MARK = '# Written by npm start for wrangler dev; values of your own go above this line.'

/** Writes the worker's local values where `wrangler dev` looks for them. Lines above ours are kept. */
export async function writeDevVars(vars: Record<string, string>): Promise<void> {
  const old = await readFile(FILE, 'utf8').catch(() => '')
  const own = old.split(MARK)[0]?.trim()
  const lines = Object.entries(vars).map(([name, value]) => `${name}="${value}"`)
  await writeFile(FILE, [...(own ? [own] : []), MARK, ...lines, ''].join('\n'), { mode: 0o600 })
}
