import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { createWebSocketStream, WebSocketServer } from 'ws'
import { NeonPools } from './neon-pools.ts'
import { BadRequest, isOutage, type NeonRequest, parseNeonRequest } from './neon-request.ts'
import { HOST } from './ports.ts'

/** Bytes. Neon accepts at most 64 MiB per request over HTTP. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

export interface NeonEndpoint {
  port: number
  /** HTTP requests so far: a batch is one request of several statements. */
  served: { requests: number; statements: number }
  /** Milliseconds that each request takes longer, as to a database far away. */
  simulated: { delay: number }
  /** Closes every connection to one database, so that it can be dropped. */
  forget(database: string): Promise<void>
  stop(): Promise<void>
}

/** The endpoints that Neon puts in front of Postgres: SQL over HTTP at /sql, and a WebSocket tunnel at /v2. */
export async function startNeonEndpoint(options: { port: number; postgresPort: number }): Promise<NeonEndpoint> {
  const pools = new NeonPools(HOST, options.postgresPort)
  const served = { requests: 0, statements: 0 }
  const simulated = { delay: 0 }
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    if (request.method === 'POST' && request.url === '/sql') void answer({ pools, served, simulated }, request, response)
    else reply(response, 404, { message: 'Only POST /sql and the WebSocket /v2 are served here' })
  })
  const tunnels = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  server.on('upgrade', (request, socket, head) => {
    if (!request.url?.startsWith('/v2')) return socket.destroy()
    tunnels.handleUpgrade(request, socket, head, (webSocket) => {
      tunnel(createWebSocketStream(webSocket), options.postgresPort)
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(options.port, HOST, resolve))
  // A listening server's address is a string only for pipes.
  const { port } = server.address() as AddressInfo
  return {
    port,
    served,
    simulated,
    forget: (database) => pools.forget(database),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const client of tunnels.clients) client.terminate()
      server.closeAllConnections()
      await Promise.all([closed, pools.end()])
    },
  }
}

function tunnel(client: Duplex, postgresPort: number): void {
  const database = connect({ host: HOST, port: postgresPort, noDelay: true })
  client.on('error', () => database.destroy()).on('close', () => database.destroy())
  database.on('error', () => client.destroy()).on('close', () => client.destroy())
  client.pipe(database).pipe(client)
}

type Serving = Pick<NeonEndpoint, 'served' | 'simulated'> & { pools: NeonPools }

async function answer({ pools, served, simulated }: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const neonRequest: NeonRequest = parseNeonRequest(request.headers, await readBody(request))
    served.requests++
    served.statements += neonRequest.queries.length
    if (simulated.delay > 0) await setTimeout(simulated.delay)
    reply(response, 200, await pools.run(neonRequest))
  } catch (error) {
    const fields = errorFields(error)
    if (error instanceof BadRequest) reply(response, 400, fields)
    // The driver turns any status but 400 into "Server error", which callers treat as an outage.
    else if (isOutage(error)) reply(response, 503, fields)
    else reply(response, fields.code ? 400 : 500, fields)
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new BadRequest(`A request holds at most ${MAX_BODY_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

/** Fields that the driver copies from an answer to its NeonDbError. */
const ERROR_FIELDS = [
  'severity',
  'code',
  'detail',
  'hint',
  'position',
  'internalPosition',
  'internalQuery',
  'where',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
  'file',
  'line',
  'routine',
] as const

function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) }
  const known: Record<string, unknown> = { ...error }
  return { message: error.message, ...Object.fromEntries(ERROR_FIELDS.map((field) => [field, known[field]])) }
}
