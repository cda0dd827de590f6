import { shownLanguage } from '#language'
import { t } from '#say'
import { dateFormat, NO_DATE_SETTINGS } from '../../../contract/date-format.ts'
import { dayOf } from '../../../contract/dates.ts'
import type { Invite } from '../../../contract/invites.ts'
import { invitationMail, invitationSubject } from '../../content/invite-mail.ts'
import { nameInMail } from '../../content/mail-content.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { warn } from '../../http/errors.ts'
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

/** Mails those whom the request that invited them could not mail. Their browsers have been notified. */
export async function notifyUntold(env: Env, db: Db): Promise<void> {
  await tellEach(env, db, await claimInvitesToTell(db, PER_RUN), async (...about) => ((await mailInvitation(...about)) ? 'told' : 'untold'))
}

/** Notifies invited people by mail and in their browsers, after the response to the inviter. Those who could not be mailed are mailed later (`notifyUntold`). */
export async function notifyInvited(env: Env, db: Db, invites: readonly Invite[]): Promise<void> {
  await tellEach(env, db, invites, async (...about) => {
    const pushing = pushInvitation(...about).catch((error: unknown) => {
      warn('An invited person was not notified', error)
      return false
    })
    const [mailed, pushed] = await Promise.all([mailInvitation(...about), pushing])
    return mailed ? 'told' : pushed ? 'notified' : 'untold'
  })
}

/** `notified` in their browsers, but to be mailed later. */
type Tell = (env: Env, db: Db, invite: Invite) => Promise<'told' | 'notified' | 'untold'>

/** One after another: mail services take few mails a second. Where one fails, the others are told. */
async function tellEach(env: Env, db: Db, invites: readonly Invite[], tell: Tell): Promise<void> {
  for (const invite of invites) {
    try {
      if ((await tellLimited(env, db, invite, tell)) === 'told') await recordInvitedTold(db, invite.id)
    } catch (error) {
      warn('An invited person was not told', error, { invite: invite.id })
    }
  }
}

/** Limited per address, because an invitation can be sent again any number of times. The app shows it in any case. */
async function tellLimited(env: Env, db: Db, invite: Invite, tell: Tell): ReturnType<Tell> {
  const factor = env.RATE_LIMIT_FACTOR
  const all = await limitsOf({ actions: ['invitation'], email: invite.email, factor })
  const byInviter = await limitsOf({ actions: ['invitationFrom'], email: `${invite.invited_by} ${invite.email}`, factor })
  const limits = [...all, ...byInviter]
  if ((await countAttempts(db, limits, 1)) !== null) {
    console.warn(JSON.stringify({ level: 'warn', what: 'An address is invited too often to be told of it now' }))
    return 'untold'
  }
  const outcome = await tell(env, db, invite)
  // Otherwise a mail service that is down would use up the limit.
  if (outcome === 'untold') await countAttempts(db, limits, -1)
  return outcome
}

/** Mails a pending invitation. False if the mail could not be sent by a site that sends mail. */
async function mailInvitation(env: Env, db: Db, { id, email }: Invite): Promise<boolean> {
  const invitation = await findInvitation(db, id)
  if (!invitation) return true
  const link = `${env.APP_ORIGIN}/collections`
  const settings = invitation.dates ?? NO_DATE_SETTINGS
  const mail = inLanguage(languageOf(invitation), () => {
    const dates = dateFormat(settings, { language: settings.language, timeZone: 'UTC' }, shownLanguage())
    const until = dates.day(dayOf(invitation.expiresAt, dates.timeZone) ?? '')
    return invitationMail({ ...invitation, email, link, until })
  })
  return (await sendMail(env, { to: email, ...mail })) || !sendsMail(env)
}

/** Whoever has no account is addressed in the language of who invites. */
const languageOf = ({ dates, inviter }: InvitationToTell) => languageOfReader(dates ?? inviter)

/** Notifies the invited person in their subscribed browsers, if they have an account. Returns whether there are any. */
async function pushInvitation(env: Env, db: Db, { id }: Invite): Promise<boolean> {
  if (!vapidOf(env)) return false
  const [invitation, subscriptions] = await Promise.all([findInvitation(db, id), listInvitedSubscriptions(db, id)])
  const [first] = subscriptions
  if (!invitation || !first) return false
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
  return true
}

function bodyOf({ collection, inviterName, inviterEmail }: InvitationToTell): string {
  const who = nameIn(nameInMail(inviterName ?? '') || inviterEmail)
  const plain = nameInMail(nameIn(collection))
  return plain
    ? t`${who} would like to share the collection “${{ collection: plain }}” with you`
    : t`${who} would like to share a collection with you`
}
