import { LIMITS } from '../../../contract/limits.ts'
import { escapeHtml } from '../../../contract/text.ts'
import { answerMarks } from '../mail-address.ts'

// Mail programs mark what they quote in many ways. Only what is certain is cut: a quote too much in a post can be deleted, a lost sentence cannot be found.

const ANSWER = /^(re|aw|sv|antw|odp|rif|res|ynt|r|回复|答复|回覆|返信|رد) ?(\[\d{1,3}\] ?)?[:：]/i
const FORWARD = /^(fwd?|wg|tr|rv|doorst|vs|enc|pd|i|[iıİ]lt|转发|轉寄|転送|إعادة توجيه) ?[:：]/i
/** A word before a colon, which may be the word for Fwd: of any language. */
const PREFIX = /^\p{L}[\p{L}\p{M} ]{0,19}[:：]/u

/** A mail that is passed on is all about what it quotes. */
export type MailKind = 'new' | 'answer' | 'forward'

/** `references`: the mail names another one, as answers do, and mails that Outlook passes on. */
export function kindOf(subject: string, references: boolean): MailKind {
  const rest = stripped(subject, ANSWER)
  const answers = references && (rest !== stripped(subject) || !PREFIX.test(rest))
  if (FORWARD.test(rest) || (references && !answers)) return 'forward'
  return answers ? 'answer' : 'new'
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
const FROM = /^\s*\*?(from|von|de|da|van|fra|från|od|kimden|від|差出人|发件人|من)\s*[:：]\*?\s*\S/i
const FIELD = /^\s*\*?\p{L}[\p{L}\p{M}\s]{0,29}[:：]/u

/** The text that its writer wrote: without the signature, and, if it answers a mail, without what it quotes. Of a mail that is passed on, all. */
export function writtenText(text: string, kind: MailKind): string {
  const lines = clean(text).replace(PICTURE, '').split('\n')
  const own = kind === 'answer' ? withoutQuotes(lines) : lines
  return unwrapped(kind === 'forward' ? own : withoutSignature(own)).trim()
}

/** Whether another mail begins at the line, with a separator and its header fields. */
const beginsMail = (line: string, at: number, lines: string[]) =>
  isSeparator(line) && lines.slice(at + 1, at + 4).some((next) => FROM.test(next))

function withoutSignature(lines: string[]): string[] {
  const at = lines.findIndex((line) => /^-- ?$/.test(line))
  // A mail that is passed on may follow the signature.
  const ends = at >= 0 && !lines.slice(at + 1).some((line, nth, below) => line.startsWith('>') || beginsMail(line, nth, below))
  return ends ? lines.slice(0, at) : lines
}

/** Programs break lines that would be longer than this, or than a bit more. */
const BREAKS_AT = 72
/** A text with longer ones has not been broken. */
const MAX_BROKEN = 80
const SENTENCE_END = /[.!?:…؟]\p{P}{0,3}$/u

/** Joins lines that a mail program has broken because the next word did not fit: after a sentence, only where it has broken another in the middle. */
function unwrapped(given: string[]): string {
  const lines = given.map((line) => line.trimEnd())
  if (lines.some((line) => line.length > MAX_BROKEN && line.includes(' '))) return lines.join('\n')
  const isFull = (line: string, next = '') =>
    line.includes(' ') &&
    !line.startsWith('>') &&
    !/^(?:$|[\s>•*–-]|\d+[.)]|https?:)/.test(next) &&
    line.length + 1 + next.split(' ', 1).join().length > BREAKS_AT
  const breaksSentences = lines.some((line, at) => isFull(line, lines[at + 1]) && !SENTENCE_END.test(line))
  return breaksSentences ? lines.map((line, at) => line + (isFull(line, lines[at + 1]) ? ' ' : '\n')).join('') : lines.join('\n')
}

