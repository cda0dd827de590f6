import { shownLanguage } from '#language'
import { type DateFormat, dateFormat, NO_DATE_SETTINGS } from '../../../contract/date-format.ts'
import { readerSettings } from './reader-settings.ts'

/** Language and time zone of this browser. */
export function browserDefaults() {
  const intl = new Intl.DateTimeFormat().resolvedOptions()
  return { language: globalThis.navigator?.language ?? intl.locale, timeZone: intl.timeZone || 'UTC' }
}

let made: { from: unknown; language: string; format: DateFormat } | null = null

/**
 * How the reader of this page writes dates and times. Like the language of a page it is the same for all of it, so formatters do not take it as an
 * argument.
 */
export function reader(): DateFormat {
  const settings = readerSettings()
  if (made === null || made.from !== settings || made.language !== shownLanguage())
    made = {
      from: settings,
      language: shownLanguage(),
      format: dateFormat(settings ?? NO_DATE_SETTINGS, browserDefaults(), shownLanguage()),
    }
  return made.format
}
