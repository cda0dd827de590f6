import { execFile, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process is alive but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The command line of a process, or '' if it has ended. Distinguishes a reused process id from our own. */
export async function commandOf(pid: number): Promise<string> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
  } catch {
    if (process.platform === 'linux' || process.platform === 'win32') return ''
    const ps = promisify(execFile)('ps', ['-p', String(pid), '-o', 'command='])
    return ps.then(({ stdout }) => stdout).catch(() => '')
  }
}

/** A zombie still answers signals, as in containers without an init. */
async function isRunning(pid: number): Promise<boolean> {
  return isAlive(pid) && (process.platform === 'win32' || (await commandOf(pid)) !== '')
}

export async function waitUntilGone(pid: number, milliseconds: number): Promise<boolean> {
  const end = Date.now() + milliseconds
  while (await isRunning(pid)) {
    if (Date.now() > end) return false
    await sleep(25)
  }
  return true
}

/**
 * Ends `pid` when this process dies without running any code (SIGKILL, out of memory): a shell waits for the end of a pipe that only this
 * process keeps open. Returns a function that cancels this.
 */
export function endWithThisProcess(pid: number, signal: 'INT' | 'TERM'): () => void {
  if (process.platform === 'win32') return () => {}
  const watcher = spawn('/bin/sh', ['-c', `read -r line; [ "$line" = off ] || kill -${signal} ${pid}`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.on('error', () => {})
  watcher.stdin.on('error', () => {})
  watcher.unref()
  return () => watcher.stdin.end('off\n')
}

/** Process ids of this process's own children whose program has that name. */
export async function childrenNamed(name: string): Promise<number[]> {
  const rows = process.platform === 'linux' ? await listProc() : await listPs()
  return rows.filter((row) => row.parent === process.pid && row.program === name).map((row) => row.pid)
}

type Row = { pid: number; parent: number; program: string }

/** Reads /proc on Linux, because slim images have no ps. */
async function listProc(): Promise<Row[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
  const rows = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const [, program = '', parent] = stat.match(/^\d+ \((.*)\) \S (\d+)/) ?? []
      return { pid: Number(pid), parent: Number(parent), program }
    }),
  )
  return rows
}

async function listPs(): Promise<Row[]> {
  if (process.platform === 'win32') return []
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,ppid=,comm='])
  return stdout.split('\n').map((line) => {
    const [pid, parent, ...program] = line.trim().split(/\s+/)
    return { pid: Number(pid), parent: Number(parent), program: path.basename(program.join(' ')) }
  })
}
