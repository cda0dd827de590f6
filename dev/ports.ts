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

/** The preferred port if it is free, otherwise any other. */
export async function freePort(wish?: number): Promise<number> {
  for (let port = wish || randomInt(...QUIET_PORTS); ; port = randomInt(...QUIET_PORTS)) {
    if (await isFree(port)) return port
  }
}
