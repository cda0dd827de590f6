import { AsyncLocalStorage } from 'node:async_hooks'
import { type Speech, speakAs } from '../contract/language/language.ts'
import { languageFor } from '../contract/language/languages.ts'

/** The worker's sentences in each language but English, as JSON. dev/build-worker.ts fills them in. */
declare const WORKER_LANGUAGES: Record<string, string> | undefined

const speeches = new Map<string, Speech>()
const spoken = new AsyncLocalStorage<Speech>()
speakAs(() => spoken.getStore())

/** Runs something that is said to one reader: every `t` in it, also later on, is in their language. */
export function inLanguage<T>(language: string, run: () => T): T {
  const known = speeches.get(language) ?? read(language)
  speeches.set(language, known)
  return spoken.run(known, run)
}

/** The language of whoever reads a mail or notification: the one they chose, or that of their browser when they first signed in. */
export function languageOfReader(reader: { displayLanguage: string | null; language: string | null } | null): string {
  return languageFor(reader?.language ? [reader.language] : [], reader?.displayLanguage)
}

function read(language: string): Speech {
  const sentences = typeof WORKER_LANGUAGES === 'undefined' ? undefined : WORKER_LANGUAGES[language]
  return sentences === undefined ? { locale: 'en', catalogue: {} } : { locale: language, catalogue: JSON.parse(sentences) }
}
