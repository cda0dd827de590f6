import { setLanguage } from '#language'
import { BUILD } from './build.ts'

/** Keeps the language in use from one build to the next. */
const CACHE = 'cairn-language'
const KEY = '/language'

export async function rememberLanguage(language: string): Promise<void> {
  await (await caches.open(CACHE)).put(KEY, new Response(language))
}

/** The file of the sentences of the language in use; undefined for English, which needs none. */
export async function languageFile(): Promise<string | undefined> {
  return BUILD.languages[await languageInUse()]
}

/** Notifications are in the language in use. */
export async function speak(): Promise<void> {
  const file = await languageFile()
  const kept = file ? await caches.match(file, { ignoreVary: true }) : undefined
  if (kept) setLanguage(await languageInUse(), await kept.json())
  else setLanguage('en', {})
}

async function languageInUse(): Promise<string> {
  const kept = await caches.match(KEY, { cacheName: CACHE })
  return kept ? kept.text() : 'en'
}
