import type { PushMessage } from '../../contract/push.ts'
import type { Db } from '../db/client.ts'
import type { Env } from '../env.ts'
import { atMostBytes } from '../http/at-most-bytes.ts'
import { warn } from '../http/errors.ts'
import { countUnseen } from '../queries/news.ts'
import { deleteSubscriptions, listSubscriptions, type Subscription } from '../queries/push.ts'
import { encryptFor } from './encrypt.ts'
import { isPushService } from './push-services.ts'
import { type Vapid, vapidAuthorization, vapidOf } from './vapid.ts'

/** Milliseconds. A slower push service counts as down. */
const TIMEOUT = 10_000

/** Seconds for which a push service keeps a message if the browser is not running. */
const TTL_SECONDS = 24 * 60 * 60

/** Concurrent requests. The platform delays more than these, and delayed requests would reach the timeout. */
const CONCURRENCY = 6

/** Statuses of a push service for a subscription that has ended (RFC 8030). */
const GONE = new Set([404, 410])

/** Two names of this many bytes fit into a message, even with every character escaped. */
const MAX_NAME_BYTES = 400

/** Cuts a name for a message: a hundred graphemes can have more bytes than a message may. */
export function nameIn(name: string): string {
  const kept = atMostBytes(name, MAX_NAME_BYTES)
  return kept.length < name.length ? `${kept}…` : name
}

/** Sends each message to all browsers of its users, each with the number of items that the user has not seen. */
export async function pushToUsers(
  env: Env,
  db: Db,
  messages: readonly { userIds: readonly string[]; message: Omit<PushMessage, 'unseen'> }[],
): Promise<void> {
  const ids = [...new Set(messages.flatMap(({ userIds }) => userIds))]
  if (!vapidOf(env) || ids.length === 0) return
  const [subscriptions, unseen] = await Promise.all([listSubscriptions(db, ids), unseenOf(db, ids)])
  const pushes = messages.flatMap(({ userIds, message }) =>
    subscriptions.filter(({ userId }) => userIds.includes(userId)).map((to) => ({ to, message: { ...message, ...unseen(to.userId) } })),
  )
  await sendPushes(env, db, pushes)
}

/** The badge of each of these users, for a message. Without it, if it cannot be counted: the message matters more. */
export async function unseenOf(db: Db, userIds: readonly string[]): Promise<(userId: string) => Pick<PushMessage, 'unseen'>> {
  const counts = await countUnseen(db, userIds).catch((error) => void warn('Badges were not counted', error))
  return (userId) => {
    const unseen = counts?.get(userId)
    return unseen === undefined ? {} : { unseen }
  }
}

/**
 * Sends each message to its browser. Deletes subscriptions that have ended, and those of push services that the site does not know. Other
 * failures are logged and not retried, since the app shows the same information.
 */
export async function sendPushes(env: Env, db: Db, pushes: readonly { to: Subscription; message: PushMessage }[]): Promise<void> {
  const vapid = vapidOf(env)
  if (!vapid) return
  const ended: string[] = []
  const waiting = pushes.values()
  const sendNext = async () => {
    for (const { to, message } of waiting) {
      const sent = isPushService(to.endpoint, env.PUSH_SERVICES) && (await sendOne(vapid, to, message))
      if (!sent) ended.push(to.id)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, sendNext))
  await deleteSubscriptions(db, ended)
}

/** Returns false if the subscription has ended or its keys are invalid. */
async function sendOne(vapid: Vapid, to: Subscription, message: PushMessage): Promise<boolean> {
  const body = await encryptFor(to, JSON.stringify(message)).catch(() => null)
  if (!body) return false
  try {
    const response = await fetch(to.endpoint, {
      method: 'POST',
      headers: {
        authorization: await vapidAuthorization(vapid, to.endpoint),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(TTL_SECONDS),
        urgency: 'normal',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    })
    await response.body?.cancel()
    if (GONE.has(response.status)) return false
    if (!response.ok) throw new Error(`The push service answered ${response.status}`)
  } catch (error) {
    // Without the endpoint, which identifies the browser.
    warn('A notification was not sent', error)
  }
  return true
}
