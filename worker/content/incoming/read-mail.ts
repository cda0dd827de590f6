import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { LIMITS } from '../../../contract/limits.ts'
import { AppError } from '../../http/errors.ts'
import { plainText, sanitizeHtml } from '../sanitize.ts'
import { isWeeklySubject } from '../weekly-mail.ts'
import { clean, cut, kindOf, type MailKind, titleOf, writtenHtml, writtenText } from './mail-text.ts'

export interface MailFile {
  name: string
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

/** What is taken from a mail. */
export interface IncomingMail {
  /** Empty if it answers a weekly mail, of which it would be the subject. */
  subject: string
  /** What its writer wrote, as plain text. */
  text: string
  /** The same as sanitised HTML, where the mail has no plain text. */
  html: string | null
  /** When it was written, if it says so, with its offset such as +02:00. */
  date: { ms: number; zone: string } | null
  files: MailFile[]
}

/** Parts that are nothing to keep: invitations to meetings, signatures, and what Outlook adds for itself. */
const LEFT_OUT = new Set(
  `text/calendar application/ics application/ms-tnef application/vnd.ms-tnef application/pgp-signature application/pgp-keys
  application/pkcs7-signature application/x-pkcs7-signature message/delivery-status message/disposition-notification`.split(/\s+/),
)
const ENCRYPTED = new Set(['application/pkcs7-mime', 'application/x-pkcs7-mime', 'application/pgp-encrypted'])

/** Characters of text and HTML together. A post has far fewer, but HTML may have much that is no text. */
const MAX_TEXT = 2_000_000
/** A longer one is nothing that a person has written. */
const MAX_SUBJECT = 2_000

/** Reads a mail. Throws an AppError with a sentence for its sender if it cannot be read, or has too much. */
export async function readMail(raw: Uint8Array<ArrayBuffer>): Promise<IncomingMail> {
  const email = await PostalMime.parse(raw, { forceRfc822Attachments: true, maxNestingDepth: 32, maxHeadersSize: 512 * 1024 }).catch(() => {
    throw new AppError('invalid', 'This mail could not be read. Send it again with the text and the files as plain attachments')
  })
  if (email.attachments.some(({ mimeType }) => ENCRYPTED.has(mimeType)))
    throw new AppError('invalid', 'This mail is encrypted, so it cannot be read. Send it without encryption')
  if (email.attachments.length > LIMITS.filesPerMail)
    throw new AppError('too_large', `A mail may bring at most ${LIMITS.filesPerMail} files. Send the others in another mail`)
  if ((email.text ?? '').length + (email.html ?? '').length > MAX_TEXT)
    throw new AppError('too_large', 'The text of this mail is too long. Shorten it, or send it as a file')
  const given = clean((email.subject ?? '').slice(0, MAX_SUBJECT))
  const kind = kindOf(given, Boolean(email.inReplyTo || email.references))
  const subject = kind !== 'forward' && isWeeklySubject(titleOf(given)) ? '' : given
  const files = filesOf(email, kind)
  const { text, html } = textOf(email, kind)
  // The subject of an answer is that of the mail it answers.
  const isEmpty = text === '' && files.length === 0 && (kind === 'answer' || titleOf(subject) === '')
  if (isEmpty) throw new AppError('invalid', 'This mail is empty. Write something, or attach a photo')
  return { subject, text, html, date: dateOf(email), files }
}

function textOf(email: Email, kind: MailKind): Pick<IncomingMail, 'text' | 'html'> {
  const text = writtenText(email.text ?? '', kind)
  if (text !== '' || !email.html) return { text, html: null }
  const html = sanitizeHtml(writtenHtml(email.html, kind)).trim()
  const read = plainText(html)
  return { text: read, html: read === '' ? null : html }
}

function filesOf(email: Email, kind: MailKind): MailFile[] {
  const own = kind === 'answer' && email.html ? writtenHtml(email.html, kind) : null
  const kept = email.attachments.filter((part) => !isLeftOut(part) && !isQuoted(part, email.html ?? '', own))
  return kept
    .map((part, nth) => ({ name: nameOf(part, nth + 1), type: part.mimeType, bytes: bytesOf(part) }))
    .filter(({ bytes }) => bytes.length > 0)
}

const isLeftOut = ({ mimeType, filename }: Attachment) => LEFT_OUT.has(mimeType) || /^winmail\.dat$/i.test(filename ?? '')

/** A picture that stands only in what the mail quotes. */
function isQuoted({ contentId }: Attachment, html: string, own: string | null): boolean {
  const cid = contentId?.replace(/^<|>$/g, '')
  return Boolean(cid) && own !== null && html.includes(`cid:${cid}`) && !own.includes(`cid:${cid}`)
}

function bytesOf({ content }: Attachment): Uint8Array<ArrayBuffer> {
  return content instanceof ArrayBuffer ? new Uint8Array(content) : Uint8Array.from(typeof content === 'string' ? [] : content)
}

/** The name without folders, not longer than names of files may be. */
function nameOf({ filename, mimeType }: Attachment, nth: number): string {
  const given = clean(filename ?? '')
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/\s+/g, ' ')
    .trim()
  if (!given) return mimeType === 'message/rfc822' ? `mail-${nth}.eml` : `${mimeType.startsWith('image/') ? 'photo' : 'file'}-${nth}`
  if ([...given].length <= LIMITS.fileName) return given
  const ending = /\.[a-z\d]{1,10}$/i.exec(given)?.[0] ?? ''
  return cut(given, LIMITS.fileName - ending.length) + ending
}

const MONTHS_AND_ZONE = /^(?:[a-z]{3},)?\s*\d{1,2}\s+[a-z]{3}\s+\d{4}\s+\d{1,2}:\d\d(?::\d\d)?\s+(?:([+-])(\d\d)(\d\d)|[a-z]{1,4})/i

function dateOf({ headers }: Email): IncomingMail['date'] {
  const value = headers.find(({ key }) => key === 'date')?.value ?? ''
  const [form, sign, hours, minutes] = MONTHS_AND_ZONE.exec(value.trim()) ?? []
  const ms = form === undefined ? Number.NaN : Date.parse(form)
  if (Number.isNaN(ms)) return null
  const known = sign !== undefined && Number(hours) <= 14 && Number(minutes) < 60
  return { ms, zone: known ? `${sign}${hours}:${minutes}` : '+00:00' }
}
