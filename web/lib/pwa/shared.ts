import { z } from '../../../contract/zod.ts'
import { forgetShared, NAME_HEADER, SHARED_CACHE, SHARED_FOR, WORDS_PATH } from './shared-cache.ts'

const Words = z.object({ title: z.string(), text: z.string(), url: z.string(), missing: z.number().optional(), at: z.number().optional() })

export interface Shared {
  files: File[]
  /** Shared text by line, without duplicates: apps repeat it in several fields. The title is separate. */
  title: string
  lines: string[]
  /** Number of files that this device had no room for. */
  missing: number
}

/** Shared content waiting for a collection; null if there is none, or it came too long ago, and is then removed. */
export async function readShared(): Promise<Shared | null> {
  if (typeof caches === 'undefined' || !(await caches.has(SHARED_CACHE))) return null
  const cache = await caches.open(SHARED_CACHE)
  const words = Words.safeParse(await (await cache.match(WORDS_PATH))?.json().catch(() => null)).data
  if (words?.at !== undefined && Date.now() - words.at > SHARED_FOR) {
    await forgetShared()
    return null
  }
  const files: File[] = []
  for (const request of await cache.keys()) {
    const response = new URL(request.url).pathname === WORDS_PATH ? undefined : await cache.match(request)
    if (response) files.push(await fileOf(response))
  }
  const { title, lines } = wordsOf(words ?? { title: '', text: '', url: '' })
  const missing = words?.missing ?? 0
  return files.length + missing === 0 && title === '' && lines.length === 0 ? null : { files, title, lines, missing }
}

async function fileOf(response: Response): Promise<File> {
  const blob = await response.blob()
  const name = decodeURIComponent(response.headers.get(NAME_HEADER) ?? 'file')
  return new File([blob], name, { type: blob.type })
}

export function wordsOf({ title, text, url }: Pick<z.infer<typeof Words>, 'title' | 'text' | 'url'>): Pick<Shared, 'title' | 'lines'> {
  const lines = [...new Set(`${text}\n${url}`.split('\n').map((line) => line.trim()))].filter(
    (line) => line !== '' && line !== title.trim(),
  )
  return { title: title.trim(), lines }
}
