import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { freePort, HOST } from '../../dev/ports.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** A proxy before a sign-in service that counts calls and injects faults. */
export interface AuthFront {
  origin: string
  /** `down` breaks connections, a number is the status of every answer; `only` limits fault and delay to paths with this prefix. */
  fault: 'down' | number | null
  only: string
  /** Milliseconds before an answer, so that calls overlap. */
  delay: number
  /** Paths of the calls so far, such as `/token`. */
  calls: string[]
  stop(): Promise<void>
}

export async function startAuthFront(serviceAt: (origin: string) => Handle | Promise<Handle>): Promise<AuthFront> {
  const port = await freePort()
  const origin = `http://${HOST}:${port}`
  const handle = await serviceAt(origin)
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin)
    front.calls.push(pathname)
    const fault = pathname.startsWith(front.only) ? front.fault : null
    if (front.delay > 0 && pathname.startsWith(front.only)) await new Promise((resolve) => setTimeout(resolve, front.delay))
    if (fault === 'down') return void request.socket.destroy()
    if (fault !== null) return void response.writeHead(fault, { 'content-type': 'application/json' }).end('{"error":"server_error"}')
    handle(request, response)
  })
  const front: AuthFront = {
    ...{ origin, fault: null, only: '/', delay: 0, calls: [] },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
  await new Promise<void>((resolve) => server.listen(port, HOST, resolve))
  return front
}

/** Forwards every call to another service. */
export function forwardTo(target: () => string): Handle {
  return async (request, response) => {
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const headers = Object.entries(request.headers).filter(
        ([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name),
      )
      const answer = await fetch(target() + (request.url ?? ''), {
        method: request.method ?? 'GET',
        headers: headers.map(([name, value]) => [name, String(value)] as [string, string]),
        redirect: 'manual',
        ...(chunks.length > 0 && { body: new Uint8Array(Buffer.concat(chunks)) }),
      })
      for (const name of ['content-type', 'location']) {
        const value = answer.headers.get(name)
        if (value) response.setHeader(name, value)
      }
      response.setHeader('set-cookie', answer.headers.getSetCookie())
      response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()))
    } catch {
      response.destroy()
    }
  }
}
