import { ATTEMPTS, ATTEMPTS_WINDOW, SLOWED } from '../../../contract/attempts.ts'
import { digest } from '../../../contract/bytes.ts'
import type { Db } from '../../db/client.ts'
import { TOO_MANY, tooMany } from '../../http/errors.ts'
import { countAttempts, type Limited } from '../../queries/rate-limits.ts'

export type LimitedAction = keyof typeof ATTEMPTS
/** An action is counted for those subjects for which it has a limit. */
type Subject = 'perAddress' | 'perEmail' | 'perUser' | 'perPhoto' | 'perLink' | 'perSite'
/** For these subjects, attempts are delayed rather than counted per window. */
type Slowed = 'perPair' | 'perDevice' | 'perSession'
type Limits = Partial<Record<Subject | Slowed | 'window', number>>

export interface Attempt {
  actions: LimitedAction[]
  /** The caller's network address, if the platform provides it. */
  address?: string | undefined
  /** The e-mail address that the attempt is about. */
  email?: string | undefined
  /** Id of the caller, if signed in. */
  user?: string | undefined
  /** Id of the photo of which the `user` wants an image. */
  photo?: string | undefined
  /** Id of the link that a guest enters. */
  link?: string | undefined
  /** Id of the caller's session. */
  session?: string | undefined
  /** Id of the device, if it is known for this `email`. */
  device?: string | undefined
  /** Multiplies the limits: RATE_LIMIT_FACTOR. */
  factor?: string | undefined
  /** Attempts in one call; 1 by default. */
  count?: number
  /** The message at a limit; `wait` is a time such as `3 minutes`. */
  what?: ((wait: string) => string) | undefined
}

/**
 * Counts the attempt for all its subjects. Throws 429 with Retry-After above a limit. Call before any lookup. Returns the keys to forget if the
 * attempt succeeds.
 */
export async function limitAttempts(db: Db, { count = 1, what = TOO_MANY.tries, ...attempt }: Attempt): Promise<string[]> {
  const keys = await limitsOf(attempt)
  const wait = await countAttempts(db, keys, count)
  if (wait !== null) throw tooMany(what, wait)
  return keys.filter(({ slowed }) => slowed).map(({ key }) => key)
}

/** The limits that the attempt counts against. */
export async function limitsOf({ actions, factor, ...about }: Omit<Attempt, 'count' | 'what'>): Promise<Limited[]> {
  const { address, email, user, photo, link, session, device } = about
  const pairedWith = email ?? link
  const from = address && network(address)
  const subjects: [Subject | Slowed, string | undefined][] = [
    ['perAddress', from && `address:${from}`],
    ['perEmail', email && `email:${email}`],
    ['perUser', user && `user:${user}`],
    ['perPhoto', user && photo && `photo:${photo} ${user}`],
    ['perSite', 'site'],
    ['perLink', link && `link:${link}`],
    ['perPair', pairedWith && `pair:${from ?? ''} ${pairedWith}`],
    ['perDevice', email && device && `device:${device} ${email}`],
    ['perSession', session && `session:${session}`],
  ]
  const limits = actions.flatMap((action) => {
    const allowed: Limits = ATTEMPTS[action]
    return subjects.flatMap(([kind, subject]) => (subject && allowed[kind] ? [{ action, kind, subject, allowed }] : []))
  })
  return Promise.all(
    limits.map(async ({ action, kind, subject, allowed }) => {
      const slowed = kind === 'perPair' || kind === 'perDevice' || kind === 'perSession'
      const seconds = (slowed ? SLOWED.forgotten : (allowed.window ?? ATTEMPTS_WINDOW)) / 1000
      return { key: await attemptKey(action, subject), limit: (allowed[kind] ?? 0) * timesOf(factor), seconds, slowed }
    }),
  )
}

/** What RATE_LIMIT_FACTOR multiplies limits by. */
export function timesOf(factor: string | undefined): number {
  return Math.max(1, Number(factor) || 1)
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
