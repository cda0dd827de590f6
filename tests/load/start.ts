import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '../../dev/ports.ts'
import { PROJECT } from '../../dev/state-folder.ts'
import type { Figure } from './figures.ts'

/** Seconds from `npm start -- --demo` to a working app, in a fresh clone whose packages are installed. */
export async function measureStart(): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-start-'))
  try {
    spawnSync('git', ['clone', '--quiet', PROJECT, folder], { stdio: 'inherit' })
    await symlink(path.join(PROJECT, 'node_modules'), path.join(folder, 'node_modules'))
    const first = await startOnce(folder)
    const later = [await startOnce(folder), await startOnce(folder)]
    return [
      { what: 'npm start -- --demo, first time', value: `${first.toFixed(1)} s` },
      { what: 'npm start -- --demo, later', value: `${Math.min(...later).toFixed(1)} s` },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function startOnce(folder: string): Promise<number> {
  const begin = performance.now()
  const args = ['dev/start.mjs', '--demo', '--port', String(await freePort())]
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const ready = new Promise<number>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output.includes('Cairn is ready')) resolve((performance.now() - begin) / 1000)
    })
    child.once('close', () => reject(new Error(`npm start ended before it was ready:\n${output}`)))
  })
  try {
    return await ready
  } finally {
    child.kill('SIGINT')
    await ended
  }
}
