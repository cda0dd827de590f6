import { t } from '#say'
import { endpoint, Success } from './endpoint.ts'
import { Id } from './ids.ts'
import { z } from './zod.ts'

/** URL at a push service: https, or http on the loopback address, which the worker accepts only on a developer's machine. */
export const PushEndpoint = z
  .url({ error: () => t`This is not the address of a push service` })
  .max(1_000, { error: () => t`This address is too long` })
  .regex(/^https:\/\/[a-z0-9.-]+\.[a-z][a-z0-9-]*(:\d+)?\/|^http:\/\/127\.0\.0\.1:\d+\//i, {
    error: () => t`A push service has an https address`,
  })

/** Subscription of a browser (Push API). Keys in base64url. */
export const PushSubscription = z.strictObject({
  endpoint: PushEndpoint,
  keys: z.strictObject({
    p256dh: z.string().regex(/^B[\w-]{86}$/, { error: () => t`p256dh is a point on the curve P-256, 65 bytes in base64url` }),
    auth: z.string().regex(/^[\w-]{22}$/, { error: () => t`auth is 16 bytes in base64url` }),
  }),
})
export type PushSubscription = z.infer<typeof PushSubscription>

/** `replaces` is the endpoint of the same browser before: such a subscription goes on without re-authentication. */
export const NewPushSubscription = PushSubscription.extend({ replaces: PushEndpoint.optional() })
export type NewPushSubscription = z.infer<typeof NewPushSubscription>

/** Content of a notification, which is encrypted for the browser. */
export const PushMessage = z.object({
  title: z.string(),
  body: z.string(),
  /** Path of the app to open. */
  path: z.string().regex(/^\/(?![/\\])/),
  /** A later notification with the same tag replaces it. */
  tag: z.string(),
  /** Number of unseen items, for the badge of the app; missing where it is not known. */
  unseen: z.number().int().optional(),
  /** The notification has buttons that accept or decline this request to join. */
  joinRequest: z.object({ id: Id, collectionId: Id }).optional(),
})
export type PushMessage = z.infer<typeof PushMessage>

export const getPush = endpoint({
  method: 'GET',
  path: '/api/push',
  summary: 'The key that browsers subscribe with, null where this site sends no notifications; and whether `endpoint` gets yours',
  query: z.strictObject({ endpoint: PushEndpoint.optional() }),
  response: Success.extend({ key: z.string().nullable(), subscribed: z.boolean() }),
})
export const postPushSubscription = endpoint({
  method: 'POST',
  path: '/api/push/subscriptions',
  summary: 'Have notifications sent to this browser',
  sessionOnly: true,
  body: NewPushSubscription,
  response: Success,
})
export const deletePushSubscription = endpoint({
  method: 'DELETE',
  path: '/api/push/subscriptions',
  summary: 'Have no more notifications sent to this browser',
  sessionOnly: true,
  body: z.strictObject({ endpoint: PushEndpoint }),
  response: Success,
})

/** Notification settings of a member for a collection. */
export const Notices = z.strictObject({
  muted: z.boolean(),
  /** A mail each Monday of what is new. None while the collection is muted. */
  weekly: z.boolean(),
})
export type Notices = z.infer<typeof Notices>

/** Missing fields stay as they are. */
export const NoticesEdit = Notices.partial()

export const getNotices = endpoint({
  method: 'GET',
  path: '/api/collections/{id}/notices',
  summary: 'Whether you are notified of what is new in the collection, and get a weekly mail; and whether this site sends mail',
  response: Success.extend({ notices: Notices, sendsMail: z.boolean() }),
})
export const putNotices = endpoint({
  method: 'PUT',
  path: '/api/collections/{id}/notices',
  summary: 'Say whether you are notified of what is new in the collection, and get a weekly mail',
  body: NoticesEdit,
  response: Success.extend({ notices: Notices }),
})
