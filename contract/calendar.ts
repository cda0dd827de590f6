import { endpoint, Success } from './endpoint.ts'
import { z } from './zod.ts'

/** The calendar link of a member, without its secret. `last_used_at` is exact to an hour. */
export const CalendarLink = z.object({ notes: z.boolean(), created_at: z.string(), last_used_at: z.string().nullable() })
export type CalendarLink = z.infer<typeof CalendarLink>

/** Last segment of the URL: 256 random bits in base64url. */
export const CALENDAR_FILE = /^[\w-]{43}\.ics$/

export const CalendarLinkOptions = z.strictObject({ notes: z.boolean().optional() })
export type CalendarLinkOptions = z.infer<typeof CalendarLinkOptions>

export const getCalendarLink = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/calendar-link',
  summary: 'Your calendar link, without its secret',
  sessionOnly: true,
  response: Success.extend({ link: CalendarLink.nullable() }),
})
/** `url` is returned only once, and gives access to the calendar. It replaces an earlier link of the same member. */
export const putCalendarLink = endpoint({
  method: 'PUT',
  path: '/api/collections/{id}/calendar-link',
  summary: 'Make your calendar link, or replace it',
  sessionOnly: true,
  body: CalendarLinkOptions,
  response: Success.extend({ link: CalendarLink, url: z.string() }),
})
export const deleteCalendarLink = endpoint({
  method: 'DELETE',
  path: '/api/collections/{id}/calendar-link',
  summary: 'Revoke your calendar link',
  sessionOnly: true,
  response: Success,
})
/** Events, and notes if the link includes them: the newest, at most LIMITS.calendarPosts. */
export const getCalendar = endpoint({
  method: 'GET',
  path: '/api/calendar/{file}',
  public: true,
  summary: 'The calendar of a link, for calendar programs',
  responseType: 'text/calendar',
  conditionalHeaders: ['if-none-match'],
  response: z.file(),
})
