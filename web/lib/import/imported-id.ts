import { newId } from '../../../contract/ids.ts'

const FIRST_48_BITS = 2 ** 48 - 1

/**
 * Deterministic id of what is from another source, so that a repeated import does not create it twice. A UUID of version 7 from its date, with a hash
 * instead of random bits.
 */
export async function importedId(source: readonly string[], date: string | null | undefined): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(source)))
  const time = Math.min(FIRST_48_BITS, Math.max(0, date ? Date.parse(date) : 0))
  return newId(time, new Uint8Array(digest, 6))
}

/** The part of an imported id that is of its source alone: the date of an album is that of its first photo, which a later export may change. */
export const sourceIn = (id: string) => id.slice(14)
