import { createHash } from 'node:crypto'
import path from 'node:path'
import { build } from 'esbuild'
import type { Plugin, Rolldown } from 'vite'
import type { Catalogue } from '../contract/language/sentence.ts'
import { VIEWS } from '../web/view-table.ts'
import { appCatalogue, appCatalogues, TRANSLATED } from './language/catalogues.ts'
import { languageInEsbuild } from './language/plugin.ts'
import { PROJECT } from './state-folder.ts'

/** The same name as in web/index.html. */
const NAME = '/head.js'
/** Where the development server has the languages. */
const LANGUAGES = '/language/'
/** Modules that every page needs when a user is signed in; PAGES adds those of each page. */
const SHELL = ['components/shell/app-nav.tsx', 'lib/device/store.ts']
const PAGES: Record<string, string[]> = {
  ...Object.fromEntries(VIEWS.map(({ view }) => [view, ['components/shell/collection-gate.tsx', `views/${view}/index.ts`]])),
  feed: ['pages/feed.tsx'],
  collections: ['pages/collections.tsx'],
}

/** Builds web/head into the classic script in the head of index.html, including the list of scripts that each page needs. */
export function headScript(): Plugin {
  return {
    name: 'cairn-head-script',
    enforce: 'post',
    configureServer(server) {
      server.middlewares.use(NAME, (_request, response, next) => {
        const send = (source: string) => response.setHeader('content-type', 'text/javascript').end(source)
        // An error in web/head is shown in the page instead of stopping the server.
        const languages = Object.fromEntries(TRANSLATED.map((language) => [language, `${LANGUAGES}${language}.json`]))
        bundled({}, languages).then(send, next)
      })
      server.middlewares.use(LANGUAGES, (request, response, next) => {
        const send = (catalogue: Catalogue) => response.setHeader('content-type', 'application/json').end(JSON.stringify(catalogue))
        const language = TRANSLATED.find((one) => request.url === `/${one}.json`)
        if (language) appCatalogue(language).then(send, next)
        else next()
      })
    },
    async generateBundle(_options, bundle) {
      const html = bundle['index.html']
      if (html?.type !== 'asset') return
      const catalogues = await appCatalogues()
      for (const file of catalogues.values()) this.emitFile({ type: 'asset', ...file })
      const source = await bundled(
        pageScripts(bundle),
        Object.fromEntries([...catalogues].map(([tag, { fileName }]) => [tag, `/${fileName}`])),
      )
      const fileName = `assets/head-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`
      html.source = String(html.source).replace(`"${NAME}"`, `"/${fileName}"`)
      this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

async function bundled(scripts: Record<string, string[]>, languages: Record<string, string>): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(PROJECT, 'web/head/head.ts')],
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    define: { PAGE_SCRIPTS: JSON.stringify(scripts), LANGUAGE_FILES: JSON.stringify(languages) },
    write: false,
    logLevel: 'silent',
    plugins: [languageInEsbuild],
  })
  return outputFiles[0]?.text ?? ''
}

/** For each page, the scripts that the app loads for it. */
function pageScripts(bundle: Rolldown.OutputBundle): Record<string, string[]> {
  const app = Object.values(bundle).find((output) => output.type === 'chunk' && output.isEntry)
  const first = withImports(bundle, [app?.fileName ?? ''])
  return Object.fromEntries(
    Object.entries(PAGES).map(([page, parts]) => {
      const files = withImports(
        bundle,
        [...SHELL, ...parts].map((part) => chunkOf(bundle, part)),
      )
      return [page, [...files].filter((file) => !first.has(file)).map((file) => `/${file}`)]
    }),
  )
}

function chunkOf(bundle: Rolldown.OutputBundle, part: string): string {
  const found = Object.values(bundle).find((output) => output.type === 'chunk' && output.facadeModuleId?.endsWith(`/web/${part}`))
  if (!found) throw new Error(`The build has no chunk for web/${part}`)
  return found.fileName
}

/** The given chunks and everything they import statically. */
function withImports(bundle: Rolldown.OutputBundle, entries: string[]): Set<string> {
  const files = new Set<string>()
  const add = (file: string) => {
    const output = bundle[file]
    if (files.has(file) || output?.type !== 'chunk') return
    files.add(file)
    output.imports.forEach(add)
  }
  entries.forEach(add)
  return files
}
