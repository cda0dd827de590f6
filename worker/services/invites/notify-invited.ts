import type { Invite } from '../../../contract/invites.ts'
import type { Db } from '../../db/client.ts'
import type { Env } from '../../env.ts'
import { AppError } from '../../http/errors.ts'
import { limitAttempts } from '../accounts/limit-attempts.ts'
import { mailInvitation } from './mail-invite.ts'
import { pushInvitation } from './push-invite.ts'

/**
 * Notifies the invited person by mail and in their browsers. Limited per address, because an invitation can be sent again any number of times.
 * The app shows it in any case.
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
