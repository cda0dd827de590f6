import type { Invite } from '../../../contract/invites.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { invitationMail } from '../../content/invite-mail.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { sendMail } from '../../mail.ts'
import { findInvitation } from '../../queries/invites.ts'

/** Mails a pending invitation. Called after the response to the inviter. */
export async function mailInvitation(env: Env, db: Db, { id, email }: Pick<Invite, 'id' | 'email'>): Promise<void> {
  const invitation = await findInvitation(db, id)
  if (!invitation) return
  const link = `${env.APP_ORIGIN}/collections`
  await sendMail(env, { to: email, ...invitationMail({ ...invitation, email, link, days: LIMITS.inviteDays }) })
}
