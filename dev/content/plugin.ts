import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import type { Plugin } from 'vite'
import { say } from '../../contract/language/sentence.ts'
import { homeFile, PREVIEW_FOLDER } from '../../contract/site.ts'
import { appCatalogue, TRANSLATED, translationsOf } from '../language/catalogues.ts'
import { SetupError } from '../setup-error.ts'
import { serveContent } from './dev-server.ts'
import { homeHtml, pageHtml } from './html.ts'
import { CONTENT, readSite, type Site, type SitePage } from './read-site.ts'
import type { RenderInput } from './render-input.ts'
import { renderPages } from './renderer.ts'
import { siteFiles } from './site-files.ts'

/** The build id in web/index.html. */
const BUILD_ID = /(<meta name="cairn-build" content=")[^"]*/

/** The Latin font, which covers the languages of all pages. */
const FONT = /figtree-latin-wght-normal-[^/]*\.woff2$/

interface Bundle {
  [file: string]: { type: string; facadeModuleId?: string | null; imports?: string[]; viteMetadata?: { importedCss: Set<string> } }
}

/** Builds the pages of content/: HTML that needs no script, their data, and the build information for the worker and open tabs. */
export function content(): Plugin {
  return {
    name: 'cairn-content',
    configureServer: serveContent,
    writeBundle: {
      sequential: true,
      async handler({ dir }, bundle) {
        if (dir) await writeSite(dir, bundle as unknown as Bundle)
      },
    },
  }
}

async function writeSite(out: string, bundle: Bundle): Promise<void> {
  const site = await readSite(CONTENT)
  const buildId = idOf(bundle, site)
  const write = async (file: string, data: string | Uint8Array) => {
    const target = path.join(out, file)
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, data)
  }
  const shell = (await readFile(path.join(out, 'index.html'), 'utf8')).replace(BUILD_ID, `$1${buildId}`)
  const parts = partsOf(bundle, 'content-page')
  const all = [...site.pages.map((page) => ({ page, preview: false })), ...site.previews.map((page) => ({ page, preview: true }))]
  const languages: RenderInput['language'][] = await Promise.all(
    TRANSLATED.map(async (tag) => ({ tag, catalogue: await appCatalogue(tag) })),
  )
  const homes = [undefined, ...languages]
  const rendered = await renderPages([
    ...homes.map((language) => ({ page: null, preview: false, language })),
    ...all.map(({ page, preview }) => ({ page: page.payload, preview, language: undefined })),
  ])
  const writePage = async (page: SitePage, preview: boolean, body: string) => {
    const at = `${preview ? PREVIEW_FOLDER : ''}${page.payload.path}`
    await write(`${at}.html`, pageHtml(page, { ...parts, shell, body, buildId, preview }))
    await write(`${at}/_payload.json`, JSON.stringify(page.payload))
  }
  await write('index.html', shell)
  for (const language of homes) {
    const [tag, body] = [language?.tag ?? 'en', rendered.shift() ?? '']
    const html = homeHtml({ ...partsOf(bundle, 'home'), shell, body }, site, tag, await spoken(site.home.description, tag))
    await write(`${homeFile(tag)}.html`, html)
  }
  await write('_payload.json', JSON.stringify(site.home))
  for (const [file, data] of site.files) await write(file, data)
  for (const [index, { page, preview }] of all.entries()) await writePage(page, preview, rendered[index] ?? '')
  for (const [file, text] of siteFiles(site, buildId)) await write(file, text)
}

/** The app's description, which its manifest has, too (worker/routes/pages.ts). Throws if the two differ. */
async function spoken(description: string, tag: string): Promise<string> {
  const id = generateMessageId(description)
  const catalogue = await translationsOf(tag, () => true)
  if (tag !== 'en' && !(id in catalogue))
    throw new SetupError('The description in web/index.html is not the one of the manifest in worker/routes/pages.ts')
  return say({ id, message: description }, tag, catalogue)
}

/** The same sources give the same id: names of built files contain the hash of their contents. */
function idOf(bundle: Bundle, site: Site): string {
  const hash = createHash('sha256')
  for (const file of Object.keys(bundle).toSorted()) hash.update(`${file}\0`)
  hash.update(JSON.stringify([site.home, site.pages, site.previews, site.rules, site.shared]))
  return hash.digest('hex').slice(0, 16)
}

/** Styles and scripts of a page's own part of the app. */
function partsOf(bundle: Bundle, page: string): { styles: string[]; scripts: string[]; font: string } {
  const entry = Object.entries(bundle).find(([, { facadeModuleId }]) => facadeModuleId?.endsWith(`/pages/${page}.tsx`))
  if (!entry) throw new Error(`The build has no part for pages/${page}.tsx`)
  const [file, { imports = [], viteMetadata }] = entry
  return {
    font: `/${Object.keys(bundle).find((name) => FONT.test(name)) ?? ''}`,
    styles: [...(viteMetadata?.importedCss ?? [])].map((name) => `/${name}`),
    scripts: [file, ...imports].map((name) => `/${name}`),
  }
}
