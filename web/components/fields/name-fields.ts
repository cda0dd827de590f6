import { shownLanguage } from '#language'
import { t } from '#say'

const FAMILY_FIRST = ['ja', 'zh-Hans']

/** The fields of a person's name, in the order in which people who speak the shown language expect them. */
export function nameFields() {
  const first = { name: 'firstName', label: t`First name`, autoComplete: 'given-name' } as const
  const last = { name: 'lastName', label: t`Last name`, autoComplete: 'family-name' } as const
  return FAMILY_FIRST.includes(shownLanguage()) ? [last, first] : [first, last]
}
