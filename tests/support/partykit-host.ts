import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import { Log, LogLevel, Miniflare, type MiniflareOptions } from 'miniflare'
import { withoutSignalHandlers } from '../../dev/ending.ts'
import { HOST } from '../../dev/ports.ts'
import { watchRuntimes } from '../../dev/runtime-watch.ts'
import { PROJECT } from '../../dev/state-folder.ts'
import config from '../../party/partykit.json' with { type: 'json' }

/** PartyKit's wrapper around a party, in `partykit dev` as in a deployment. */
const FACADE = path.join(PROJECT, 'node_modules/partykit/dist/generated.js')
const MODULE = 'party.js'
const MANIFEST = '__STATIC_ASSETS_MANIFEST__'

export interface PartyKitHost {
  origin: string
  /** Restarts all rooms, as when the platform moves them: sockets break, storage stays. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/**
 * Runs party/partykit.ts as PartyKit does: with its wrapper, bundled and configured as by its command line, in workerd. The command line
 * itself listens on all addresses and leaves processes behind.
 */
export async function startPartyKit(port: number, vars: { LIVE_KEY: string; PARTY_PUBLISH_KEY: string }): Promise<PartyKitHost> {
  const bundle = await buildParty()
  const options = miniflareOptions(bundle, port, vars)
  const miniflare = await withoutSignalHandlers(async () => new Miniflare(options))
  const { origin } = await miniflare.ready
  await watchRuntimes()
  return {
    origin,
    async restart() {
      await miniflare.setOptions(miniflareOptions(`${bundle}\n// ${Math.random()}`, port, vars))
      await watchRuntimes()
    },
    async stop() {
      await miniflare.dispose()
      await watchRuntimes()
    },
  }
}

/** Fills in and bundles the wrapper as `partykit dev` does. */
async function buildParty(): Promise<string> {
  const folder = path.join(PROJECT, 'party')
  const parties = Object.entries(config.parties).map(
    ([name, main]) => `
import ${name} from ${JSON.stringify(path.join(folder, main))}
export const ${name}DO = createDurable(${name}, { name: "${name}" })
Workers["${name}"] = ${name}`,
  )
  const facade = (await readFile(FACADE, 'utf8'))
    .replace('__WORKER__', path.join(folder, config.main))
    .replace('__R2_BINDINGS__', '[]')
    .replace('__KV_BINDINGS__', '[]')
    .replace('__PARTIES__', parties.join('\n'))
  const { outputFiles } = await build({
    stdin: { contents: facade, resolveDir: PROJECT },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['partykit', 'workerd', 'worker'],
    external: [MANIFEST],
    define: { PARTYKIT_HOST: '""', PARTYKIT_API_BASE: '""' },
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

function miniflareOptions(bundle: string, port: number, vars: Record<string, string>): MiniflareOptions {
  const classes = { PARTYKIT_DURABLE: 'PartyKitDurable', ...mapped(config.parties, (name) => `${name}DO`) }
  const module = (contents: string) => ({ type: 'esm' as const, contents })
  const modules = { [MODULE]: module(bundle), [MANIFEST]: module('export default { assets: {} }') }
  const namespace = (exportName: string) => ({ type: 'durable-object' as const, worker: config.name, exportName })
  return {
    host: HOST,
    port,
    log: new Log(LogLevel.NONE),
    logRequests: false,
    cf: false,
    telemetry: { enabled: false },
    workers: [
      {
        config: {
          name: config.name,
          compatibilityDate: config.compatibilityDate,
          compatibilityFlags: ['nodejs_compat'],
          manifest: { mainModule: MODULE, modulesRoot: PROJECT, modules },
          env: {
            ...Object.fromEntries(Object.entries(vars).map(([name, value]) => [`pkvar-${name}`, { type: 'text' as const, value }])),
            ...mapped(classes, (_, exportName) => namespace(exportName)),
          },
          exports: Object.fromEntries(
            Object.values(classes).map((name) => [name, { type: 'durable-object' as const, storage: 'legacy-kv' as const }]),
          ),
        },
      },
    ],
  }
}

function mapped<T, V>(record: Record<string, T>, make: (key: string, value: T) => V): Record<string, V> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, make(key, value)]))
}
