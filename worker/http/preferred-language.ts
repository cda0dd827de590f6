import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { canonicalLanguage, MAX_LANGUAGE } from '../../contract/date-settings.ts'
import { LANGUAGE_COOKIE, type Language, languageFor, OFFERED, offeredFor } from '../../contract/language/languages.ts'

/** The first language of an Accept-Language header that Cairn speaks, such as `de-AT`, else the first that it names; null if it names none. */
export function preferredLanguage(header: string | undefined): string | null {
  const tags = tagsOf(header).flatMap((tag) => (tag.length <= MAX_LANGUAGE ? (canonicalLanguage(tag) ?? []) : []))
  return tags.find(offeredFor) ?? tags[0] ?? null
}

/** The language of whoever sent a request: chosen on their device, which follows their profile, or the first of their browser's that Cairn speaks. */
export const callerLanguage = (c: Context) => languageFor(tagsOf(c.req.header('accept-language')), getCookie(c, LANGUAGE_COOKIE))

/** The language that somebody chose on the device that sent a request; null for none. */
export function chosenLanguage(c: Context): Language | null {
  const chosen = getCookie(c, LANGUAGE_COOKIE)
  return OFFERED.find(({ tag }) => tag === chosen)?.tag ?? null
}

/** More are not looked at. */
const MAX_PREFERENCES = 20

/** The tags in an Accept-Language header, the most wanted first. */
function tagsOf(header = ''): string[] {
  const preferences = header.split(',', MAX_PREFERENCES).map((preference, at) => {
    const [tag = '', weight] = preference.split(';q=')
    return { tag: tag.trim(), weight: Number(weight ?? 1) || 0, at }
  })
  const wanted = preferences.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight || a.at - b.at)
  return wanted.map(({ tag }) => tag)
}
