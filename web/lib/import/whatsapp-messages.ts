/** A message of a chat. `wall` is the clock of the phone, `YYYY-MM-DDThh:mm:ss`; it has no zone. */
export interface Message {
  wall: string
  sender: string
  text: string
}

/** Marks of the writing direction, which iOS writes before what nobody typed. */
const MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g
const MARK = '\u200e'

/**
 * The beginning of a message: `[03.05.24, 14:20:05] Ann: …` of iOS, or `5/3/24, 2:20 PM - Ann: …` of Android. Words between day and time
 * (`klo`, `um`) and before or after the time (`오후`, `p. m.`, `μ.μ.`, `م`) depend on the language.
 */
const BEGINNING =
  /^\[?(\d{1,4})\u200f?[./-]\s?(\d{1,2})\u200f?[./-]\s?(\d{1,4})\.?\u200f?,?\u200f?\s+((?:\p{L}{1,5}\.?\s?){0,2})(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:\s?(?:([apπμ])\.?\s?[mμ]\.?|([صم])))?\u200f?(?:\]\s?|\s[-–]\s|,\s)/iu

const MORNING = /오전|上午|午前|凌晨|清晨|早上|^[aπص]$/i
const AFTERNOON = /오후|下午|午後|中午|傍晚|晚上|^[pμم]$/i

/** With the digits and the comma of ASCII in place of Arabic and Persian ones, in the same length. */
const inAscii = (text: string) => text.replace(/[٠-٩۰-۹]/g, (digit) => String((digit.codePointAt(0) ?? 0) % 16)).replaceAll('،', ',')

interface Line {
  numbers: [a: number, b: number, c: number]
  hour: number
  minute: number
  second: number
  /** Written as in the United States. */
  american: boolean
  rest: string
}

/**
 * Messages of a chat as WhatsApp exports it, in their order. Without what the app itself wrote: who joined, what was omitted. Empty if the text
 * is no chat.
 */
export function readMessages(text: string): Message[] {
  const lines: Line[] = []
  for (const raw of text.split(/\r?\n/)) {
    const line = lineOf(raw)
    const last = lines.at(-1)
    if (line) lines.push(line)
    else if (last) last.rest += `\n${raw}`
  }
  const order = orderOf(lines)
  return lines.flatMap((line) => messageOf(line, order) ?? [])
}

/** Whether a text begins as a chat does. Other texts may have single lines that look like messages. */
export const beginsAsChat = (text: string) => lineOf(text.trimStart().split(/\r?\n/, 1)[0] ?? '') !== null

function lineOf(raw: string): Line | null {
  const text = raw.replace(/^[\u200e\u200f\u202a-\u202e\ufeff]+/, '').replaceAll('\u202f', ' ')
  const found = BEGINNING.exec(inAscii(text))
  // Only in Korea, where the year comes first, is there nothing but a comma behind the time.
  if (!found || (found[0].endsWith(', ') && found[1]?.length !== 4)) return null
  const [whole, a = '', b = '', c = '', before = '', hour = '', minute = '', second = '0', latin, arabic] = found
  const half = latin ?? arabic ?? before
  const twelve = Number(hour) % 12
  const afternoon = AFTERNOON.test(half)
  const halved = afternoon || MORNING.test(half)
  return {
    numbers: [Number(a), Number(b), Number(c)],
    hour: halved ? twelve + (afternoon ? 12 : 0) : Number(hour),
    ...{ minute: Number(minute), second: Number(second), rest: text.slice(whole.length) },
    american: /^[ap]$/i.test(half) && c.length === 2 && whole.includes('/'),
  }
}

type Order = 'ymd' | 'dmy' | 'mdy'

/**
 * The order of day, month and year, which follows the phone's region: what makes every date valid, then what leaves the messages in their order,
 * then what WhatsApp writes in the United States.
 */
function orderOf(lines: readonly Line[]): Order {
  if (lines.some(({ numbers: [a] }) => a > 31)) return 'ymd'
  if (lines.some(({ numbers: [a] }) => a > 12)) return 'dmy'
  if (lines.some(({ numbers: [, b] }) => b > 12)) return 'mdy'
  const backwards = (order: Order) => {
    const walls = lines.map((line) => wallOf(line, order) ?? '')
    return walls.filter((wall, i) => wall < (walls[i - 1] ?? '')).length
  }
  const [dmy, mdy] = [backwards('dmy'), backwards('mdy')]
  return mdy < dmy || (mdy === dmy && lines.some(({ american }) => american)) ? 'mdy' : 'dmy'
}

function wallOf({ numbers: [a, b, c], hour, minute, second }: Line, order: Order): string | null {
  const [year, month, day] = order === 'ymd' ? [a, b, c] : order === 'dmy' ? [c, b, a] : [c, a, b]
  // A year of another calendar, as in Iran.
  if (year >= 100 && year < 2000) return null
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 59) return null
  const two = (n: number) => String(n).padStart(2, '0')
  return `${year < 100 ? 2000 + year : String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}`
}

const MAX_WORDS = 8
const QUOTES = /["“”„«»「」『』]/g

/** Not a sentence of Android about the group: many words, or a colon in what it quotes, as in `Ann changed the name from "Trip: Rome" to "Rome"`. */
function isName(sender: string, written: string): boolean {
  const quotes = (text: string) => text.match(QUOTES)?.length ?? 0
  const withinQuote = quotes(sender) % 2 === 1 && quotes(written.split('\n')[0] ?? '') % 2 === 1
  return !withinQuote && sender.split(/\s+/).length <= MAX_WORDS
}

function messageOf(line: Line, order: Order): Message | null {
  const wall = wallOf(line, order)
  const [, sender = '', written = ''] = /^([^:\n]{1,100}?)\s?:\s([\s\S]*)$/.exec(line.rest) ?? []
  if (!wall || sender === '' || !isName(sender, written)) return null
  const text = written.replace(/\s?\u200e<[^<>\n]*>$/, (note) => (note.includes(':') ? note : ''))
  // What the app wrote in the name of somebody: one line without a file or an address.
  if (/^<[^<>:\n]*>$/.test(text) || (text.startsWith(MARK) && !/[\n<(]|https?:/.test(text.trimEnd()))) return null
  return { wall, sender: sender.replace(MARKS, '').replace(/^~\s?/, '').trim(), text: text.replace(MARKS, '').trim() }
}
