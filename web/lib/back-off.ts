import { BACK_OFF } from '../../contract/limits.ts'

/** Time and randomness for pure functions: milliseconds on any clock, and a random number from 0 to 1. */
export interface Moment {
  now: number
  random: number
}

/**
 * Milliseconds before the next attempt after `failures` in a row, counted from 1. The delay doubles up to a maximum; its random part keeps
 * devices from retrying all at once.
 */
export function backOff(
  failures: number,
  random: number,
  { first, max, jitter }: Record<'first' | 'max' | 'jitter', number> = BACK_OFF,
): number {
  return Math.min(first * 2 ** (failures - 1), max) + random * jitter
}

/** Time of the next attempt, never before the server allows it. `retryAfter` in seconds. */
export function nextAttempt(failures: number, { now, random }: Moment, retryAfter: number | null): number {
  return now + Math.max(backOff(failures, random), (retryAfter ?? 0) * 1_000)
}
