import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { HOST } from '../../dev/ports.ts'

interface Captured {
  event: string
  distinctId: string
  properties: Record<string, unknown> & { $set?: Record<string, unknown> }
}

export interface Sent {
  events: Captured[]
  /** `METHOD path?query` of every request except preflights. */
  requests: string[]
  named(event: string): Captured[]
}

interface CaptureServer {
  origin: string
  /** Events sent by the browser with this user agent. */
  from(userAgent: string): Sent
  stop(): Promise<void>
}

/** A fake PostHog: accepts events in each of its encodings, and returns no flags or experiments. */
export async function startCaptureServer(): Promise<CaptureServer> {
  const senders = new Map<string, Sent>()
  const from = (userAgent: string): Sent => {
    const events: Captured[] = []
    const known = senders.get(userAgent)
    const sent = known ?? { events, requests: [], named: (event) => events.filter((captured) => captured.event === event) }
    senders.set(userAgent, sent)
    return sent
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://capture')
      const headers = { 'access-control-allow-origin': request.headers.origin ?? '*', 'access-control-allow-headers': '*' }
      if (request.method === 'OPTIONS') return response.writeHead(204, headers).end()
      const { events, requests } = from(request.headers['user-agent'] ?? '')
      requests.push(`${request.method} ${url.pathname}${url.search}`)
      if (url.pathname === '/e/') events.push(...eventsOf(decode(Buffer.concat(chunks))))
      response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(answer(url.pathname)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
  return {
    // A listening server's address is a string only for pipes.
    origin: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    from,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answer(path: string): unknown {
  if (path.startsWith('/flags')) return { flags: {}, featureFlags: {}, errorsWhileComputingFlags: false }
  if (path.startsWith('/api/web_experiments')) return { experiments: [] }
  return path.startsWith('/array/') ? { supportedCompression: ['gzip-js'], hasFeatureFlags: true } : { status: 1 }
}

/** Gzip, a form of base64, or plain JSON. */
function decode(body: Buffer): unknown {
  if (body[0] === 0x1f && body[1] === 0x8b) return JSON.parse(gunzipSync(body).toString())
  const text = body.toString()
  return JSON.parse(text.startsWith('data=') ? Buffer.from(decodeURIComponent(text.slice(5)), 'base64').toString() : text)
}

function eventsOf(body: unknown): Captured[] {
  const list = Array.isArray(body) ? body : typeof body === 'object' && body && 'batch' in body ? body.batch : [body]
  // The service accepts only these shapes, so any other fails the test.
  return (list as (Captured & { $set?: object })[]).map(({ event, properties, $set }) => ({
    event,
    distinctId: String(properties.distinct_id),
    properties: { ...properties, ...($set && { $set: { ...$set } }) },
  }))
}
