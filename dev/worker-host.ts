import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Log, LogLevel, Miniflare, type MiniflareOptions } from 'miniflare'
import { withoutSignalHandlers } from './ending.ts'
import { HOST } from './ports.ts'
import { watchRuntimes } from './runtime-watch.ts'
import { messageOf } from './setup-error.ts'
import { SIDE_WORKER, sideWorker } from './side-worker.ts'
import { bucketsOf, readWranglerConfig, type WranglerConfig } from './wrangler-config.ts'

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
  /** Blocks this process at every call (side-worker.ts): for stacks of which nothing else is asked. */
  bucket(binding?: string): ReturnType<Miniflare['getR2Bucket']>
  side: ReturnType<typeof sideWorker>
  miniflare: Miniflare
  dispose(): Promise<void>
}

export async function startWorkerHost(options: WorkerHostOptions): Promise<WorkerHost> {
  const config = await readWranglerConfig()
  const parsed = await miniflareOptions(config, options)
  const miniflare = await withoutSignalHandlers(async () => new Miniflare(parsed))
  const origin = (await miniflare.ready).origin
  await watchRuntimes()
  const side = sideWorker(miniflare)
  await side.connect()
  const runScheduled = () => side.runScheduled(config.triggers.crons[0] ?? '')
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
    side,
    bucket: (binding = 'FILES') => miniflare.getR2Bucket(binding),
    async reload(bundle) {
      await miniflare.setOptions(await miniflareOptions(config, { ...options, bundle, port: Number(new URL(origin).port) }))
      await watchRuntimes()
      await side.connect()
    },
    async dispose() {
      runMinutely(false)
      await miniflare.dispose()
      await watchRuntimes()
    },
  }
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
          name: SIDE_WORKER.name,
          compatibilityDate: config.compatibility_date,
          compatibilityFlags: SIDE_WORKER.compatibilityFlags,
          manifest: { mainModule: 'side.js', modulesRoot: '/', modules: { 'side.js': { type: 'esm', contents: SIDE_WORKER.code } } },
          env: { CAIRN: { type: 'worker', worker: config.name }, ...bucketsOf(config) },
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
  const rooms = config.durable_objects.bindings.map(({ name, class_name }) => [
    name,
    { type: 'durable-object', worker: config.name, exportName: class_name },
  ])
  return Object.fromEntries([
    ...text,
    ...Object.entries(bucketsOf(config)),
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
