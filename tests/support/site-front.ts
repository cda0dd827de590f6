import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { freePort, HOST } from '../../dev/ports.ts'

/** A proxy before the whole app with its own address, so that a test can stop the server or deploy another build. */
export interface SiteFront {
  origin: string
  /** Id of the deployed build. */
  build: string
  /** Addresses that were asked for, in order. */
  asked: string[]
  /** Stops listening. */
  down(): Promise<void>
  up(): Promise<void>
  /** Serves the same app with the file names of another build; those of the previous build are gone. */
  deploy(): void
}

/** Hashes in the names of built files. */
const HASHED = /(-[\w-]{8})\.(js|css)\b/g
const RENAMED = /(-[\w-]{8})n\.(js|css)\b/g
const TEXT = /html|javascript|json|css/

export async function startSiteFront(site: string): Promise<SiteFront> {
  const port = await freePort()
  const { id } = (await (await fetch(`${site}/builds/latest.json`)).json()) as { id: string }
  const nextId = id.split('').toReversed().join('')
  const rename = (text: string) => text.replaceAll(HASHED, '$1n.$2').replaceAll(id, nextId)
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    front.asked.push(path)
    if (front.build === id) return forward(site, request, response, { path })
    if (/^\/assets\/.*\.(js|css)$/.test(path) && !/-[\w-]{8}n\.\w+$/.test(path)) return void response.writeHead(404).end()
    forward(site, request, response, { path: path.replaceAll(RENAMED, '$1.$2').replaceAll(nextId, id), rename })
  })
  const listen = () => new Promise<void>((resolve) => server.listen(port, HOST, resolve))
  const front: SiteFront = {
    origin: `http://${HOST}:${port}`,
    build: id,
    asked: [],
    up: listen,
    async down() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
    deploy() {
      front.build = nextId
    },
  }
  await listen()
  return front
}

interface Change {
  path: string
  rename?: (text: string) => string
}

/** The worker answers only at its own address, so the request is rewritten to it. */
function forward(site: string, request: IncomingMessage, response: ServerResponse, { path, rename }: Change): void {
  const { host } = new URL(site)
  const headers = { ...request.headers, host, 'accept-encoding': 'identity' }
  if (headers.origin) headers.origin = site
  // The browser's cached files belong to the previous build.
  if (rename) delete headers['if-none-match']
  const call = send(site + path, { method: request.method ?? 'GET', headers }, async (answer) => {
    const type = answer.headers['content-type'] ?? ''
    if (!rename || path.startsWith('/api/') || !TEXT.test(type)) {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      return void answer.pipe(response)
    }
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk as Buffer)
    const { 'content-length': _, etag: __, ...rest } = answer.headers
    response.writeHead(answer.statusCode ?? 502, rest).end(rename(Buffer.concat(chunks).toString()))
  })
  call.on('error', () => response.destroy())
  request.pipe(call)
}
