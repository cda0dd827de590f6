import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Log, LogLevel, Miniflare, type MiniflareOptions } from 'miniflare'
import { withoutSignalHandlers } from './ending.ts'
import { HOST } from './ports.ts'
import { watchRuntimes } from './runtime-watch.ts'
import { messageOf } from './setup-error.ts'
import { readWranglerConfig, type WranglerConfig } from './wrangler-config.ts'

type Manifest = { mainModule: string; modulesRoot: string; modules: Record<string, { type: 'esm'; contents: string }> }

export interface WorkerHostOptions {
  /** Path of the bundled worker. */
  bundle: string
  /** Folder of the built web app, or false for the worker alone. */
  assets: string | false
  port: number
  /** Folder of object storage and rooms. */
  storage: string
  /** Values of the bindings that differ from wrangler.toml. */
  vars: Record<string, string>
  log?: (line: string) => void
  /** Called when the runtime ended by itself and was started again. */
  onRestart?: (reason: string) => void
}

export interface WorkerHost {
  origin: string
  /** Runs another bundle, or the same path again, on the same port and storage. */
  reload(bundle: string): Promise<void>
  /** Runs the worker's `scheduled` handler, as the cron trigger does each minute. */
  runScheduled(): Promise<void>
  /** Whether this happens by itself each minute, as it does from the start. */
  runMinutely(on: boolean): void
  bucket(binding?: string): ReturnType<Miniflare['getR2Bucket']>
  /** Gives a mail to the worker, as Cloudflare does. Throws if the worker fails. */
  deliverMail: (mail: DeliveredMail) => Promise<Delivered>
  miniflare: Miniflare
  dispose(): Promise<void>
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

export async function startWorkerHost(options: WorkerHostOptions): Promise<WorkerHost> {
  const config = await readWranglerConfig()
  const parsed = await miniflareOptions(config, options)
  const miniflare = await withoutSignalHandlers(async () => new Miniflare(parsed))
  const origin = (await miniflare.ready).origin
  await watchRuntimes()
  const runScheduled = async () => {
    const worker = await miniflare.getWorker()
    await worker.scheduled({ cron: config.triggers.crons[0] ?? '', scheduledTime: new Date() })
  }
  let minutely: NodeJS.Timeout | undefined
  const runMinutely = (on: boolean) => {
    clearInterval(minutely)
    if (!on) return
    minutely = setInterval(() => {
      runScheduled().catch((error: unknown) => options.log?.(`The minute's task failed: ${messageOf(error)}`))
    }, 60_000)
    minutely.unref()
  }
  runMinutely(true)
  return {
    origin,
    miniflare,
    runScheduled,
    runMinutely,
    deliverMail: (mail) => deliverMail(miniflare, mail),
    bucket: (binding = 'FILES') => miniflare.getR2Bucket(binding),
    async reload(bundle) {
      await miniflare.setOptions(await miniflareOptions(config, { ...options, bundle, port: Number(new URL(origin).port) }))
      await watchRuntimes()
    },
    async dispose() {
      runMinutely(false)
      await miniflare.dispose()
      await watchRuntimes()
    },
  }
}

const MAIL_SERVER = 'mail-server'

/**
 * A worker that calls `email` of Cairn's. Miniflare's own way to do that reads a whole mail first, and refuses those that are too large or have no Message-ID
 * before the worker sees them.
 */
const MAIL_SERVER_CODE = `export default {
  async fetch(request, env) {
    const { from, to, size, more } = Object.fromEntries(new URL(request.url).searchParams)
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
}`

async function deliverMail(miniflare: Miniflare, { from, to, raw, rawSize = raw.byteLength, more = 0 }: DeliveredMail): Promise<Delivered> {
  const server = await miniflare.getWorker(MAIL_SERVER)
  const query = new URLSearchParams({ from, to, size: String(rawSize), more: String(more) })
  const response = await server.fetch(`http://${HOST}/?${query}`, { method: 'POST', body: raw })
  if (!response.ok) throw new Error(`The worker failed at a mail: ${await response.text()}`)
  return (await response.json()) as Delivered
}

async function miniflareOptions(config: WranglerConfig, options: WorkerHostOptions): Promise<MiniflareOptions> {
  const log = options.log ?? (() => {})
  return {
    host: HOST,
    port: options.port,
    log: new HostLog(log),
    logRequests: false,
    // The info level logs a line per call, too much for a terminal.
    handleStructuredLogs: ({ level, message }) => {
      if (level !== 'info') log(level === 'log' ? message : `${level}: ${message}`)
    },
    unsafeHandleRuntimeRestart: () => {
      options.onRestart?.('its runtime crashed')
      void watchRuntimes()
    },
    // The real `request.cf` would be fetched from the internet.
    cf: false,
    resourcePersistencePath: options.storage,
    telemetry: { enabled: false },
    workers: [
      {
        config: {
          name: config.name,
          compatibilityDate: config.compatibility_date,
          compatibilityFlags: config.compatibility_flags,
          manifest: await manifest(options.bundle),
          env: bindings(config, options),
          exports: Object.fromEntries(
            config.durable_objects.bindings.map(({ class_name }) => [
              class_name,
              { type: 'durable-object' as const, storage: 'sqlite' as const },
            ]),
          ),
          ...(options.assets !== false && {
            assets: {
              directory: options.assets,
              hasUserWorker: true,
              notFoundHandling: config.assets.not_found_handling,
              runWorkerFirst: config.assets.run_worker_first,
            },
          }),
        },
      },
      {
        config: {
          name: MAIL_SERVER,
          compatibilityDate: config.compatibility_date,
          manifest: { mainModule: 'mail.js', modulesRoot: '/', modules: { 'mail.js': { type: 'esm', contents: MAIL_SERVER_CODE } } },
          env: { CAIRN: { type: 'worker', worker: config.name } },
        },
      },
    ],
  }
}

async function manifest(bundle: string): Promise<Manifest> {
  const mainModule = path.basename(bundle)
  const contents = await readFile(bundle, 'utf8')
  return { mainModule, modulesRoot: path.dirname(bundle), modules: { [mainModule]: { type: 'esm', contents } } }
}

function bindings(config: WranglerConfig, { assets, vars }: WorkerHostOptions) {
  const text = Object.entries({ ...config.vars, ...vars }).map(([name, value]) => [name, { type: 'text', value }])
  const buckets = config.r2_buckets.map(({ binding, bucket_name }) => [binding, { type: 'r2', name: bucket_name }])
  const rooms = config.durable_objects.bindings.map(({ name, class_name }) => [
    name,
    { type: 'durable-object', worker: config.name, exportName: class_name },
  ])
  return Object.fromEntries([
    ...text,
    ...buckets,
    ...rooms,
    [config.images.binding, { type: 'images' }],
    ...(assets === false ? [] : [[config.assets.binding, { type: 'assets' }]]),
  ])
}

/** Logs Miniflare's own messages only when something is wrong. */
class HostLog extends Log {
  #line: (line: string) => void

  constructor(line: (line: string) => void) {
    super(LogLevel.WARN)
    this.#line = line
  }

  override log(message: string): void {
    this.#line(message)
  }
}
