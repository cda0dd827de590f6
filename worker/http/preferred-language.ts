import { canonicalLanguage, MAX_LANGUAGE } from '../../contract/date-settings.ts'

/** The first language of an Accept-Language header, such as `de-AT`; null if it names none. */
export function preferredLanguage(header: string | undefined): string | null {
  const [first = ''] = header?.split(/[,;]/) ?? []
  const tag = first.trim()
  return tag.length <= MAX_LANGUAGE ? canonicalLanguage(tag) : null
}
