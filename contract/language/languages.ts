interface LanguageOf<Tag extends string> {
  tag: Tag
  /** Its own name. */
  name: string
  dir: 'ltr' | 'rtl'
  /** Whether people can choose it: what is not good enough waits. The cookie shows it to those who work on it. */
  offered: boolean
}

const language = <Tag extends string>(tag: Tag, name: string, dir: 'ltr' | 'rtl' = 'ltr', offered = false): LanguageOf<Tag> => ({
  tag,
  name,
  dir,
  offered,
})

/** The languages of Cairn, each but English with a file `language/<tag>.po`. */
export const LANGUAGES = [
  language('en', 'English', 'ltr', true),
  language('de', 'Deutsch', 'ltr', true),
  language('fr', 'Français', 'ltr', true),
  language('es', 'Español', 'ltr', true),
  language('it', 'Italiano', 'ltr', true),
  language('nl', 'Nederlands', 'ltr', true),
  language('pl', 'Polski', 'ltr', true),
  language('pt-BR', 'Português (Brasil)', 'ltr', true),
  language('uk', 'Українська', 'ltr', true),
  language('tr', 'Türkçe', 'ltr', true),
  language('ja', '日本語', 'ltr', true),
  language('zh-Hans', '简体中文', 'ltr', true),
  language('ar', 'العربية', 'rtl', true),
]
export type Language = (typeof LANGUAGES)[number]['tag']

export const OFFERED = LANGUAGES.filter(({ offered }) => offered)

/** English with accents, longer by some 40 %, which shows what is cut off and what is in no catalogue. Only the cookie names it. */
export const PSEUDO = 'en-XA'

/** Name of the cookie that holds the language of a device, for pages and their first script. */
export const LANGUAGE_COOKIE = 'language'

/** The language to show: the one that the cookie names, or the first of the reader's that is offered; else English. */
export function languageFor(tags: readonly string[], cookie?: string | null): Language | typeof PSEUDO {
  const chosen = [...LANGUAGES.map(({ tag }) => tag), PSEUDO as typeof PSEUDO].find((tag) => tag === cookie)
  if (chosen) return chosen
  for (const tag of tags) {
    const found = offeredFor(tag)
    if (found) return found
  }
  return 'en'
}

/** The offered language that readers of this one read: `de` for `de-AT`. */
export function offeredFor(tag: string): Language | undefined {
  const wanted = written(tag)
  return OFFERED.find(({ tag: own }) => wanted !== null && written(own) === wanted)?.tag
}

export const directionOf = (shown: string): 'ltr' | 'rtl' => LANGUAGES.find(({ tag }) => tag === shown)?.dir ?? 'ltr'

/** Language and script: readers of one script may not read another. Null for what is no tag. */
function written(tag: string): string | null {
  try {
    const { language: name, script } = new Intl.Locale(tag).maximize()
    return `${name}-${script}`
  } catch {
    return null
  }
}
