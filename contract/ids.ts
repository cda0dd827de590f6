import { t } from '#say'
import { hex } from './bytes.ts'
import { z } from './zod.ts'

/** A UUID of any version, in lower case, as Postgres writes it: equal ids are equal texts. */
export const Id = z.uuid().toLowerCase()

export function isId(text: string): boolean {
  return Id.safeParse(text).success
}

/** An id chosen by the client on create: version 7, so that keys are in time order. */
export const NewId = z.uuidv7({ error: () => t`Use a UUID of version 7` }).toLowerCase()

/** The sign-in provider's subject: opaque, at most 255 ASCII characters (OpenID Connect Core §2). */
export const UserId = z
  .string()
  .max(255)
  .regex(/^[\x20-\x7e]+$/, { error: () => t`This is not the id of a user` })

/** Creation time of a UUID of version 7, in Unix milliseconds by the clock of its creator. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** Makes a UUID of version 7 (RFC 9562): 48 bits of Unix milliseconds, then 10 random bytes of which version and variant take 6 bits. */
export function newId(now = Date.now(), rest: Uint8Array = crypto.getRandomValues(new Uint8Array(10))): string {
  const bytes = new Uint8Array(16)
  bytes.set(rest.subarray(0, 10), 6)
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(now / 2 ** (8 * (5 - i))) & 0xff
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const digits = hex(bytes)
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`
}
