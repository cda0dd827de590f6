import { hex } from '../../../contract/bytes.ts'

/** The most that workerd permits, which it takes some 50 ms for. SHA-512, because graphics cards are slower at it. */
const ROUNDS = 100_000

/** `pbkdf2-sha512.{salt}.{hash}`, in hex: what is stored in place of a link's password. */
export async function hashPassword(
  password: string,
  salt: Uint8Array<ArrayBuffer> = crypto.getRandomValues(new Uint8Array(16)),
): Promise<string> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(password.normalize('NFKC')), 'PBKDF2', false, ['deriveBits'])
  const bits = await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-512', salt, iterations: ROUNDS }, key, 256)
  return `pbkdf2-sha512.${hex(salt)}.${hex(new Uint8Array(bits))}`
}

export async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const salt = stored.split('.')[1] ?? ''
  const bytes = Uint8Array.from(salt.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
  return equal(await hashPassword(password, bytes), stored)
}

/** In the same time wherever they differ. */
function equal(a: string, b: string): boolean {
  let different = a.length ^ b.length
  for (let i = 0; i < a.length; i++) different |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return different === 0
}
