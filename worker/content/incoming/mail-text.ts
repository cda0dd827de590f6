import { LIMITS } from '../../../contract/limits.ts'
import { escapeHtml } from '../../../contract/text.ts'
import { answerMarks } from '../mail-address.ts'

// Mail programs mark what they quote in many ways. Only what is certain is cut: a quote too much in a post can be deleted, a lost sentence cannot be found.

const ANSWER = /^(re|aw|sv|antw|odp|vs|rif) ?(\[\d{1,3}\] ?)?:/i
const FORWARD = /^(fwd?|wg|tr|rv|doorst) ?:/i

/** Whether the subject is that of a mail passed on, which is all about what it quotes. */
export function isForward(subject: string): boolean {
  return FORWARD.test(stripped(subject, ANSWER))
}

/** The subject without `Re:` and `Fwd:`, on one line of characters that can be stored. */
export function titleOf(subject: string): string {
  return stripped(clean(subject), ANSWER, FORWARD)
}

function stripped(subject: string, ...prefixes: RegExp[]): string {
  let rest = subject.replace(/\s+/g, ' ').trim()
  for (;;) {
    const prefix = prefixes.find((each) => each.test(rest))
    if (!prefix) return rest
    rest = rest.replace(prefix, '').trim()
  }
}

/** The first `max` characters, with an ellipsis in place of the rest. */
export function cut(text: string, max: number): string {
  const characters = [...text]
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`
}

/** Without characters that no text of Cairn may have. */
export function clean(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]+/g, '')
}

/** Stands in the text of a mail for a picture within it. */
const PICTURE = /\[(cid|image|inline image|bild):[^\][\n]*\]/gi

/** A line such as “-----Original Message-----”, or one of underscores. */
function isSeparator(line: string): boolean {
  const text = line.trim()
  return (text.startsWith('--') && text.endsWith('--') && text.length > 5) || /^_{10,}$/.test(text)
}

/** A header field in the text of a mail, such as “From: Ada”. */
const FIELD = /^\s*\*?(from|von|de|da|van|fra|från|od)\s*:\*?\s+\S/i

/** The text that its writer wrote: without the signature, and, if it answers a mail, without what it quotes. */
export function writtenText(text: string, answers: boolean): string {
  const lines = clean(text).replace(PICTURE, '').split('\n')
  const own = answers ? withoutQuotes(lines) : lines
  const signature = own.findIndex((line) => /^-- ?$/.test(line))
  return (signature < 0 ? own : own.slice(0, signature)).join('\n').trim()
}

/** Without `>` lines and the sentence before them, which ends with a colon, and without what follows a line such as “-----Original Message-----”. */
function withoutQuotes(lines: string[]): string[] {
  const marks = answerMarks()
  const separator = lines.findIndex(
    (line, at) =>
      marks.some((mark) => line.includes(mark)) || (isSeparator(line) && lines.slice(at + 1, at + 4).some((next) => FIELD.test(next))),
  )
  const kept: string[] = []
  let inQuote = false
  for (const line of separator < 0 ? lines : lines.slice(0, separator)) {
    const quoted = line.startsWith('>')
    if (quoted && !inQuote) dropIntroduction(kept)
    inQuote = quoted || (inQuote && line.trim() === '')
    if (!quoted) kept.push(line)
  }
  return kept
}

/** Takes away a last sentence such as “On 28 November 2026 Ada wrote:”, on one line, two or three. Other sentences that end with a colon are the writer's. */
function dropIntroduction(lines: string[]): void {
  let end = lines.length
  while (end > 0 && lines[end - 1]?.trim() === '') end--
  if (!/:\s*$/.test(lines[end - 1] ?? '')) return
  for (let begin = end - 1; begin >= Math.max(0, end - 3); begin--) {
    const line = lines[begin] ?? ''
    if (line.trim() === '' || (begin < end - 1 && /[.!?:]\s*$/.test(line))) break
    if (DATE.test(line)) {
      lines.length = begin
      return
    }
  }
  if (lines[end - 1]?.includes('@')) lines.length = end - 1
}

const DATE = /\b(19|20)\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d\d\b/

/** The same for HTML: what comes before the first quote. */
export function writtenHtml(html: string, answers: boolean): string {
  const ends = answers ? [quoteIn(html), ...answerMarks().map((mark) => html.indexOf(mark))].filter((at) => at >= 0) : []
  return html.slice(0, Math.min(html.length, ...ends)).replace(/\s+/g, ' ')
}

/** The place of the first element in which Gmail, Apple Mail, Thunderbird, Outlook or Yahoo put what they quote, or -1. */
function quoteIn(html: string): number {
  for (const { 1: attributes = '', index } of html.matchAll(/<(?:blockquote|div)\b([^<>]*)/gi)) if (QUOTE.test(attributes)) return index
  return -1
}

const QUOTE =
  /\b(?:type=["']?cite|class=["']?(?:gmail_quote|moz-cite-prefix|yahoo_quoted)|id=["']?(?:appendonsend|divrplyfwdmsg|mail-editor-reference-message-container))/i

/** Plain text as paragraphs. */
export function paragraphsOf(text: string): string {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('')
}

/** Title and text of a post from the subject and the text. Without a subject, the first line is the title; one that is too long stands in the text as well. */
export function titleAndBody(subject: string, { text, html }: { text: string; html: string | null }): { title: string; body: string } {
  const body = html ?? paragraphsOf(text)
  const title = titleOf(subject)
  if (title) return { title: cut(title, LIMITS.postTitle), body: [...title].length > LIMITS.postTitle ? paragraphsOf(title) + body : body }
  const [line = '', ...rest] = text.split('\n')
  const fits = html === null && line !== '' && [...line].length <= LIMITS.postTitle
  return { title: cut(line, LIMITS.postTitle), body: fits ? paragraphsOf(rest.join('\n')) : body }
}
