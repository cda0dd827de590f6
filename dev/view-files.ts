import type { Plugin, Rolldown } from 'vite'
import { VIEWS } from '../web/view-table.ts'

/** What stands around every page of somebody who is signed in, and what each page adds to that. */
const SHELL = 'components/shell/app-nav.tsx'
/** What reads from this device what was there last. */
const DEVICE = 'lib/device/store.ts'
const GATE = 'components/shell/collection-gate.tsx'
const PAGES: Record<string, string[]> = {
  ...Object.fromEntries(VIEWS.map(({ view }) => [view, [GATE, `views/${view}/index.ts`]])),
  feed: ['pages/feed.tsx'],
  collections: ['pages/collections.tsx'],
}

const SCRIPTS = /\s*(?:<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>)/g

/**
 * Names in index.html the scripts of the app, and those that each page begins with, for web/public/first-paint.js: it asks for them at once,
 * before the app is there to say so, and has them read one after the other.
 */
export function viewFiles(): Plugin {
  return {
    name: 'cairn-view-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, chunk }) {
        if (!bundle || !chunk) return
        const first = filesOf(bundle, [chunk.fileName])
        const pages = Object.entries(PAGES).map(([page, parts]) => {
          const entries = [SHELL, DEVICE, ...parts].map((part) => chunkOf(bundle, part))
          return { page, files: [...filesOf(bundle, entries)].filter((file) => !first.has(file)) }
        })
        const all = [...new Set(pages.flatMap(({ files }) => files))]
        const lines = pages.map(({ page, files }) => `${page} ${files.map((file) => all.indexOf(file)).join(' ')}`)
        const content = [all.map((file) => file.replace('assets/', '')).join(' '), ...lines].join(';')
        const tag = (name: string, content: string) => ({ tag: 'meta', attrs: { name, content }, injectTo: 'head-prepend' as const })
        return {
          html: html.replace(SCRIPTS, ''),
          tags: [tag('cairn-start', [...first].map((file) => `/${file}`).join(' ')), tag('cairn-views', content)],
        }
      },
    },
  }
}

function chunkOf(bundle: Rolldown.OutputBundle, part: string): string {
  const found = Object.values(bundle).find((output) => output.type === 'chunk' && output.facadeModuleId?.endsWith(`/web/${part}`))
  if (!found) throw new Error(`There is no chunk of ${part}`)
  return found.fileName
}

/** Chunks with all that they import, except by demand, each after what it imports. */
function filesOf(bundle: Rolldown.OutputBundle, entries: string[]): Set<string> {
  const seen = new Set<string>()
  const files = new Set<string>()
  const add = (file: string) => {
    const output = bundle[file]
    if (seen.has(file) || output?.type !== 'chunk') return
    seen.add(file)
    output.imports.forEach(add)
    files.add(file)
  }
  entries.forEach(add)
  return files
}
