import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import type { Plugin } from 'vite'
import { LATEST_PATH, LatestBuild, metaPath } from '../../contract/site.ts'
import { languageInEsbuild } from '../language/plugin.ts'

const ENTRY = path.join(import.meta.dirname, '../../web/service-worker/service-worker.ts')

/** Files of web/public that pages request by name. */
const NAMED = ['/favicon.svg', '/manifest.webmanifest']

/** Cached on first use: images of content pages, what reads films and rare pictures, the place names, which only a search needs, analytics, which few sites have, and languages. */
const ON_DEMAND =
  /\.webp$|\.wasm$|\/(?:film|heic|jpeg-xl|tiff)-[^/]*\.js$|\/places-[^/]*\.txt$|\/analytics-[^/]*\.js$|\/language-[^/]*\.json$/

const LANGUAGE_FILE = /\/language-([\w-]+)-[0-9a-f]{8}\.json$/

/** Writes the service worker with the list of files of its build. Runs after the content plugin, which sets the build id. */
export function serviceWorker(): Plugin {
  return {
    name: 'cairn-service-worker',
    apply: 'build',
    writeBundle: {
      sequential: true,
      async handler({ dir }, bundle) {
        if (!dir) return
        const { id } = LatestBuild.parse(JSON.parse(await readFile(path.join(dir, LATEST_PATH), 'utf8')))
        const assets = Object.keys(bundle).filter((file) => file.startsWith('assets/'))
        const files = [...NAMED, metaPath(id), ...assets.map((file) => `/${file}`)].filter((file) => !ON_DEMAND.test(file)).toSorted()
        const languages = Object.fromEntries(
          assets.flatMap(
            (file) =>
              LANGUAGE_FILE.exec(file)
                ?.slice(1)
                .map((tag) => [tag, `/${file}`]) ?? [],
          ),
        )
        await writeServiceWorker(path.join(dir, 'service-worker.js'), { id, files, languages })
      },
    },
  }
}

async function writeServiceWorker(
  outfile: string,
  content: { id: string; files: string[]; languages: Record<string, string> },
): Promise<void> {
  await build({
    entryPoints: [ENTRY],
    outfile,
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    define: { CAIRN_BUILD: JSON.stringify(content) },
    logLevel: 'silent',
    plugins: [languageInEsbuild],
  })
}
