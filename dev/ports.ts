import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { errorCode } from './setup-error.ts'

export const HOST = '127.0.0.1'

/** Below the range that systems use for outgoing connections, so that a port stays free until its owner takes it, also after a restart. */
const QUIET_PORTS = [20_000, 32_000] as const

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => {
      if (['EADDRINUSE', 'EACCES'].includes(errorCode(error) ?? '')) resolve(false)
      else reject(error)
    })
    server.listen(port, HOST, () => server.close(() => resolve(true)))
  })
}

/** Two processes that start at once must not both choose a port before either listens, so that each begins to look elsewhere. */
const OWN_PORTS = 100
const firstOwn = QUIET_PORTS[0] + (process.pid % ((QUIET_PORTS[1] - QUIET_PORTS[0]) / OWN_PORTS)) * OWN_PORTS
const chosen = new Set<number>()

/** The preferred port if it is free, otherwise any other. */
export async function freePort(wish?: number): Promise<number> {
  const others = Array.from({ length: OWN_PORTS }, (_, n) => firstOwn + n)
  for (let port = wish || others.shift(); ; port = others.shift() ?? randomInt(...QUIET_PORTS)) {
    if (port === undefined || (port !== wish && chosen.has(port)) || !(await isFree(port))) continue
    chosen.add(port)
    return port
  }
}
