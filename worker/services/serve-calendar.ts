import { t } from '#say'
import { CALENDAR_FILE } from '../../contract/calendar.ts'
import { hashSecret } from '../auth/secret.ts'
import { writeCalendar } from '../content/calendar.ts'
import type { Db } from '../db/client.ts'
import { notFound } from '../http/errors.ts'
import { findCalendar } from '../queries/calendar-links.ts'
import { limitAttempts } from './accounts/limit-attempts.ts'

interface CalendarRequest {
  file: string
  ifNoneMatch: string
  address: string | undefined
  /** Origin of the app, used in links. */
  origin: string
  rateLimitFactor: string | undefined
}

/** The calendar of a secret link. `text` is null if the caller has this version. Throws 404 for an unknown or revoked link, 429 after too many requests. */
export async function serveCalendar(
  db: Db,
  { file, ifNoneMatch, address, origin, rateLimitFactor }: CalendarRequest,
): Promise<{ text: string | null; etag: string }> {
  if (!CALENDAR_FILE.test(file)) throw notFound(t`The calendar was not found`)
  const hash = await hashSecret(file.slice(0, -'.ics'.length))
  // Servers of calendar programs send requests for many users from one address, so the limit per address is high.
  await limitAttempts(db, { actions: ['calendar'], address, user: hash, factor: rateLimitFactor })
  const calendar = await findCalendar(db, hash, ifNoneMatch)
  if (!calendar) throw notFound(t`The calendar was not found`)
  const { etag, posts, name, collection_id } = calendar
  return { etag, text: posts && writeCalendar({ name, collectionId: collection_id, origin, posts }) }
}
