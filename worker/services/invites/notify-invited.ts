import { dateFormat, NO_DATE_SETTINGS } from '../../../contract/date-format.ts'
import { dayOf } from '../../../contract/dates.ts'
import type { Invite } from '../../../contract/invites.ts'
import { collectionIn, INVITATION_SUBJECT, invitationMail } from '../../content/invite-mail.ts'
import { nameInMail } from '../../content/mail-content.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { sendMail } from '../../mail.ts'
import { nameIn, sendPushes } from '../../push/send.ts'
import { vapidOf } from '../../push/vapid.ts'
import { findInvitation } from '../../queries/invites.ts'
import { countUnseen, listInvitedSubscriptions } from '../../queries/push.ts'
import { countAttempts } from '../../queries/rate-limits.ts'
import { limitsOf } from '../accounts/limit-attempts.ts'

/**
 * Notifies the invited person by mail and in their browsers. Limited per address, because an invitation can be sent again any number of times.
 * The app shows it in any case.
 */
export async function notifyInvited(env: Env, db: Db, invite: Invite): Promise<void> {
  const factor = env.RATE_LIMIT_FACTOR
  const all = await limitsOf({ actions: ['invitation'], email: invite.email, factor })
  const byInviter = await limitsOf({ actions: ['invitationFrom'], email: `${invite.invited_by} ${invite.email}`, factor })
  if ((await countAttempts(db, [...all, ...byInviter], 1)) !== null)
    return console.warn(JSON.stringify({ level: 'warn', what: 'An address is invited too often to be told of it' }))
  await Promise.all([mailInvitation(env, db, invite), pushInvitation(env, db, invite)])
}

/** Mails a pending invitation. Called after the response to the inviter. */
async function mailInvitation(env: Env, db: Db, { id, email }: Pick<Invite, 'id' | 'email'>): Promise<void> {
  const invitation = await findInvitation(db, id)
  if (!invitation) return
  const link = `${env.APP_ORIGIN}/collections`
  const settings = invitation.dates ?? NO_DATE_SETTINGS
  const dates = dateFormat(settings, { language: settings.language, timeZone: 'UTC' })
  const until = dates.day(dayOf(invitation.expiresAt, dates.timeZone) ?? '')
  await sendMail(env, { to: email, ...invitationMail({ ...invitation, email, link, until }) })
}

/** Notifies the invited person in their subscribed browsers, if they have an account. */
async function pushInvitation(env: Env, db: Db, { id }: Pick<Invite, 'id'>): Promise<void> {
  if (!vapidOf(env)) return
  const [invitation, subscriptions] = await Promise.all([findInvitation(db, id), listInvitedSubscriptions(db, id)])
  const [first] = subscriptions
  if (!invitation || !first) return
  const unseen = (await countUnseen(db, [first.userId])).get(first.userId) ?? 1
  const { collection, inviterName, inviterEmail } = invitation
  const message = {
    title: INVITATION_SUBJECT,
    body: `${nameIn(nameInMail(inviterName ?? '') || inviterEmail)} would like to share ${collectionIn(nameIn(collection))} with you`,
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
