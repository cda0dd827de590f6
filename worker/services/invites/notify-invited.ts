import { shownLanguage } from '#language'
import { t } from '#say'
import { dateFormat, NO_DATE_SETTINGS } from '../../../contract/date-format.ts'
import { dayOf } from '../../../contract/dates.ts'
import type { Invite } from '../../../contract/invites.ts'
import { invitationMail, invitationSubject } from '../../content/invite-mail.ts'
import { nameInMail } from '../../content/mail-content.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { describe } from '../../http/errors.ts'
import { inLanguage, languageOfReader } from '../../language.ts'
import { sendMail, sendsMail } from '../../mail.ts'
import { nameIn, sendPushes, unseenOf } from '../../push/send.ts'
import { vapidOf } from '../../push/vapid.ts'
import { claimInvitesToTell, findInvitation, type InvitationToTell, recordInvitedTold } from '../../queries/invites.ts'
import { listInvitedSubscriptions } from '../../queries/push.ts'
import { countAttempts } from '../../queries/rate-limits.ts'
import { limitsOf } from '../accounts/limit-attempts.ts'

/** Invitations that the minute's task tells of in one run. */
const PER_RUN = 20

/** Tells those of whom the request that invited them could not tell. */
export async function notifyUntold(env: Env, db: Db): Promise<void> {
  await notifyInvited(env, db, await claimInvitesToTell(db, PER_RUN), true)
}

/**
 * Notifies invited people by mail and in their browsers, after the response to the inviter. One after another: mail services take few mails a second. Where
 * one fails, the others are notified, and that one later (`notifyUntold`).
 */
export async function notifyInvited(env: Env, db: Db, invites: readonly Invite[], again = false): Promise<void> {
  for (const invite of invites) {
    try {
      if (await tell(env, db, invite, again)) await recordInvitedTold(db, invite.id)
    } catch (error) {
      console.warn(JSON.stringify({ level: 'warn', what: 'An invited person was not told', invite: invite.id, error: describe(error) }))
    }
  }
}

/**
 * Whether nobody needs to try again. Limited per address, because an invitation can be sent again any number of times. The app shows it in any case.
 * Attempts that failed count, so one that is made `again` waits until the limit permits it.
 */
async function tell(env: Env, db: Db, invite: Invite, again: boolean): Promise<boolean> {
  const factor = env.RATE_LIMIT_FACTOR
  const all = await limitsOf({ actions: ['invitation'], email: invite.email, factor })
  const byInviter = await limitsOf({ actions: ['invitationFrom'], email: `${invite.invited_by} ${invite.email}`, factor })
  if ((await countAttempts(db, [...all, ...byInviter], 1)) !== null) {
    console.warn(JSON.stringify({ level: 'warn', what: 'An address is invited too often to be told of it' }))
    return !again
  }
  const [mailed] = await Promise.all([mailInvitation(env, db, invite), pushInvitation(env, db, invite)])
  return mailed || !sendsMail(env)
}

/** Mails a pending invitation. False if the mail could not be sent. */
async function mailInvitation(env: Env, db: Db, { id, email }: Pick<Invite, 'id' | 'email'>): Promise<boolean> {
  const invitation = await findInvitation(db, id)
  if (!invitation) return true
  const link = `${env.APP_ORIGIN}/collections`
  const settings = invitation.dates ?? NO_DATE_SETTINGS
  const mail = inLanguage(languageOf(invitation), () => {
    const dates = dateFormat(settings, { language: settings.language, timeZone: 'UTC' }, shownLanguage())
    const until = dates.day(dayOf(invitation.expiresAt, dates.timeZone) ?? '')
    return invitationMail({ ...invitation, email, link, until })
  })
  return sendMail(env, { to: email, ...mail })
}

/** Whoever has no account is addressed in the language of who invites. */
const languageOf = ({ dates, inviter }: InvitationToTell) => languageOfReader(dates ?? inviter)

/** Notifies the invited person in their subscribed browsers, if they have an account. */
async function pushInvitation(env: Env, db: Db, { id }: Pick<Invite, 'id'>): Promise<void> {
  if (!vapidOf(env)) return
  const [invitation, subscriptions] = await Promise.all([findInvitation(db, id), listInvitedSubscriptions(db, id)])
  const [first] = subscriptions
  if (!invitation || !first) return
  const unseen = await unseenOf(db, [first.userId])
  const message = {
    ...inLanguage(languageOf(invitation), () => ({ title: invitationSubject(), body: bodyOf(invitation) })),
    path: '/collections',
    tag: `invitation ${id}`,
    ...unseen(first.userId),
  }
  await sendPushes(
    env,
    db,
    subscriptions.map((to) => ({ to, message })),
  )
}

function bodyOf({ collection, inviterName, inviterEmail }: InvitationToTell): string {
  const who = nameIn(nameInMail(inviterName ?? '') || inviterEmail)
  const plain = nameInMail(nameIn(collection))
  return plain
    ? t`${who} would like to share the collection “${{ collection: plain }}” with you`
    : t`${who} would like to share a collection with you`
}
