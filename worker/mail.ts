import type { Env } from './env.ts'
import { describe } from './http/errors.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** The link in the mail; also part of text and HTML. */
  link: string
  replyTo?: string
  /** More header fields by name. */
  headers?: Record<string, string>
  /** Pictures that the HTML shows as `cid:…`: mails load nothing. */
  attachments?: Attachment[]
}

export interface Attachment {
  name: string
  type: string
  /** base64 */
  content: string
  cid: string
}

export type MailEnv = Pick<Env, 'MAIL_URL' | 'MAIL_KEY' | 'MAIL_FROM' | 'MAIL_FORMAT' | 'PREVIEW_KEY'> & Partial<Pick<Env, 'FILES'>>

/** Whether the site can send mail. */
export const sendsMail = (env: MailEnv) => Boolean(env.MAIL_URL || (env.PREVIEW_KEY && env.FILES))

/** Milliseconds. A slower mail service counts as down. */
const TIMEOUT = 5_000
/** Milliseconds before each retry (up to three), or longer if the service says so. */
const RETRY_DELAYS = [500, 1_000, 2_000]
/** Milliseconds. The platform ends work after a response that takes longer than 30 s. */
const MAX_DELAY = 10_000

/**
 * Sends a mail through the HTTP mail service at MAIL_URL. Without MAIL_URL, no mail is sent. Temporary failures are retried, then logged, but
 * never thrown: the app shows the same information. A preview catches its mail, because it must write to no one. Returns whether the mail was sent.
 */
export async function sendMail(
  env: MailEnv,
  given: Mail,
  { once = crypto.randomUUID(), delays = RETRY_DELAYS }: Sending = {},
): Promise<boolean> {
  const mail = inLines(given)
  if (env.PREVIEW_KEY && env.FILES) {
    await catchMail(env.FILES, mail)
    return true
  }
  if (!env.MAIL_URL) return false
  const init = request(env, mail, once)
  for (const delay of [...delays, null]) {
    const problem = await tryOnce(env.MAIL_URL, init)
    if (!problem) return true
    if (!problem.retryable || delay === null) {
      warn(problem.text)
      break
    }
    await new Promise((resolve) => setTimeout(resolve, Math.max(delay, Math.min(problem.wait ?? 0, MAX_DELAY))))
  }
  return false
}

/** What becomes a header field has no line break or other control character, so that no service can be made to write another field. */
function inLines(mail: Mail): Mail {
  const line = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  const { replyTo, headers, attachments } = mail
  return {
    ...mail,
    to: line(mail.to),
    subject: line(mail.subject),
    ...(replyTo !== undefined && { replyTo: line(replyTo) }),
    ...(headers && { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, line(value)])) }),
    ...(attachments && { attachments: attachments.map((one) => ({ ...one, name: line(one.name) })) }),
  }
}

interface Sending {
  /** The mail service does not send two mails with the same key. */
  once?: string
  delays?: readonly number[]
}

interface Problem {
  text: string
  retryable: boolean
  /** Milliseconds that the service asks to wait for. */
  wait?: number
}

async function tryOnce(url: string, init: RequestInit): Promise<Problem | null> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT) })
    await response.body?.cancel()
    if (response.ok) return null
    const { status, headers } = response
    // A date in its place is ignored.
    const wait = (Number(headers.get('retry-after')) || 0) * 1000
    return { text: `The mail service answered ${status}`, retryable: status === 429 || status >= 500, wait }
  } catch (error) {
    return { text: describe(error), retryable: true }
  }
}

/** Without the address and the text of the mail, which do not belong in logs. */
function warn(error: string): void {
  console.warn(JSON.stringify({ level: 'warn', what: 'A mail was not sent', error }))
}

/** The request in the service's format, without tracking of opens and links. */
function request({ MAIL_KEY: key, MAIL_FROM: from, MAIL_FORMAT }: MailEnv, mail: Mail, once: string): RequestInit {
  const common = { 'content-type': 'application/json', 'idempotency-key': once }
  if (MAIL_FORMAT === 'postmark') {
    return { method: 'POST', headers: { ...common, 'x-postmark-server-token': key ?? '' }, body: JSON.stringify(forPostmark(mail, from)) }
  }
  const headers = { ...common, ...(key && { authorization: `Bearer ${key}` }) }
  const body = MAIL_FORMAT === 'resend' ? forResend(mail) : mail
  return { method: 'POST', headers, body: JSON.stringify({ ...(from && { from }), ...body }) }
}

function forResend({ to, subject, text, html, replyTo, headers, attachments }: Mail) {
  const files = attachments?.map(({ name, type, content, cid }) => ({ filename: name, content, content_type: type, content_id: cid }))
  return {
    ...{ to, subject, text, html },
    ...(replyTo && { reply_to: replyTo }),
    ...(headers && { headers }),
    ...(files && { attachments: files }),
  }
}

function forPostmark({ to, subject, text, html, replyTo, headers, attachments }: Mail, from: string | undefined) {
  const files = attachments?.map(({ name, type, content, cid }) => ({
    Name: name,
    Content: content,
    ContentType: type,
    ContentID: `cid:${cid}`,
  }))
  return {
    ...{ From: from, To: to, Subject: subject, TextBody: text, HtmlBody: html, TrackOpens: false, TrackLinks: 'None' },
    ...(replyTo && { ReplyTo: replyTo }),
    ...(headers && { Headers: Object.entries(headers).map(([Name, Value]) => ({ Name, Value })) }),
    ...(files && { Attachments: files }),
  }
}

const CAUGHT = 'preview/mails/'
/** The newest mails that `caughtMails` returns. */
const MAX_CAUGHT = 50

async function catchMail(bucket: R2Bucket, mail: Mail): Promise<void> {
  const now = new Date()
  // R2 lists keys in ascending order, so the newest mail gets the smallest number.
  const age = String(9_999_999_999_999 - now.getTime())
  await bucket.put(`${CAUGHT}${age}-${crypto.randomUUID()}.json`, JSON.stringify({ ...mail, at: now.toISOString() }))
}

/** Mails that a preview caught, newest first. */
export async function caughtMails(bucket: R2Bucket): Promise<unknown[]> {
  const { objects } = await bucket.list({ prefix: CAUGHT, limit: MAX_CAUGHT })
  const bodies = await Promise.all(objects.map(({ key }) => bucket.get(key)))
  return Promise.all(bodies.filter((body) => body !== null).map((body) => body.json()))
}
