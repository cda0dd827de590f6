import { newId } from '../../../contract/ids.ts'

const FIRST_48_BITS = 2 ** 48 - 1

/**
 * The id that a post of another source has here: the same whenever it is imported again, so that it is not made twice. A UUID of
 * version 7 of its date, and of a hash in place of chance.
 */
export async function postIdFor(source: readonly string[], date: string | null | undefined): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(source)))
  const time = Math.min(FIRST_48_BITS, Math.max(0, date ? Date.parse(date) : 0))
  return newId(time, new Uint8Array(digest, 6))
}
