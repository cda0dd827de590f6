import { say } from '#language'
import { msg, t } from '#say'
import type { MailAddress } from '../../contract/mail-addresses.ts'
import { mailAddress } from '../content/mail-address.ts'
import type { Env } from '../env.ts'
import { requireRole } from '../http/access.ts'
import { AppError } from '../http/errors.ts'
import { deleteMailAddress, findMailAddress, upsertMailAddress } from '../queries/mail-addresses.ts'
import type { Caller } from '../queries/permissions.ts'

const WRITERS_ONLY = msg`Your role lets you look. Only those who may add see the address for posts by mail`
const ADMINS_ONLY = msg`Only admins and the owner turn posts by mail on and off`
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** 128 random bits in base32, in small letters: mail services may change capital ones. */
function newMailSecret(): string {
  const bits = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** `user.emailVerified` is what the sign-in service says now. */
export async function mailAddressOf(
  caller: Caller<'item.add'> & { user: { email: string; emailVerified: boolean } },
  collectionId: string,
  env: Env,
): Promise<MailAddress> {
  const { user, checks } = caller
  const { role, secret, confirmed } = await findMailAddress(caller, collectionId, user.emailVerified ? user.email : null)
  requireRole(role, checks['item.add'], say(WRITERS_ONLY))
  return {
    available: Boolean(env.MAIL_IN_DOMAIN),
    address: secret && mailAddress(env, secret),
    sender: { email: user.email, confirmed },
  }
}

/** Makes the address of a collection, or a new one in its place. Throws 409 where the site takes no mails. */
export async function makeMailAddress(caller: Caller<'collection.edit'>, collectionId: string, env: Env): Promise<string> {
  const secret = newMailSecret()
  const address = mailAddress(env, secret)
  if (address === null) throw new AppError('conflict', t`This site takes no mails. The people who run it can set MAIL_IN_DOMAIN`)
  requireRole(await upsertMailAddress(caller, { collectionId, secret }), caller.checks['collection.edit'], say(ADMINS_ONLY))
  return address
}

export async function removeMailAddress(caller: Caller<'collection.edit'>, collectionId: string): Promise<void> {
  requireRole(await deleteMailAddress(caller, collectionId), caller.checks['collection.edit'], say(ADMINS_ONLY))
}
