import { canonicalLanguage } from '../../contract/date-settings.ts'

/** Longer tags are not of a browser. */
const MAX_LENGTH = 35

/** The first language of an Accept-Language header, such as `de-AT`; null if it names none. */
export function preferredLanguage(header: string | undefined): string | null {
  const [first = ''] = header?.split(/[,;]/) ?? []
  const tag = first.trim()
  return tag.length <= MAX_LENGTH ? canonicalLanguage(tag) : null
}
