import { digest } from '../../../contract/bytes.ts'
import { LIMITS } from '../../../contract/limits.ts'
import type { Db } from '../../db/client.ts'
import { AppError } from '../../http/errors.ts'
import { countAttempts } from '../../queries/rate-limits.ts'

export type LimitedAction = keyof typeof LIMITS.attempts
/** An action is counted for those subjects for which it has a limit. */
type Subject = 'perAddress' | 'perEmail' | 'perUser'

export interface Attempt {
  actions: LimitedAction[]
  /** The caller's network address, if the platform provides it. */
  address?: string | undefined
  /** The address that the attempt is about. */
  email?: string
  /** Id of the caller, if signed in. */
  user?: string
  /** Multiplies the limits: RATE_LIMIT_FACTOR. */
  factor?: string | undefined
  /** Attempts in one call; 1 by default. */
  count?: number
}

/** Counts the attempt by network address, e-mail address and user. Throws 429 with Retry-After above a limit. Call before any lookup. */
export async function limitAttempts(db: Db, { actions, address, email, user, factor, count = 1 }: Attempt): Promise<void> {
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
  const wait = await countAttempts(db, attempts, { count, windowSeconds: LIMITS.attemptsWindow / 1000 })
  if (wait === null) return
  const minutes = Math.ceil(wait / 60)
  const when = minutes === 1 ? 'a minute' : `${minutes} minutes`
  throw new AppError('rate_limited', `Too many tries. Try again in ${when}`, { retryAfter: Math.max(1, wait) })
}

/** Hash that is stored in place of an address. */
export function attemptKey(action: LimitedAction, subject: string): Promise<string> {
  return digest(`${action}:${subject}`)
}

/** The /64 network of an IPv6 address, in which one household can use any number of addresses. */
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