/** Without `>` lines and the sentence before them, which ends with a colon, and without what follows a line such as “-----Original Message-----”. */
function withoutQuotes(lines: string[]): string[] {
  const marks = answerMarks()
  // One within `>` lines ends no answer that stands below them.
  const isMark = (line = '') => !line.startsWith('>') && marks.some((mark) => line.includes(mark))
  const end = lines.findIndex((line, at) => isMark(line) || beginsMail(line, at, lines))
  const kept: string[] = []
  let inQuote = false
  for (const line of end < 0 ? lines : lines.slice(0, end)) {
    const quoted = line.startsWith('>')
    if (quoted && !inQuote) dropIntroduction(kept)
    inQuote = quoted || (inQuote && line.trim() === '')
    if (!quoted) kept.push(line)
  }
  if (isMark(lines[end])) {
    dropFields(kept)
    dropIntroduction(kept)
  }
  return kept
}

/** Takes away the header fields at the end, “From: Ada” first, that Outlook puts above what it quotes. */
function dropFields(lines: string[]): void {
  const end = lines.findLastIndex((line) => line.trim() !== '') + 1
  const begin = lines.slice(0, end).findLastIndex((line) => !FIELD.test(line)) + 1
  const from = lines.findIndex((line, at) => at >= begin && FROM.test(line))
  if (from >= 0) lines.length = from
}

/** Takes away a last sentence such as “On 28 November 2026 Ada wrote:”, on one line, two or three. Other sentences that end with a colon are the writer's. */
function dropIntroduction(lines: string[]): void {
  let end = lines.length
  while (end > 0 && lines[end - 1]?.trim() === '') end--
  if (!/[:：]\s*$/.test(lines[end - 1] ?? '')) return
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

/** The same for HTML, which keeps signatures. */
export function writtenHtml(html: string, kind: MailKind): string {
  const own = kind === 'answer' ? withoutQuoteElements(html) : html
  const ends = kind === 'answer' ? answerMarks().map((mark) => own.indexOf(mark)) : []
  return own.slice(0, Math.min(own.length, ...ends.filter((at) => at >= 0))).replace(/\s+/g, ' ')
}

/** Without the elements in which Gmail, Apple Mail, Thunderbird, Outlook, Yahoo or GMX put what they quote. */
function withoutQuoteElements(html: string): string {
  const kept: string[] = []
  let from = 0
  let quote: { name: string; depth: number } | null = null
  for (const { 0: tag, 1: end, 2: name = '', 3: attributes = '', index } of html.matchAll(/<(\/?)(blockquote|div)\b([^<>]*)>?/gi)) {
    if (!quote && !end && ALL_BELOW.test(attributes)) return kept.join('') + html.slice(from, index)
    if (!quote && !end && QUOTE.test(attributes)) {
      kept.push(html.slice(from, index))
      quote = { name: name.toLowerCase(), depth: 1 }
    } else if (quote?.name === name.toLowerCase()) {
      quote.depth += end ? -1 : 1
      from = index + tag.length
      if (quote.depth === 0) quote = null
    }
  }
  return kept.join('') + (quote ? '' : html.slice(from))
}

const QUOTE =
  /\b(?:type=["']?cite|name=["']?quote\b|class=["']?(?:gmail_quote|moz-cite-prefix|yahoo_quoted)|id=["']?mail-editor-reference-message-container)/i
/** Outlook puts them above what it quotes, not around it. */
const ALL_BELOW = /\bid=["']?(?:appendonsend|divrplyfwdmsg)/i

/** Plain text as paragraphs. */
export function paragraphsOf(text: string): string {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('')
}

/**
 * Title and text of a post from the subject and the text. Without a subject, the first line is the title; one that is too long stands in the text as well, and
 * so does one of HTML, unless it is all there is.
 */
export function titleAndBody(subject: string, { text, html }: { text: string; html: string | null }): { title: string; body: string } {
  const body = html ?? paragraphsOf(text)
  const title = titleOf(subject)
  if (title) return { title: cut(title, LIMITS.postTitle), body: [...title].length > LIMITS.postTitle ? paragraphsOf(title) + body : body }
  const [line = '', ...rest] = text.split('\n')
  const repeats = [...line].length > LIMITS.postTitle || (html !== null && (rest.length > 0 || html.includes('<a ')))
  return { title: cut(line, LIMITS.postTitle), body: repeats ? body : paragraphsOf(rest.join('\n')) }
}
