import { sql } from 'drizzle-orm'
import { SLOWED } from '../../contract/attempts.ts'
import { type Db, oneRow, rows } from '../db/client.ts'
import { texts } from './permissions.ts'

export interface Limited {
  key: string
  /** Attempts per window; for `slowed`, those before the first wait. */
  limit: number
  /** Length of the window. A slowed key is forgotten this long after the last attempt. */
  seconds: number
  slowed: boolean
}

/**
 * Adds `count` attempts under every key. Returns the seconds to wait if one of them has reached its limit, and then counts nothing, so that a
 * refused call uses up no one's attempts; else null. A negative `count` takes attempts back.
 */
export async function countAttempts(db: Db, attempts: Limited[], count: number): Promise<number | null> {
  const { wait } = await oneRow<{ wait: number | null }>(db, sql`select count_attempts(${counted(attempts, count)}) as wait`)
  return wait
}

/** Names of limits. The database sends one back when it is reached, and http/errors.ts has the sentence for it. */
export type LimitName = 'upload' | 'comment' | 'reaction' | 'importedAnswer' | 'tries'

/** A limit to check in the transaction of the action itself. */
export interface AttemptLimit {
  attempts: Limited[]
  what: LimitName
}

/** As `countAttempts`, for one attempt unless `count` says more, as the first statement of a transaction. At a limit the transaction fails, which answers 429. */
export const attemptsRequired = ({ attempts, what }: AttemptLimit, count = 1) =>
  sql`select require_attempts(${counted(attempts, count)}, ${what})`

const counted = (attempts: Limited[], count: number) =>
  sql`${JSON.stringify(attempts)}::jsonb, ${count}::int, ${SLOWED.first / 1000}::int, ${SLOWED.max / 1000}::int`

/** Forgets the attempts under these keys, because one succeeded. */
export async function forgetAttempts(db: Db, keys: string[]): Promise<void> {
  await rows(db, attemptsForgotten(keys))
}

/** The same as part of another statement. */
export const attemptsForgotten = (keys: string[]) => sql`delete from rate_limits where key = any(${texts(keys)})`

export async function deleteExpiredWindows(db: Db): Promise<void> {
  await rows(db, sql`delete from rate_limits where resets_at < now()`)
}
