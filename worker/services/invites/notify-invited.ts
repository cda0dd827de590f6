import type { Invite } from '../../../contract/invites.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { AppError } from '../../http/errors.ts'
import { limitAttempts } from '../accounts/limit-attempts.ts'
import { mailInvitation } from './mail-invite.ts'
import { pushInvitation } from './push-invite.ts'

/**
 * Tells the invited person by mail and in their browsers. An invitation can be sent again as often as one likes, so whoever is invited
 * again and again is told a few times only; the app shows it all the same.
 */
export async function notifyInvited(env: Env, db: Db, invite: Invite): Promise<void> {
  try {
    await limitAttempts(db, { actions: ['invitation'], email: invite.email, factor: env.RATE_LIMIT_FACTOR })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'rate_limited')) throw error
    return console.warn(JSON.stringify({ level: 'warn', what: 'An address is invited too often to be told of it' }))
  }
  await Promise.all([mailInvitation(env, db, invite), pushInvitation(env, db, invite)])
}
