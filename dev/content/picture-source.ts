import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { isAllowed } from '../../contract/image-providers.ts'
import { OWN_ORIGIN } from '../../contract/site.ts'
import { SetupError } from '../setup-error.ts'
import type { PictureSource } from './images.ts'

/** Milliseconds. */
const TIMEOUT = 30_000

/** Hosts from which pages may take pictures, one per line: `content/image-domains`. */
export async function readImageDomains(folder: string): Promise<string[]> {
  const text = await readFile(path.join(folder, 'image-domains'), 'utf8').catch(() => '')
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter(Boolean)
}

interface From {
  folder: string
  /** The Markdown file, relative to the folder. */
  page: string
  domains: readonly string[]
}

/**
 * A picture of a page: a file beside it, or one from an allowed domain, which is fetched now. The site serves its own copy, so that readers
 * ask no other host. Throws a sentence for any other address.
 */
export async function readPicture(href: string, { folder, page, domains }: From): Promise<PictureSource> {
  if (!/^([a-z][a-z\d+.-]*:|\/\/)/i.test(href)) {
    const file = path.resolve(folder, path.dirname(page), href)
    return { title: path.parse(file).name, source: await readFile(file) }
  }
  const refused = (reason: string) => new SetupError(`content/${page} shows ${href}, ${reason}`)
  if (!isAllowed(href, { origin: OWN_ORIGIN, domains })) throw refused('whose domain is not in content/image-domains')
  const response = await fetch(href, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT) }).catch(() => null)
  if (!response?.ok) throw refused(`which cannot be fetched${response ? ` (${response.status})` : ''}`)
  if (!response.headers.get('content-type')?.startsWith('image/')) throw refused('which is not a picture')
  const title = path.parse(new URL(href).pathname).name.replaceAll(/[^\w-]+/g, '-')
  return { title, source: new Uint8Array(await response.arrayBuffer()) }
}
