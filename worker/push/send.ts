import type { PushMessage } from '../../contract/push.ts'
import type { Db } from '../db/client.ts'
import type { Env } from '../env.ts'
import { atMostBytes } from '../http/at-most-bytes.ts'
import { deleteSubscriptions, type Subscription } from '../queries/push.ts'
import { encryptFor } from './encrypt.ts'
import { type Vapid, vapidAuthorization, vapidOf } from './vapid.ts'

/** Past this a push service counts as down. */
const TIMEOUT = 10_000

/** Seconds that a push service keeps a message for a browser that is not running. */
const TTL_SECONDS = 24 * 60 * 60

/** Messages on their way at once: the platform holds back more, and what it holds back would run out of timeout. */
const CONCURRENCY = 6

/** A subscription that is none any more, by the push service's word (RFC 8030) or because nothing can be encrypted for it. */
const GONE = new Set([404, 410])

/** Bytes of a name: two of them fit into a message, each of their characters escaped. */
const MAX_NAME_BYTES = 400

/** A name as a message has it: a hundred characters as people count them can be more bytes than a message takes. */
export function nameIn(name: string): string {
  const kept = atMostBytes(name, MAX_NAME_BYTES)
  return kept.length < name.length ? `${kept}…` : name
}

/**
 * Sends each message to its browser. Subscriptions that have ended are removed; another failure is logged and not tried again, since a
 * notification only tells of what can also be seen in the app.
 */
export async function sendPushes(env: Env, db: Db, pushes: readonly { to: Subscription; message: PushMessage }[]): Promise<void> {
  const vapid = vapidOf(env)
  if (!vapid) return
  const ended: string[] = []
  const waiting = pushes.values()
  const sendNext = async () => {
    for (const { to, message } of waiting) if (!(await sendOne(vapid, to, message))) ended.push(to.id)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, sendNext))
  await deleteSubscriptions(db, ended)
}

/** Whether the subscription is still one. */
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
    // Not the address: whoever has it can be told from others by it.
    const what = 'A notification was not sent'
    console.warn(JSON.stringify({ level: 'warn', what, error: error instanceof Error ? error.message : String(error) }))
  }
  return true
}
