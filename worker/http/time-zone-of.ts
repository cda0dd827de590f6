import type { Context } from 'hono'
import { isZone } from '../../contract/dates.ts'

/** The time zone in which the platform believes the caller to be; null if it does not say. */
export function timeZoneOf(c: Context): string | null {
  const zone = (c.req.raw.cf as { timezone?: unknown } | undefined)?.timezone
  return typeof zone === 'string' && isZone(zone) ? zone : null
}
