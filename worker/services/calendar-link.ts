import type { CalendarLink } from '../../contract/calendar.ts'
import { hashToken, newSecret } from '../auth/personal-token.ts'
import type { AppEnv } from '../context.ts'
import { notFound } from '../http/errors.ts'
import { upsertCalendarLink } from '../queries/calendar-links.ts'

type Caller = Pick<AppEnv['Variables'], 'db' | 'user'>

/** Makes the caller's link to a collection, or replaces it. Nobody can read the secret again later. */
export async function makeCalendarLink(
  { db, user }: Caller,
  { collectionId, notes }: { collectionId: string; notes: boolean },
): Promise<{ link: CalendarLink; file: string }> {
  const secret = newSecret()
  const link = await upsertCalendarLink(db, user.id, { collectionId, hash: await hashToken(secret), notes })
  if (!link) throw notFound('The collection')
  return { link, file: `${secret}.ics` }
}
