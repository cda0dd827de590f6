import { LIMITS } from '../../../contract/limits.ts'
import { may } from '../../../contract/policy.ts'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../http/errors.ts'
import { countAttempts, type Limited } from '../../queries/rate-limits.ts'
import { findSender } from '../../queries/users.ts'
import { attemptKey, limitsOf, timesOf, waitText } from '../accounts/limit-attempts.ts'

const DAY_SECONDS = 24 * 60 * 60

interface Sender {
  user: string
  collection: string
  /** RATE_LIMIT_FACTOR. */
  factor: string | undefined
}

/**
 * Counts invitations, because each sends a mail to anybody. How many a person may send a day grows with the age of the account; accounts of
 * less than a week share a limit of the site, so that strangers cannot use up the mail of everybody else. Throws 429 with Retry-After. Counts
 * nothing if the caller may not invite here, so that calls that send nothing use up nothing.
 */
export async function limitInvitations(db: Db, { user, collection, factor }: Sender, count = 1): Promise<void> {
  const { days, role } = await findSender(db, user, collection)
  if (!role || !may(role, 'members.manage')) return
  const [newest, older] = LIMITS.invitationsPerDay
  const { number } = LIMITS.invitationsPerDay.findLast(({ from }) => days >= from) ?? newest
  const limit = number * timesOf(factor)
  const own: Limited = { key: await attemptKey('invite', `day:${user}`), limit, seconds: DAY_SECONDS, slowed: false }
  const young = days < older.from ? await limitsOf({ actions: ['youngInvitations'], factor }) : []
  const wait =
    count > limit
      ? DAY_SECONDS
      : await countAttempts(db, [...(await limitsOf({ actions: ['invite'], user, factor })), own, ...young], count)
  if (wait === null) return
  const when = count > limit ? 'Send fewer at once' : `Send fewer, or try again in ${waitText(wait)}`
  throw new AppError('rate_limited', `An account of this age may send ${number} invitations a day, as far as the site can. ${when}`, {
    retryAfter: wait,
  })
}
