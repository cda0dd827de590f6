import { joined, listText } from '#language'
import { plural, t } from '#say'
import type { DateFormat } from '../../contract/date-format.ts'
import { LANGUAGES } from '../../contract/language/languages.ts'
import { personName } from '../../contract/person-name.ts'
import { escapeHtml } from '../../contract/text.ts'
import { inLanguage } from '../language.ts'
import type { Attachment } from '../mail.ts'
import type { WeeklyDay, WeeklyNews, WeeklyPicture, WeeklyPost } from '../queries/weekly-mails.ts'
import { answerMark } from './mail-address.ts'
import { lineInMail, type MailContent, mailContent, nameInMail, page } from './mail-content.ts'
import { mediaTexts } from './media-texts.ts'

const MAX_TITLE = 120
const MAX_EXCERPT = 300

export interface WeeklyMail {
  collection: string
  /** A sentence as “Ana added 42 photos to a collection.”, with names that are safe in mails (nameInMail); null if no items are new. */
  what: string | null
  news: WeeklyNews
  /** By id of the asset. */
  pictures: ReadonlyMap<string, Attachment>
  dates: DateFormat
  /** The reader's day, `YYYY-MM-DD`. */
  today: string
  /** Opens everything. */
  link: string
  linkOf: (kind: 'post' | 'asset', id: string) => string
  /** The page on which the mail is ended. */
  end: string
  /** An answer to the mail adds a post, that of a guest only files. */
  takesAnswers: boolean
  mayComment: boolean
  /** The reader has no account: the links let whoever has them in. `approve`: what they add waits for an admin. */
  guest: { approve: boolean } | null
}

const weeklySubject = (collection: string) => (collection ? t`What is new in “${collection}”` : t`What is new in a collection on Cairn`)

/** Whether a weekly mail about some collection has this subject, in any language. Of white space, the subject has single spaces alone. */
export function isWeeklySubject(subject: string): boolean {
  const written = (collection: string) => weeklySubject(collection).replace(/\s/g, ' ')
  return LANGUAGES.some(({ tag }) =>
    inLanguage(tag, () => {
      const [begin = '', end = ''] = written('…').split('…')
      return (subject.startsWith(begin) && subject.endsWith(end)) || subject === written('')
    }),
  )
}

/** What is new in a collection, for one reader. */
export function weeklyMail(mail: WeeklyMail): MailContent {
  const { text, html } = bodyOf(mail)
  return {
    subject: weeklySubject(nameInMail(mail.collection)),
    text,
    html: page(html),
    link: mail.link,
  }
}

function bodyOf(mail: WeeklyMail): { text: string; html: string } {
  const { news, link, end } = mail
  const lines = [mail.what, commentsText(mail)].filter((line) => line !== null)
  const more = [
    mail.takesAnswers ? answersText(mail) : null,
    mail.guest ? t`The links are for you alone: whoever has them comes in as you.` : null,
  ].filter((line) => line !== null)
  const why = t`You get this mail each Monday because you asked for it.`
  const mark = mail.takesAnswers ? [answerMark()] : []
  const text = [
    ...mark,
    ...lines,
    ...textOfPictures(mail),
    ...news.newPosts.map((post) => textOfPost(post, mail)),
    ...textOfDays(mail),
    // Links are no values: marks of direction around them would become part of them.
    `${mail.mayComment ? t`To see it and to answer, open:` : t`To see it, open:`} ${link}`,
    ...more,
    `${why} ${t`To end it, open:`} ${end}`,
  ].join('\n\n')
  const html = [
    ...mark.map((line) => `<p style="font-size: .875rem">${escapeHtml(line)}</p>`),
    ...lines.map(paragraph),
    news.pictures.some(({ id }) => mail.pictures.has(id)) ? `<p>${news.pictures.map((picture) => img(picture, mail)).join('\n')}</p>` : '',
    ...news.newPosts.map((post) => htmlOfPost(post, mail)),
    htmlOfDays(mail),
    `<p><a href="${escapeHtml(link)}" style="display: inline-block; padding: .6rem 1.2rem; border-radius: .5rem; background: #c2410c; color: #fff; text-decoration: none">${escapeHtml(mail.mayComment ? t`Open and answer` : t({ message: 'Open', context: 'verb' }))}</a></p>`,
    ...more.map(paragraph),
    `<p style="font-size: .875rem">${escapeHtml(why)} <a href="${escapeHtml(end)}">${escapeHtml(t`End weekly mail`)}</a></p>`,
  ]
  return { text, html: html.filter(Boolean).join('\n') }
}

function answersText({ guest }: WeeklyMail): string {
  if (!guest) return t`Answer this mail to add a post with your photos.`
  const files = t`Answer this mail with photos or videos to add them.`
  return guest.approve ? `${files} ${t`An admin looks at them before others see them.`}` : files
}

