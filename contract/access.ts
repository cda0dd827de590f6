import { SignedOut } from './auth.ts'
import { endpoint, Success } from './endpoint.ts'
import { Id } from './ids.ts'
import { Token } from './tokens.ts'
import { z } from './zod.ts'

/** What can be revoked alone. */
export const AccessKind = z.enum(['session', 'token', 'calendar', 'push'])
export type AccessKind = z.infer<typeof AccessKind>

/** A browser that is signed in. `used_at` is exact to an hour. */
export const SessionAccess = z.object({
  id: Id,
  /** User-Agent. */
  agent: z.string().nullable(),
  created_at: z.string(),
  used_at: z.string(),
  /** The browser of this request. */
  current: z.boolean(),
})
export type SessionAccess = z.infer<typeof SessionAccess>

/** A calendar link; `id` is that of its collection. `last_used_at` is exact to an hour. */
export const CalendarLinkAccess = z.object({
  id: Id,
  /** Name of the collection. */
  collection: z.string(),
  notes: z.boolean(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})
export type CalendarLinkAccess = z.infer<typeof CalendarLinkAccess>

/** A link that the user has made and that has not ended, for people without an account. It is changed and ended in its collection. */
export const LinkAccess = z.object({
  id: Id,
  collection_id: Id,
  /** Name of the collection. */
  collection: z.string(),
  name: z.string().nullable(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})
export type LinkAccess = z.infer<typeof LinkAccess>

/** A browser that gets notifications, which end with its session. */
export const PushAccess = z.object({ id: Id, agent: z.string().nullable(), created_at: z.string(), current: z.boolean() })
export type PushAccess = z.infer<typeof PushAccess>

export const listAccess = endpoint({
  method: 'GET',
  path: '/api/access',
  summary:
    'Everything that opens your collections: sessions, access tokens, calendar links, links for others and browsers with notifications',
  sessionOnly: true,
  response: Success.extend({
    sessions: z.array(SessionAccess),
    tokens: z.array(Token),
    calendarLinks: z.array(CalendarLinkAccess),
    push: z.array(PushAccess),
    links: z.array(LinkAccess),
  }),
})
/** Revoking the session of the request is a sign-out. */
export const revokeAccess = endpoint({
  method: 'DELETE',
  path: '/api/access/{kind}/{id}',
  summary: 'Revoke one session, access token, calendar link or browser with notifications',
  sessionOnly: true,
  response: SignedOut,
})
export const revokeAllAccess = endpoint({
  method: 'DELETE',
  path: '/api/access',
  summary: 'Sign out everywhere: end all sessions, this one too, and revoke all access tokens, calendar links and notifications',
  sessionOnly: true,
  response: SignedOut,
})
