import type { Invite } from '../../../contract/invites.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { nameIn, sendPushes } from '../../push/send.ts'
import { vapidOf } from '../../push/vapid.ts'
import { findInvitation } from '../../queries/invites.ts'
import { countUnseen, listInvitedSubscriptions } from '../../queries/push.ts'

/** Notifies the invited person in their subscribed browsers, if they have an account. */
export async function pushInvitation(env: Env, db: Db, { id }: Pick<Invite, 'id'>): Promise<void> {
  if (!vapidOf(env)) return
  const [invitation, subscriptions] = await Promise.all([findInvitation(db, id), listInvitedSubscriptions(db, id)])
  const [first] = subscriptions
  if (!invitation || !first) return
  const unseen = (await countUnseen(db, [first.userId])).get(first.userId) ?? 1
  const { collection, inviter } = invitation
  const message = {
    title: nameIn(collection),
    body: `${nameIn(inviter)} invited you to this collection`,
    path: '/collections',
    tag: `invitation ${id}`,
    unseen,
  }
  await sendPushes(
    env,
    db,
    subscriptions.map((to) => ({ to, message })),
  )
}
