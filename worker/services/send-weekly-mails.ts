import { shownLanguage } from '#language'
import { t } from '#say'
import { commentsPath } from '../../contract/comments-path.ts'
import { type DateFormat, dateFormat, NO_DATE_SETTINGS } from '../../contract/date-format.ts'
import { dayOf, isZone } from '../../contract/dates.ts'
import { guestUserId } from '../../contract/links.ts'
import { may, mayAnswer } from '../../contract/policy.ts'
import { sealMailToken } from '../auth/mail-token.ts'
import { mailAddress } from '../content/mail-address.ts'
import { nameInMail } from '../content/mail-content.ts'
import { weeklyMail } from '../content/weekly-mail.ts'
import { connect, connectAround } from '../db/client.ts'
import type { Env } from '../env.ts'
import { describe, warn } from '../http/errors.ts'
import { inLanguage, languageOfReader } from '../language.ts'
import { type Attachment, sendMail, sendsMail } from '../mail.ts'
import { claimWeeklyMails, type DueMail, findWeeklyNews, recordTold, type WeeklyNews, type WeeklyPicture } from '../queries/weekly-mails.ts'
import { sentenceOf } from './push-news.ts'
import { serveImage } from './serve-image.ts'

/** Years back to which “On this day” looks. */
const YEARS = 100
/** Pixels, shown at half the size. */
const PICTURE = { width: 256, height: 256, fit: 'cover', format: 'jpeg' } as const

/**
 * Sends the weekly mails that are due. One that cannot be sent is logged, and what is new since then is in the next one; no mail is sent twice in a week, even if
 * this run dies.
 */
export async function sendWeeklyMails(env: Env): Promise<void> {
  if (!sendsMail(env)) return
  const pictures = new Map<string, Promise<Attachment | null>>()
  for (const due of await claimWeeklyMails(connect(env.DATABASE_URL, env.NEON_PROXY))) {
    try {
      await inLanguage(languageOf(due), () => sendOne(env, due, pictures))
    } catch (error) {
      console.error(JSON.stringify({ level: 'error', what: 'A weekly mail was not sent', mail: due.id, error: describe(error) }))
    }
  }
}

const languageOf = ({ user, guest }: DueMail) => (user ? languageOfReader(user.dates) : (guest?.language ?? 'en'))

async function sendOne(env: Env, due: DueMail, made: Map<string, Promise<Attachment | null>>): Promise<void> {
  const dates = datesOf(due)
  const today = dayOf(new Date().toISOString(), dates.timeZone) ?? ''
  const news = await readNews(env, due, today)
  if (!news || (news.author === null && news.comments === 0)) return
  const end = `${env.APP_ORIGIN}/s/weekly/end/${await sealMailToken(env, 'end', { endsWeekly: due.id })}`
  const replyTo = takesPosts(due) && due.mailAddress !== null ? mailAddress(env, due.mailAddress) : null
  const wanted = [...news.pictures, ...news.days.flatMap(({ picture }) => picture ?? [])]
  const pictures = await attachmentsOf(env, wanted, made)
  const mail = weeklyMail({
    collection: due.title,
    what: news.author === null ? null : sentenceOf({ ...news, author: nameInMail(news.author) || t`Someone` }, due.title),
    news,
    pictures,
    dates,
    today,
    ...(await linksOf(env, due)),
    end,
    takesAnswers: replyTo !== null,
    mayComment: mayComment(due),
    guest: due.guest,
  })
  const sent = await sendMail(
    env,
    {
      to: due.email,
      ...mail,
      ...(replyTo !== null && { replyTo }),
      headers: headersOf(env, due, end),
      attachments: [...pictures.values()],
    },
    { once: `weekly-${due.id}-${due.week}` },
  )
  if (sent) await recordTold(connect(env.DATABASE_URL, env.NEON_PROXY), due.id, news.until)
}

/** Mail programs show a button that ends the mail (RFC 8058), and programs that answer by themselves do not answer. */
function headersOf({ APP_ORIGIN }: Env, { collectionId }: DueMail, end: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${end}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'List-Id': `<${collectionId}.weekly.${new URL(APP_ORIGIN).hostname}>`,
    'Auto-Submitted': 'auto-generated',
    'X-Auto-Response-Suppress': 'All',
    Precedence: 'bulk',
  }
}

