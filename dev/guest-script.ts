import path from 'node:path'
import { build } from 'esbuild'
import type { Plugin } from 'vite'
import { allTranslationsOf } from './language/catalogues.ts'
import { languageInEsbuild } from './language/plugin.ts'
import { PROJECT } from './state-folder.ts'

/** The same name as in worker/http/link-page.ts. */
const NAME = 'guest.js'

/** Builds web/guest into the script of the pages of links, which the worker draws. */
export function guestScript(): Plugin {
  return {
    name: 'cairn-guest-script',
    configureServer(server) {
      server.middlewares.use(`/${NAME}`, (_request, response, next) => {
        const send = (source: string) => response.setHeader('content-type', 'text/javascript').end(source)
        bundled().then(send, next)
      })
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: NAME, source: await bundled() })
    },
  }
}

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(PROJECT, 'web/guest/guest.ts')],
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    write: false,
    logLevel: 'silent',
    define: { GUEST_LANGUAGES: JSON.stringify(await allTranslationsOf((file) => /^web\/(guest|lib\/guest)\//.test(file))) },
    plugins: [languageInEsbuild],
  })
  return outputFiles[0]?.text ?? ''
}
