import { atom } from 'jotai'
import { t } from '#say'
import { type CalendarLink, deleteCalendarLink, getCalendarLink, putCalendarLink } from '../../contract/calendar.ts'
import { named } from '../lib/action-error.ts'
import { call } from '../lib/api.ts'

/** The user's own link to a collection, without its secret. Throws ApiError. */
export const fetchCalendarLinkAtom = atom(null, async (_get, _set, id: string): Promise<CalendarLink | null> => {
  return (await call(getCalendarLink, { params: { id } })).link
})

/** Creates or replaces the link. The full address is returned only this once. Throws ActionError. */
export const makeCalendarLinkAtom = atom(null, (_get, _set, id: string, notes: boolean) =>
  named(t`The calendar link could not be made`, call(putCalendarLink, { params: { id }, body: { notes } })),
)

export const revokeCalendarLinkAtom = atom(null, (_get, _set, id: string) =>
  named(t`The calendar link could not be revoked`, call(deleteCalendarLink, { params: { id } })),
)
