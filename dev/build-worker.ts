import path from 'node:path'
import { type BuildOptions, build, context, stop } from 'esbuild'
import { allTranslationsOf } from './language/catalogues.ts'
import { languageInEsbuild } from './language/plugin.ts'
import { releaseName } from './release-name.ts'
import { messageOf, SetupError } from './setup-error.ts'
import { PROJECT } from './state-folder.ts'

export const WORKER_BUNDLE = path.join(PROJECT, 'dist/worker/index.js')

async function options(entry: string, outfile: string): Promise<BuildOptions> {
  return {
    absWorkingDir: PROJECT,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    target: 'es2024',
    platform: 'browser',
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['browser', 'module', 'main'],
    external: ['node:*', 'cloudflare:*'],
    loader: { '.md': 'text', '.sql': 'text', '.html': 'text' },
    define: {
      'process.env.NODE_ENV': '"production"',
      CAIRN_RELEASE: JSON.stringify(await releaseName(PROJECT)),
      WORKER_LANGUAGES: JSON.stringify(await workerLanguages()),
    },
    sourcemap: 'linked',
    logLevel: 'silent',
    metafile: true,
    plugins: [languageInEsbuild],
  }
}

/** As JSON, which costs next to nothing until somebody reads the language. */
async function workerLanguages(): Promise<Record<string, string>> {
  const languages = await allTranslationsOf((file) => /^(worker|contract)\//.test(file))
  return Object.fromEntries(Object.entries(languages).map(([tag, catalogue]) => [tag, JSON.stringify(catalogue)]))
}

/** Bundles the worker into one module that workerd can run. Returns its path. */
export async function buildWorker(entry = 'worker/index.ts', outfile = WORKER_BUNDLE): Promise<string> {
  try {
    await build(await options(entry, outfile))
  } catch (error) {
    throw new SetupError(`The worker could not be built:\n${messageOf(error)}`)
  }
  return outfile
}

/** Ends the bundler's process, which keeps some 150 MB. Another build starts it again. */
export const endBundler = stop

/** Bundles again after each change of a source. `onBuilt` gets each bundle, or the errors in the sources. */
export async function watchWorker(onBuilt: (outcome: { bundle: string } | { errors: string[] }) => void) {
  const report = {
    name: 'report',
    setup(plugin: import('esbuild').PluginBuild) {
      plugin.onEnd(({ errors }) => {
        const texts = errors.map(({ text, location }) => `${location?.file ?? ''}:${location?.line ?? ''} ${text}`)
        onBuilt(texts.length > 0 ? { errors: texts } : { bundle: WORKER_BUNDLE })
      })
    },
  }
  const base = await options('worker/index.ts', WORKER_BUNDLE)
  const watching = await context({ ...base, plugins: [...(base.plugins ?? []), report] })
  await watching.watch()
  return { stop: () => watching.dispose() }
}

if (import.meta.main) {
  const start = performance.now()
  const bundle = await buildWorker()
  console.log(`${path.relative(PROJECT, bundle)} in ${Math.round(performance.now() - start)} ms`)
}
