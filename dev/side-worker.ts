import type { Miniflare } from 'miniflare'

/**
 * A worker beside Cairn's. It calls Cairn's as Cloudflare does, and reads its storage for tests. This process calls nothing but its `fetch`: Miniflare's other ways
 * (`getR2Bucket`, `getWorker().scheduled`) block the process until the runtime answers, while the runtime may wait for the process to read what the worker logs,
 * and then both wait for ever. Miniflare's way to deliver a mail also refuses some before the worker sees them: those too large, or without a Message-ID.
 */
export const SIDE_WORKER = {
  name: 'side-worker',
  compatibilityFlags: ['service_binding_extra_handlers'],
  code: `
const CALLS = {
  'GET /': () => new Response(),
  async 'POST /scheduled'(request, env, { cron }) {
    const { outcome } = await env.CAIRN.scheduled({ cron, scheduledTime: new Date() })
    return Response.json({ outcome })
  },
  async 'POST /mail'(request, env, { from, to, size, more }) {
    const head = new Uint8Array(await request.arrayBuffer())
    let [rejected, read, left] = [null, 0, Number(more)]
    const send = (controller, bytes) => { controller.enqueue(bytes); read += bytes.length }
    const raw = new ReadableStream({
      start: (controller) => send(controller, head),
      pull: (controller) => left-- > 0 ? send(controller, new Uint8Array(1024 * 1024).fill(120)) : controller.close(),
    })
    const setReject = (reason) => { rejected = reason }
    await env.CAIRN.email({ from, to, raw, rawSize: Number(size), headers: new Headers(), canBeForwarded: false, setReject })
    await scheduler.wait(0)
    return Response.json({ rejected, read })
  },
  async 'GET /objects'(request, env, { prefix }) {
    return Response.json((await env.FILES.list({ prefix })).objects.map(({ key }) => key))
  },
  async 'GET /object'(request, env, { key }) {
    const object = await env.FILES.get(key)
    return object ? new Response(object.body) : new Response(null, { status: 404 })
  },
  async 'DELETE /object'(request, env, { key }) {
    await env.FILES.delete(key)
    return new Response()
  },
}
export default {
  fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url)
    return CALLS[request.method + ' ' + pathname](request, env, Object.fromEntries(searchParams))
  },
}`,
}

export interface DeliveredMail {
  /** Addresses that the sending server gave. */
  from: string
  to: string
  raw: Uint8Array<ArrayBuffer>
  /** Size in bytes that Cloudflare reports; that of `raw` by default. */
  rawSize?: number
  /** MiB that follow after `raw`. They are made as they are read, so there can be more than fit into memory. */
  more?: number
}

export interface Delivered {
  /** Why the mail was refused, or null. */
  rejected: string | null
  /** Bytes that the worker has read. */
  read: number
}

export function sideWorker(miniflare: Miniflare) {
  async function call(what: `${string} /${string}`, query: Record<string, string>, body?: Uint8Array<ArrayBuffer>) {
    const [method = '', path = ''] = what.split(' ')
    const server = await miniflare.getWorker(SIDE_WORKER.name)
    const response = await server.fetch(`http://cairn${path}?${new URLSearchParams(query)}`, { method, ...(body && { body }) })
    if (!response.ok && response.status !== 404) throw new Error(`The worker failed: ${await response.text()}`)
    return response
  }
  return {
    /** The first call blocks this process as well, so it is made while the worker has nothing to log. */
    async connect(): Promise<void> {
      await call('GET /', {})
    },
    /** Runs the worker's `scheduled` handler, as the cron trigger does. */
    async runScheduled(cron: string): Promise<void> {
      const { outcome } = (await (await call('POST /scheduled', { cron })).json()) as { outcome: string }
      if (outcome !== 'ok') throw new Error(`The worker failed: ${outcome}`)
    },
    /** Gives a mail to the worker, as Cloudflare does. Throws if the worker fails. */
    async deliverMail({ from, to, raw, rawSize = raw.byteLength, more = 0 }: DeliveredMail): Promise<Delivered> {
      return (await (await call('POST /mail', { from, to, size: String(rawSize), more: String(more) }, raw)).json()) as Delivered
    },
    /** Keys of the first thousand objects. */
    async listObjects(prefix: string): Promise<string[]> {
      return (await (await call('GET /objects', { prefix })).json()) as string[]
    },
    async readObject(key: string): Promise<Buffer | null> {
      const response = await call('GET /object', { key })
      return response.ok ? Buffer.from(await response.arrayBuffer()) : null
    },
    async deleteObject(key: string): Promise<void> {
      await call('DELETE /object', { key })
    },
  }
}
