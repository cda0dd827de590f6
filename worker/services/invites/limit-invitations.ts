import { plural, t } from '#say'
import { INVITATIONS_PER_DAY } from '../../../contract/attempts.ts'
import { may } from '../../../contract/policy.ts'
import type { Db } from '../../db/client.ts'
import { AppError, waitText } from '../../http/errors.ts'
import { countAttempts, type Limited } from '../../queries/rate-limits.ts'
import { findSender } from '../../queries/users.ts'
import { attemptKey, limitsOf, timesOf } from '../accounts/limit-attempts.ts'

const DAY_SECONDS = 24 * 60 * 60

interface Sender {
  user: string
  collection: string
  /** RATE_LIMIT_FACTOR. */
  factor: string | undefined
}

/**
 * Counts invitations, because each sends mail to an address of the inviter's choice. How many a person may send a day grows with the age of the account; accounts of
 * less than a week share a limit of the site, so that strangers cannot use up the mail of everybody else. Throws 429 with Retry-After. Counts
 * nothing if the caller may not invite here, so that calls that send nothing use up nothing.
 */
export async function limitInvitations(db: Db, { user, collection, factor }: Sender, count = 1): Promise<void> {
  const { days, role } = await findSender(db, user, collection)
  if (!role || !may(role, 'members.manage')) return
  const [newest, older] = INVITATIONS_PER_DAY
  const { number } = INVITATIONS_PER_DAY.findLast(({ from }) => days >= from) ?? newest
  const limit = number * timesOf(factor)
  const own: Limited = { key: await attemptKey('invite', `day:${user}`), limit, seconds: DAY_SECONDS, slowed: false }
  if (count > limit)
    throw refusal(
      t`${plural(limit, { one: 'Send at most # invitation at once', other: 'Send at most # invitations at once' })}`,
      DAY_SECONDS,
    )
  const young = days < older.from ? await limitsOf({ actions: ['youngInvitations'], factor }) : []
  const wait = await countAttempts(db, [...(await limitsOf({ actions: ['invite'], user, factor })), own, ...young], count)
  if (wait === null) return
  throw refusal(
    t`Your account may send ${plural({ count: number }, { one: '# invitation', other: '# invitations' })} a day, and there are limits for short times and for all new accounts together. Send fewer, or try again in ${{ wait: waitText(wait) }}`,
    wait,
  )
}

function refusal(message: string, retryAfter: number): AppError {
  return new AppError('rate_limited', message, { retryAfter })
}
