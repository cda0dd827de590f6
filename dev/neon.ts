import { neon, neonConfig } from '@neondatabase/serverless'
import { WebSocket } from 'ws'

/**
 * Points Neon's driver at local endpoints. It is configured once per process, so the address comes from each connection string: several
 * stacks can run in one process.
 */
export function pointDriverHere(): void {
  neonConfig.fetchEndpoint = (host, port) => `http://${host}:${port}/sql`
  neonConfig.wsProxy = (host, port) => `${host}:${port}/v2`
  neonConfig.webSocketConstructor = WebSocket
  neonConfig.useSecureWebSocket = false
  neonConfig.pipelineTLS = false
}

/** Neon's HTTP client for a local connection string. */
export function localSql(databaseUrl: string) {
  pointDriverHere()
  return neon(databaseUrl)
}

export type LocalSql = ReturnType<typeof localSql>
