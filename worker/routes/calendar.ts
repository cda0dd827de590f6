import { Hono } from 'hono'
import { CalendarLinkOptions } from '../../contract/calendar.ts'
import { checks } from '../auth/checks.ts'
import { reauthenticated, signedIn } from '../auth/guard.ts'
import { refuseTokens } from '../auth/personal-token.ts'
import type { AppEnv } from '../context.ts'
import { collectionNotFound } from '../http/errors.ts'
import { body, collectionParam } from '../http/validate.ts'
import { deleteCalendarLink, findCalendarLink } from '../queries/calendar-links.ts'
import { makeCalendarLink } from '../services/calendar-link.ts'
import { serveCalendar } from '../services/serve-calendar.ts'

/** Not for access tokens: a link would outlive the token that made it. It outlives a session, too, so making one needs a recent sign-in. */
export const calendarLinks = new Hono<AppEnv>()
  .use(refuseTokens)
  .get('/', signedIn, async (c) => {
    const { member, link } = await findCalendarLink(c.var.db, c.var.user.id, collectionParam(c))
    if (!member) throw collectionNotFound()
    return c.json({ success: true, link })
  })
  .put('/', signedIn, reauthenticated, checks('collection.see'), body(CalendarLinkOptions), async (c) => {
    const { notes = false } = c.req.valid('json')
    const { link, file } = await makeCalendarLink(c.var, { collectionId: collectionParam(c), notes })
    const url = new URL(`/api/calendar/${file}`, c.env.APP_ORIGIN).href
    return c.json({ success: true, link, url })
  })
  .delete('/', signedIn, checks('collection.see'), async (c) => {
    if (!(await deleteCalendarLink(c.var, collectionParam(c)))) throw collectionNotFound()
    return c.json({ success: true })
  })

/** For calendar programs, which have no session: the URL contains the secret. */
export const calendars = new Hono<AppEnv>().get('/:file', async (c) => {
  const { text, etag } = await serveCalendar(c.var.db, {
    file: c.req.param('file'),
    ifNoneMatch: c.req.header('if-none-match') ?? '',
    address: c.req.header('cf-connecting-ip'),
    origin: new URL(c.env.APP_ORIGIN).origin,
    rateLimitFactor: c.env.RATE_LIMIT_FACTOR,
  })
  const headers = { etag, 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' }
  if (text === null) return c.body(null, 304, headers)
  return c.body(text, 200, {
    ...headers,
    'content-type': 'text/calendar; charset=utf-8',
    'content-disposition': 'inline; filename="cairn.ics"',
  })
})
