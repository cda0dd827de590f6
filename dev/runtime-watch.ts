import { childrenNamed, endWithThisProcess } from './processes.ts'

const watched = new Map<number, () => void>()

/**
 * Ensures that no workerd outlives this process; Miniflare alone does not if the process is killed. Call it whenever one may have started
 * or ended.
 */
export async function watchRuntimes(): Promise<void> {
  const running = await childrenNamed('workerd')
  for (const [pid, callOff] of watched) {
    if (running.includes(pid)) continue
    callOff()
    watched.delete(pid)
  }
  for (const pid of running) if (!watched.has(pid)) watched.set(pid, endWithThisProcess(pid, 'TERM'))
}
