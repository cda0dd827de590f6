const FIRST_48_BITS = 2 ** 48 - 1

/**
 * The id that a post of another source has here: the same whenever it is imported again, so that it is not made twice. A UUID of
 * version 7 of its date, and of a hash in place of chance.
 */
export async function postIdFor(source: readonly string[], date: string | null | undefined): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(source)))
  const bytes = new Uint8Array(digest).slice(0, 16)
  const time = Math.min(FIRST_48_BITS, Math.max(0, date ? Date.parse(date) : 0))
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(time / 2 ** (8 * (5 - i))) & 0xff
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
