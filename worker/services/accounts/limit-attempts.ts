import { digest } from '../../../contract/bytes.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../http/errors.ts'
import { countAttempts } from '../../queries/rate-limits.ts'

export type LimitedAction = keyof typeof LIMITS.attempts
/** Whom a limit is for. An action is counted for those that its limits name. */
type Subject = 'perAddress' | 'perEmail' | 'perUser'

export interface Attempt {
  /** What it counts as. */
  actions: LimitedAction[]
  /** The caller's network address, where the platform tells it. */
  address?: string | undefined
  /** Whom it is about. */
  email?: string
  /** Who does it, where they are signed in. */
  user?: string
  /** Multiplies the limits: RATE_LIMIT_FACTOR. */
  factor?: string | undefined
}

/** Counts the try, by network address, e-mail address and person; 429 with Retry-After when there were too many. Counts before anything is looked up. */
export async function limitAttempts(db: Db, { actions, address, email, user, factor }: Attempt): Promise<void> {
  const times = Math.max(1, Number(factor) || 1)
  const subjects: [Subject, string | undefined][] = [
    ['perAddress', address && `address:${network(address)}`],
    ['perEmail', email && `email:${email}`],
    ['perUser', user && `user:${user}`],
  ]
  const keyed = async (action: LimitedAction, subject: string, limit: number) => ({
    key: await attemptKey(action, subject),
    limit: limit * times,
  })
  const attempts = await Promise.all(
    actions.flatMap((action) => {
      const limits: Partial<Record<Subject, number>> = LIMITS.attempts[action]
      return subjects.flatMap(([kind, subject]) => (subject && limits[kind] ? [keyed(action, subject, limits[kind])] : []))
    }),
  )
  const wait = await countAttempts(db, attempts, LIMITS.attemptsWindow / 1000)
  if (wait === null) return
  const minutes = Math.ceil(wait / 60)
  const when = minutes === 1 ? 'a minute' : `${minutes} minutes`
  throw new AppError('rate_limited', `Too many tries. Try again in ${when}`, { retryAfter: Math.max(1, wait) })
}

/** What stands in the table instead of an address. */
export function attemptKey(action: LimitedAction, subject: string): Promise<string> {
  return digest(`${action}:${subject}`)
}

/** One household has one IPv6 network of 64 bits, and as many addresses in it as it likes. */
export function network(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0')
  return [...groups, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
