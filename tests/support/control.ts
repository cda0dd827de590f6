import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { joinBytes } from '../../contract/bytes.ts'
import type { Stack } from '../../dev/stack.ts'

/**
 * Tests run in other processes than the stack. This small server on the loopback address gives access to the stack's process: `GET
 * /objects?prefix=` lists keys, `GET /object?key=` returns bytes, `DELETE /object?key=` deletes an object, `POST /scheduled` runs the
 * minute's task, `PUT /scheduled?on=false` keeps it from running by itself, `GET /mail?to=` lists mail to an address, `POST /mail?from=&to=&size=&more=`
 * delivers the body and as many MiB more as a mail to the worker and tells how many bytes were read, `GET /served` counts requests to the database.
 */
export async function startControl(stack: Stack) {
  const server = createServer(async (request, response) => {
    try {
      const answer = await handle(stack, request, new URL(request.url ?? '/', 'http://control'))
      response.writeHead(answer === null ? 404 : 200)
      response.end(Buffer.isBuffer(answer) ? answer : JSON.stringify(answer))
    } catch (error) {
      response.writeHead(500)
      response.end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

async function handle(stack: Stack, request: IncomingMessage, url: URL): Promise<unknown> {
  const { side } = stack.worker
  const key = url.searchParams.get('key') ?? ''
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /objects':
      return side.listObjects(url.searchParams.get('prefix') ?? '')
    case 'GET /object':
      return side.readObject(key)
    case 'DELETE /object':
      await side.deleteObject(key)
      return {}
    case 'POST /scheduled':
      await stack.worker.runScheduled()
      return {}
    case 'PUT /scheduled':
      stack.worker.runMinutely(url.searchParams.get('on') === 'true')
      return {}
    case 'GET /served':
      return stack.neon.served
    case 'GET /mail':
      return stack.mailCatcher.list(url.searchParams.get('to') ?? undefined)
    case 'POST /mail': {
      const { from = '', to = '', size, more = '0' } = Object.fromEntries(url.searchParams)
      const parts: Uint8Array[] = []
      for await (const part of request) parts.push(part)
      return side.deliverMail({ from, to, raw: joinBytes(parts), rawSize: Number(size), more: Number(more) })
    }
    default:
      return null
  }
}
