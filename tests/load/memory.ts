import { readFile } from 'node:fs/promises'
import { childrenNamed } from '../../dev/processes.ts'

/** Resident bytes of this process's workerd children; NaN if the system does not report it. */
export async function runtimeMemory(): Promise<number> {
  const sizes = await Promise.all((await childrenNamed('workerd')).map(residentOf))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Resident bytes of one process; NaN if the system does not report it. */
export async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
}
