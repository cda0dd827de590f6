import { CALENDAR_FILE } from '../../contract/calendar.ts'
import { hashToken } from '../auth/personal-token.ts'
import { writeCalendar } from '../content/calendar.ts'
import type { Db } from '../db/client.ts'
import { notFound } from '../http/errors.ts'
import { findCalendar } from '../queries/calendar-links.ts'
import { limitAttempts } from './accounts/limit-attempts.ts'

interface CalendarRequest {
  file: string
  /** If-None-Match. */
  known: string
  address: string | undefined
  /** Of the app, for the links back. */
  origin: string
  factor: string | undefined
}

/** The calendar of a secret link; `text` is null where the caller has it. 404 for a link that is unknown or over, 429 for one that is asked too often. */
export async function serveCalendar(
  db: Db,
  { file, known, address, origin, factor }: CalendarRequest,
): Promise<{ text: string | null; etag: string }> {
  if (!CALENDAR_FILE.test(file)) throw notFound('The calendar')
  const hash = await hashToken(file.slice(0, -'.ics'.length))
  // Servers of calendar programs ask for many people from one address, so most of the limit is for the link.
  await limitAttempts(db, { actions: ['calendar'], address, user: hash, factor })
  const calendar = await findCalendar(db, hash, known)
  if (!calendar) throw notFound('The calendar')
  const { etag, posts, name, collection_id } = calendar
  return { etag, text: posts && writeCalendar({ name, collectionId: collection_id, origin, posts }) }
}
