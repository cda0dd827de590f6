import type { CalendarLink } from '../../contract/calendar.ts'
import { hashSecret, newSecret } from '../auth/secret.ts'
import { collectionNotFound } from '../http/errors.ts'
import { upsertCalendarLink } from '../queries/calendar-links.ts'
import type { Caller } from '../queries/permissions.ts'

/** Creates or replaces the caller's calendar link. Only this call returns its secret, in `file`. */
export async function makeCalendarLink(
  caller: Caller<'collection.see'>,
  { collectionId, notes }: { collectionId: string; notes: boolean },
): Promise<{ link: CalendarLink; file: string }> {
  const secret = newSecret()
  const link = await upsertCalendarLink(caller, { collectionId, hash: await hashSecret(secret), notes })
  if (!link) throw collectionNotFound()
  return { link, file: `${secret}.ics` }
}
