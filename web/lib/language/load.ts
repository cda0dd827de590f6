import { directionOf, LANGUAGE_COOKIE, languageFor } from '../../../contract/language/languages.ts'
import type { Catalogue } from '../../../contract/language/sentence.ts'
import { readCookie } from '../storage.ts'

// The head script and the app share this: a language is fetched before the app's code is there.

/** A language that is being fetched; null if it cannot be. English has no file, since it is beside the code that says it. */
export interface Loading {
  language: string
  catalogue: Promise<Catalogue | null>
}

declare global {
  /** Set by the head script. `files` has the file of each language, from the build. */
  var startLanguage: { files: Readonly<Record<string, string>>; loading: Loading } | undefined
}

/** The language chosen on this device, or the first of the browser's that Cairn speaks. */
export function deviceLanguage(): string {
  return languageFor(navigator.languages ?? [], readCookie(LANGUAGE_COOKIE))
}

export function loadLanguage(language: string, files = globalThis.startLanguage?.files ?? {}): Loading {
  const file = files[language]
  return { language, catalogue: file ? fetchCatalogue(file) : Promise.resolve({}) }
}

async function fetchCatalogue(file: string): Promise<Catalogue | null> {
  try {
    const response = await fetch(file)
    return response.ok ? await response.json() : null
  } catch {
    return null
  }
}

/** Says in the document which language it is in. */
export function applyLanguage(language: string): void {
  Object.assign(document.documentElement, { lang: language, dir: directionOf(language) })
}
