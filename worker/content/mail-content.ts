import { shownLanguage } from '#language'
import { directionOf } from '../../contract/language/languages.ts'
import { escapeHtml } from '../../contract/text.ts'

export interface MailContent {
  subject: string
  text: string
  /** The same text with a link. Loads no resources, so the mail cannot be tracked. */
  html: string
  link: string
}

/** A mail of paragraphs, in the language of the moment. The link follows the paragraph that `asks` to open it. */
export function mailContent(subject: string, link: string, paragraphs: (string | { asks: string })[]): MailContent {
  const parts = paragraphs.map((one) => (typeof one === 'string' ? { text: one, asks: false } : { text: one.asks, asks: true }))
  return {
    subject,
    text: parts.map(({ text, asks }) => (asks ? `${text} ${link}` : text)).join('\n\n'),
    html: page(parts.map(({ text, asks }) => `<p>${escapeHtml(text)}${asks ? `<br>${anchor(link)}` : ''}</p>`).join('\n')),
    link,
  }
}

/** The HTML of a mail in the language of the moment. */
export function page(body: string): string {
  return `<!doctype html>
<html lang="${shownLanguage()}" dir="${directionOf(shownLanguage())}">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
<body style="font-family: system-ui, sans-serif; line-height: 1.5; max-width: 36rem; margin: 0 auto; padding: 1rem">
${body}
</body>
</html>`
}

const anchor = (link: string) => `<a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`

/** Characters of a name that a mail or notification shows. */
const MAX_NAME = 60
/** White space, and characters that reverse the text or are invisible. Those that join emoji stay. */
const BLANK = /[\p{Cc}\p{Co}\p{Cn}\p{Z}\s\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]+/gu
/** Words such as `https://…`, `www.…` and `someone@…`. */
const ADDRESS = /:\/\/|@|\bwww\./i
/** Mail programs decode `=?utf-8?…?=` in a subject. */
const ENCODED = /=\?/g
/** Mail programs make a link of `evil.example`, but not of `evil. example`. */
const DOTTED = /\.(?=[^\s.])/g

/** A text of others on one line, without characters that reverse it or are invisible. */
export const lineInMail = (text: string, max: number) => [...text.replace(BLANK, ' ').trim()].slice(0, max).join('').trim()

/**
 * A name that somebody chose, for a mail to a stranger: without addresses, without anything that mail programs turn into a link, and on one short line. Empty if
 * nothing remains.
 */
export function nameInMail(name: string): string {
  const plain = name.normalize('NFKC').replaceAll('。', '.').replace(BLANK, ' ')
  const kept = plain.split(' ').filter((word) => !ADDRESS.test(word))
  const words = kept.join(' ').replace(DOTTED, '. ').replaceAll('/', ' ').replace(ENCODED, '= ?').replace(/ +/g, ' ').trim()
  return [...words].slice(0, MAX_NAME).join('').trim()
}