const takesPosts = ({ user, guest }: DueMail) => (user ? may(user.role, 'item.add') : (guest?.adds ?? false))

function mayComment({ user, guest, answers }: DueMail): boolean {
  return mayAnswer(user ? user.role : guest?.answers ? 'guest' : null, answers)
}

function datesOf({ user, timeZone }: DueMail): DateFormat {
  const settings = { ...(user?.dates ?? NO_DATE_SETTINGS), timeZone: null }
  const defaults = { language: user?.dates.language ?? null, timeZone: timeZone !== null && isZone(timeZone) ? timeZone : 'UTC' }
  return dateFormat(settings, defaults, shownLanguage())
}

/** As the reader, who sees what they see in the app or on the page of the link. */
function readNews(env: Env, { collectionId, since, user, guest }: DueMail, today: string): Promise<WeeklyNews | null> {
  const { DATABASE_URL: url, NEON_PROXY: proxy } = env
  const asked = { collectionId, since, days: earlierDays(today) }
  if (guest) return findWeeklyNews(connectAround(url, proxy, { access: guest.access, unseen: true }), guestUserId(guest.guest), asked)
  return user ? findWeeklyNews(connect(url, proxy), user.id, asked) : Promise.resolve(null)
}

/** The same day in earlier years, as `onThisDay` in web/lib/timeline: 29 February is remembered on the 28th in years that do not have it. */
export function earlierDays(today: string): string[] {
  const [year = 0] = today.split('-').map(Number)
  const dates = today.endsWith('-02-28') && !isLeap(year) ? ['-02-29', '-02-28'] : [today.slice(4)]
  const days: string[] = []
  for (let past = year - 1; past >= Math.max(1, year - YEARS); past--) {
    for (const date of dates) if (date !== '-02-29' || isLeap(past)) days.push(`${String(past).padStart(4, '0')}${date}`)
  }
  return days
}

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** Members come to the app; guests come back to the page of their link as who they are. */
async function linksOf(env: Env, { collectionId, guest, email }: DueMail) {
  const origin = env.APP_ORIGIN
  if (!guest) {
    return {
      link: `${origin}/collections/timeline?c=${collectionId}`,
      linkOf: (kind: 'post' | 'asset', id: string) => `${origin}${commentsPath(collectionId, { kind, id })}`,
    }
  }
  const { link, guest: id, access } = guest
  const back = `${origin}/s/back/${await sealMailToken(env, 'back', { back: { link, guest: id, access, to: email } })}`
  return { link: back, linkOf: (kind: 'post' | 'asset', item: string) => `${back}?to=${kind}/${item}` }
}

/** By id. Pictures that cannot be made are left out. `made` are those of the mails before: members of a collection see the same ones. */
async function attachmentsOf(
  env: Env,
  pictures: readonly WeeklyPicture[],
  made: Map<string, Promise<Attachment | null>>,
): Promise<Map<string, Attachment>> {
  const found = new Map<string, Attachment>()
  for (const picture of pictures) {
    const key = `${picture.id} ${picture.version}`
    const making = made.get(key) ?? attachmentOf(env, picture)
    made.set(key, making)
    const attachment = await making
    if (attachment) found.set(picture.id, attachment)
  }
  return found
}

async function attachmentOf(env: Env, picture: WeeklyPicture): Promise<Attachment | null> {
  try {
    const later: Promise<unknown>[] = []
    const stores = {
      bucket: env.FILES,
      images: env.IMAGES,
      later: (work: Promise<unknown>) => void later.push(work),
      limit: async () => {},
    }
    const response = await serveImage(stores, picture, PICTURE, new Request(env.APP_ORIGIN))
    const bytes = new Uint8Array(await response.arrayBuffer())
    await Promise.allSettled(later)
    const type = response.headers.get('content-type') ?? 'image/jpeg'
    return { name: `${picture.id}.${type.slice('image/'.length)}`, type, content: base64(bytes), cid: `${picture.id}@cairn` }
  } catch (error) {
    warn('A picture was left out of a mail', error, { asset: picture.id })
    return null
  }
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