function commentsText({ what, news: { comments: count }, collection }: WeeklyMail): string | null {
  if (count === 0) return null
  if (what) return t`${plural(count, { one: 'There is # new comment.', other: 'There are # new comments.' })}`
  const name = nameInMail(collection)
  return name
    ? t`${plural(count, { one: `There is # new comment in the collection “${name}”.`, other: `There are # new comments in the collection “${name}”.` })}`
    : t`${plural(count, { one: 'There is # new comment in a collection.', other: 'There are # new comments in a collection.' })}`
}

const paragraph = (line: string) => `<p>${escapeHtml(line)}</p>`

/** What a picture shows, and when it was taken. */
const labelOf = ({ alt, name, ...when }: WeeklyPicture, { dates }: WeeklyMail) =>
  joined([lineInMail(alt || name, MAX_TITLE), dates.when(when)])

/** A picture of the mail that leads to its photo. Empty without one. */
function img(picture: WeeklyPicture, mail: WeeklyMail): string {
  const attached = mail.pictures.get(picture.id)
  if (!attached) return ''
  const shown = `<img src="cid:${attached.cid}" alt="${escapeHtml(labelOf(picture, mail))}" width="128" style="width: 128px; height: auto; border-radius: 4px">`
  return `<a href="${escapeHtml(mail.linkOf('asset', picture.id))}">${shown}</a>`
}

function textOfPictures(mail: WeeklyMail): string[] {
  const { pictures } = mail.news
  return pictures.length === 0 ? [] : [`${t`Among them:`}\n${pictures.map((picture) => `- ${labelOf(picture, mail)}`).join('\n')}`]
}

const whenAndWho = (post: WeeklyPost, { dates }: WeeklyMail) =>
  [dates.when(post), nameInMail(personName(post.author))].filter(Boolean).join(' · ')

function textOfPost(post: WeeklyPost, mail: WeeklyMail): string {
  const lines = [
    lineInMail(post.title, MAX_TITLE),
    whenAndWho(post, mail),
    lineInMail(post.excerpt, MAX_EXCERPT),
    mail.linkOf('post', post.id),
  ]
  return lines.filter(Boolean).join('\n')
}

function htmlOfPost(post: WeeklyPost, mail: WeeklyMail): string {
  const excerpt = lineInMail(post.excerpt, MAX_EXCERPT)
  return `<h2 style="font-size: 1.1rem; margin: 1.25rem 0 0" dir="auto"><a href="${escapeHtml(mail.linkOf('post', post.id))}">${escapeHtml(lineInMail(post.title, MAX_TITLE))}</a></h2>
<p style="margin: 0; font-size: .875rem">${escapeHtml(whenAndWho(post, mail))}</p>${excerpt ? `\n<p style="margin: .25rem 0 1rem" dir="auto">${escapeHtml(excerpt)}</p>` : ''}`
}

/** “3 years ago, 12 July 2023: Midsummer” */
function dayLabel({ day, title, ...counts }: WeeklyDay, { dates, today }: WeeklyMail): string {
  const years = Number(today.slice(0, 4)) - Number(day.slice(0, 4))
  const date = dates.day(day)
  const ago = t`${plural(years, { one: '# year ago', other: '# years ago' })}`
  const what = title === null ? listText(mediaTexts(counts)) : lineInMail(title, MAX_TITLE)
  return t({ message: `${ago}, ${date}: ${what}`, comment: 'As in “3 years ago, 12 July 2023: Midsummer”' })
}

function textOfDays(mail: WeeklyMail): string[] {
  const { days } = mail.news
  return days.length === 0 ? [] : [`${t`On this day:`}\n${days.map((day) => `- ${dayLabel(day, mail)}`).join('\n')}`]
}

function htmlOfDays(mail: WeeklyMail): string {
  const { days } = mail.news
  if (days.length === 0) return ''
  const items = days.map((day) => {
    const picture = day.picture ? img(day.picture, mail) : ''
    return `<p dir="auto">${picture ? `${picture}<br>` : ''}${escapeHtml(dayLabel(day, mail))}</p>`
  })
  return `<h2 style="font-size: 1.1rem; margin: 1.5rem 0 0">${escapeHtml(t`On this day`)}</h2>\n${items.join('\n')}`
}

/** Asks whether the address that somebody gave on the page of a link is theirs. Without words of others in the subject. */
export function confirmWeeklyMail({ collection, email, link }: { collection: string; email: string; link: string }): MailContent {
  const plain = nameInMail(collection)
  return mailContent(t`Confirm your weekly mail from Cairn`, link, [
    plain
      ? t`Somebody gave ${email} as the address for a weekly mail about the collection “${{ collection: plain }}”.`
      : t`Somebody gave ${email} as the address for a weekly mail about a collection.`,
    { asks: t`If it was you, open this link within a day and press the button there:` },
    t`If it was not you, ignore this e-mail: nothing is sent without that.`,
  ])
}
