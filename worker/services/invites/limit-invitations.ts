import { LIMITS } from '../../../contract/limits.ts'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../http/errors.ts'
import { countAttempts, type Limited } from '../../queries/rate-limits.ts'
import { findAccountAge } from '../../queries/users.ts'
import { attemptKey, limitsOf, timesOf, waitText } from '../accounts/limit-attempts.ts'

const DAY_SECONDS = 24 * 60 * 60

interface Sender {
  user: string
  /** RATE_LIMIT_FACTOR. */
  factor: string | undefined
}

/**
 * Counts invitations, because each sends a mail to anybody. How many a person may send a day grows with the age of the account; accounts of
 * less than a week share a limit of the site, so that strangers cannot use up the mail of everybody else. Throws 429 with Retry-After.
 */
export async function limitInvitations(db: Db, { user, factor }: Sender, count = 1): Promise<void> {
  const [newest, older] = LIMITS.invitationsPerDay
  const age = await findAccountAge(db, user)
  const { number } = LIMITS.invitationsPerDay.findLast(({ from }) => age >= from) ?? newest
  const own: Limited = {
    key: await attemptKey('invite', `day:${user}`),
    limit: number * timesOf(factor),
    seconds: DAY_SECONDS,
    slowed: false,
  }
  const young = age < older.from ? await limitsOf({ actions: ['youngInvitations'], factor }) : []
  const wait = await countAttempts(db, [...(await limitsOf({ actions: ['invite'], user, factor })), own, ...young], count)
  if (wait === null) return
  const message = `You have sent as many invitations as you may for now, at most ${number} a day. Send fewer, or try again in ${waitText(wait)}`
  throw new AppError('rate_limited', message, { retryAfter: wait })
}
