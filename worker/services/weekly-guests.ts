import { shownLanguage } from '#language'
import { t } from '#say'
import { newId } from '../../contract/ids.ts'
import { openMailToken, sealMailToken } from '../auth/mail-token.ts'
import { confirmWeeklyMail } from '../content/weekly-mail.ts'
import type { Db } from '../db/client.ts'
import type { Env } from '../env.ts'
import { AppError, toAppError } from '../http/errors.ts'
import { sendMail } from '../mail.ts'
import type { Holder } from '../queries/claims.ts'
import { findLinkOfGuest } from '../queries/guests.ts'
import { beginGuestsMail } from '../queries/weekly-mails.ts'
import { limitAttempts } from './accounts/limit-attempts.ts'
import { hasEnded } from './links/enter-link.ts'

/** Milliseconds for which an address can be confirmed. */
const VALID = 24 * 60 * 60_000

interface Asking {
  holder: Holder
  email: string
  /** Of the page. */
  title: string
  timeZone: string | null
  /** The caller's network address. */
  address: string | undefined
}

/**
 * Asks an address that a guest gave to confirm itself. Nothing is stored before. An address that has been asked too often gets no mail, which the guest is not told:
 * others may have asked. Throws 429 for a guest who asks too much.
 */
export async function askForWeeklyMail(env: Env, db: Db, { holder, email, title, timeZone, address }: Asking): Promise<void> {
  const factor = env.RATE_LIMIT_FACTOR
  const about = { address, link: holder.link, user: holder.guest, factor }
  await limitAttempts(db, { actions: ['weeklyMail'], ...about, what: tooManyAddresses })
  try {
    await limitAttempts(db, { actions: ['weeklyMailTo'], email, factor })
  } catch (error) {
    if (toAppError(error).code === 'rate_limited') return
    throw error
  }
  const { guest, access } = holder
  const token = await sealMailToken(env, 'confirm', { confirms: { guest, access, email, zone: timeZone, until: Date.now() + VALID } })
  await sendMail(env, {
    to: email,
    // In the language of the request, which is the guest's own.
    ...confirmWeeklyMail({ collection: title, email, link: `${env.APP_ORIGIN}/s/weekly/confirm/${token}` }),
  })
}

const tooManyAddresses = (wait: string) => t`Too many addresses. Try again in ${wait}`

/** Throws 404 for a forged token, 410 for one that is too old. */
export async function openConfirmation(env: Env, token: string) {
  const opened = await openMailToken(env, 'confirm', token)
  if (!opened) throw new AppError('not_found', t`This address is not complete. Open it from the mail again`)
  if (opened.confirms.until < Date.now()) throw new AppError('gone', t`This mail is too old. Ask for another one on the page of the link`)
  return opened.confirms
}

/** Begins the mail. Returns tokens by which it is ended, and by which the guest comes back. */
export async function confirmWeekly(env: Env, db: Db, token: string): Promise<{ end: string; back: string }> {
  const { guest, access, email, zone } = await openConfirmation(env, token)
  const begun = await beginGuestsMail(db, { id: newId(), guest, access, email, timeZone: zone, language: shownLanguage() })
  if (!begun) throw notAnyMore()
  const end = await sealMailToken(env, 'end', { endsWeekly: begun.id })
  return { end, back: await sealMailToken(env, 'back', { back: { link: begun.link, guest, access, to: email } }) }
}

/** The guest who comes back by a mail. Throws 410 once the link has ended, has another password, or does not know the guest. */
export async function comeBack(env: Env, db: Db, token: string): Promise<Holder> {
  const opened = await openMailToken(env, 'back', token)
  if (!opened) throw new AppError('not_found', t`This address is not complete. Open it from the mail again`)
  const link = await findLinkOfGuest(db, opened.back)
  if (!link || link.id !== opened.back.link) throw notAnyMore()
  if (!link.open) throw hasEnded()
  const { to = '', ...guest } = opened.back
  return { ...guest, back: to }
}

const notAnyMore = () =>
  new AppError('gone', t`This mail no longer lets you in. Open the link itself, or ask whoever sent it for a new one`)
