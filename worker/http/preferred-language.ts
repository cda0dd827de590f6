import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { canonicalLanguage, MAX_LANGUAGE } from '../../contract/date-settings.ts'
import { LANGUAGE_COOKIE, languageFor } from '../../contract/language/languages.ts'

/** The first language of an Accept-Language header, such as `de-AT`; null if it names none. */
export function preferredLanguage(header: string | undefined): string | null {
  const [first = ''] = header?.split(/[,;]/) ?? []
  const tag = first.trim()
  return tag.length <= MAX_LANGUAGE ? canonicalLanguage(tag) : null
}

/** More are not looked at. */
const MAX_PREFERENCES = 20

/** The language of whoever sent a request: chosen on their device, which follows their profile, or the first of their browser's that Cairn speaks. */
export function callerLanguage(c: Context): string {
  const preferences = (c.req.header('accept-language') ?? '').split(',', MAX_PREFERENCES).map((preference, at) => {
    const [tag = '', weight] = preference.split(';q=')
    return { tag: tag.trim(), weight: Number(weight ?? 1) || 0, at }
  })
  const tags = preferences.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight || a.at - b.at)
  return languageFor(
    tags.map(({ tag }) => tag),
    getCookie(c, LANGUAGE_COOKIE) ?? null,
  )
}
