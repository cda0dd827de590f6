import { joinBytes } from '../../contract/bytes.ts'
import { LIMITS } from '../../contract/limits.ts'
import { foldEmail } from '../../contract/text.ts'
import { readHeaderFields, valuesOf } from '../content/incoming/header-fields.ts'
import { readMail } from '../content/incoming/read-mail.ts'
import { refuseAutomatic, senderOf } from '../content/incoming/sender.ts'
import { connect } from '../db/client.ts'
import type { Env } from '../env.ts'
import { AppError, describe, toAppError } from '../http/errors.ts'
import { publishWritten } from '../live/change-relay.ts'
import type { Change } from '../queries/changes.ts'
import { findMailSender } from '../queries/mail-addresses.ts'
import { limitAttempts } from './accounts/limit-attempts.ts'
import { addMail, mailIds } from './add-mail.ts'

/** What Cloudflare's Email Routing gives to a worker. */
export type Delivery = Pick<ForwardableEmailMessage, 'from' | 'to' | 'raw' | 'rawSize' | 'setReject'>

/**
 * Adds a post for a mail to the secret address of a collection. What is not added is refused with a sentence, which the sender's own server tells them: Cairn
 * answers no mail, so it never answers a wrong person or a program. A failure on our side is thrown, so that the other server tries again.
 */
export async function receiveMail(delivery: Delivery, env: Env, context: Pick<ExecutionContext, 'waitUntil'>): Promise<void> {
  const written: Change[] = []
  try {
    await takeMail(delivery, env, written)
    log('taken')
  } catch (thrown) {
    const error = toAppError(thrown)
    // What has been stored is found again by the next try.
    if (error.code === 'internal' || error.code === 'unavailable') throw new Error(describe(thrown))
    log(`refused: ${error.code}`)
    delivery.setReject(replyLine(error.message))
  } finally {
    if (written.length > 0) context.waitUntil(publishWritten(env, written))
  }
}

/** Without addresses and subjects, which are personal. */
const log = (mail: string) => console.info(JSON.stringify({ level: 'info', mail }))

async function takeMail({ from: envelope, to, raw, rawSize }: Delivery, env: Env, written: Change[]): Promise<void> {
  const bytes = await readAll(raw, rawSize)
  const fields = readHeaderFields(bytes)
  const isOwn = (address: string) => address === ownAddress(env) || address.endsWith(`@${env.MAIL_IN_DOMAIN}`)
  refuseAutomatic(fields, envelope, isOwn)
  const from = senderOf(fields, envelope)
  if (isOwn(from)) throw new AppError('forbidden', 'This is an address of the site itself. Write from your own')
  const secret = secretOf(to, env)
  const db = connect(env.DATABASE_URL, env.NEON_PROXY)
  const found = secret === null ? null : await findMailSender(db, { secret, from })
  const who = found?.member ?? found?.guest
  // The same for an unknown address, so that nobody learns which there are.
  if (!found || !who) throw new AppError('not_found', NOT_FOR_YOU)
  await limitAttempts(db, {
    ...{ actions: ['mailIn'], user: who.id, link: found.collectionId },
    ...{ factor: env.RATE_LIMIT_FACTOR, what: tooManyMails },
  })
  const mail = await readMail(bytes)
  const messageId = valuesOf(fields, 'message-id')[0]
  const identity = messageId ? [messageId, ...valuesOf(fields, 'date'), ...valuesOf(fields, 'subject')] : bytes
  const ids = await mailIds([found.collectionId, who.id], identity, mail.date?.ms ?? 0)
  await addMail(env, { mail, ids, sender: found, from }, written)
}

const NOT_FOR_YOU =
  'This address takes no mail from you. Write from the confirmed address of your account, and ask an admin of the collection for its present address'
const tooManyMails = (wait: string) => `Too many mails for now. Try again in ${wait}`

/** Throws for a mail that is too large, without reading more of it than fits. */
async function readAll(stream: ReadableStream<Uint8Array>, declared: number): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () =>
    new AppError('too_large', `A mail may have at most ${LIMITS.mailSize / 1024 ** 2} MiB. Send fewer files, or add them in the app`)
  if (declared > LIMITS.mailSize) throw tooLarge()
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of stream) {
    size += part.byteLength
    // Leaving the loop cancels the stream.
    if (size > LIMITS.mailSize) throw tooLarge()
    parts.push(part)
  }
  return joinBytes(parts)
}

/** The part before the @, if the address can be one of this site. */
function secretOf(to: string, { MAIL_IN_DOMAIN: domain }: Env): string | null {
  const [local = '', at, ...more] = foldEmail(to).split('@')
  return domain && at === domain && more.length === 0 && /^[a-z2-7]{26}$/.test(local) ? local : null
}

/** The address in MAIL_FROM. */
function ownAddress({ MAIL_FROM: from }: Env): string | null {
  return from ? foldEmail(from.slice(from.lastIndexOf('<') + 1).replace('>', '')) : null
}

/** One line of ASCII: all that mail servers reliably pass on. That is why every refusal of a mail is in English. */
function replyLine(message: string): string {
  const plain = message.replace(/[“”]/g, '"').replace(/[‘’]/g, "'").normalize('NFKD')
  return plain
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]+/g, '?')
    .slice(0, 400)
}
