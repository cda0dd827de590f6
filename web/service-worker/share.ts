import { filePath, forgetShared, NAME_HEADER, SHARED_CACHE, SHARED_FOR, type SharedWords, WORDS_PATH } from '../lib/pwa/shared-cache.ts'

/** The manifest's `share_target`. Without a worker the server redirects to the page, which then has nothing to show. */
export const SHARE_PATH = '/share'

/** Stores shared files and text, and opens the page that asks where they go. Earlier ones that were never used are dropped. */
export async function takeShared(request: Request): Promise<Response> {
  try {
    const form = await request.formData()
    await caches.delete(SHARED_CACHE)
    const cache = await caches.open(SHARED_CACHE)
    const write = (missing: number) =>
      cache.put(WORDS_PATH, Response.json({ ...wordsIn(form), missing, at: Date.now() } satisfies SharedWords))
    await write(0)
    const files = form.getAll('files').filter((value) => value instanceof File && value.size > 0) as File[]
    let missing = 0
    for (const [n, file] of files.entries()) await keep(cache, n, file).catch(() => missing++)
    if (missing > 0) await write(missing)
  } catch {
    // The page reports that nothing arrived.
  }
  return Response.redirect(SHARE_PATH, 303)
}

/** Removes shared content that nobody has added to a collection in time. */
export async function dropOldShared(): Promise<void> {
  if (!(await caches.has(SHARED_CACHE))) return
  const stored = await (await caches.open(SHARED_CACHE)).match(WORDS_PATH)
  const words: SharedWords | undefined = await stored?.json().catch(() => undefined)
  if (words && Date.now() - (words.at ?? 0) > SHARED_FOR) await forgetShared()
}

function keep(cache: Cache, n: number, file: File): Promise<void> {
  const name = encodeURIComponent(file.name.toWellFormed())
  return cache.put(
    filePath(n),
    new Response(file, { headers: { 'content-type': file.type || 'application/octet-stream', [NAME_HEADER]: name } }),
  )
}

function wordsIn(form: FormData): SharedWords {
  const field = (name: string) => String(form.get(name) ?? '')
  return { title: field('title'), text: field('text'), url: field('url') }
}
