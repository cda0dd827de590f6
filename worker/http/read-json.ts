import { t } from '#say'
import { LIMITS } from '../../contract/limits.ts'
import { AppError, fieldError } from './errors.ts'
import { readBytes } from './read-body.ts'

/** Deeper JSON is refused before it is parsed. */
const MAX_DEPTH = 32

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/**
 * Reads the body as JSON. Throws 415 for another media type, charset or coding, 413 if it is too large, and 400 if it is nested too deeply or
 * parsers could understand it differently: a byte order mark, invalid UTF-8, a duplicate name.
 */
export async function readJson(request: Request): Promise<unknown> {
  const [type = '', charset = 'utf-8'] = (request.headers.get('content-type') ?? '').toLowerCase().replace(/\s/g, '').split(';charset=')
  if (!/^\s*application\/json\s*(;|$)/.test(type) || !/^"?utf-?8"?\s*(;|$)/.test(charset)) {
    throw new AppError('unsupported_media', t`Send the body as application/json in UTF-8`)
  }
  const coding = request.headers.get('content-encoding')
  if (coding && coding.toLowerCase() !== 'identity') throw new AppError('unsupported_media', t`Send the body as it is, not compressed`)
  return parseJson(decode(await readBytes(request, LIMITS.jsonBody)))
}

/** Throws 400 as `readJson`. */
export function parseJson(text: string): unknown {
  const value = parse(text)
  refuseAmbiguity(text)
  return value
}

/** Null for what is no JSON. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function decode(bytes: Uint8Array): string {
  try {
    // `ignoreBOM` keeps the mark, so that JSON.parse refuses it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new AppError('invalid', t`The body is not valid UTF-8`)
  }
}

function parse(text: string): unknown {
  refuseDepth(text)
  try {
    return JSON.parse(text)
  } catch {
    throw new AppError('invalid', t`The body is not valid JSON`)
  }
}

function refuseDepth(text: string): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) at = endOfString(text, at)
    else if (opens(char) && ++depth > MAX_DEPTH) throw new AppError('invalid', t`The body is nested too deeply`)
    else if (closes(char)) depth--
  }
}

/** An object, with its names so far, or an array; `at` is the name or index in it. */
interface Level {
  names: Set<string> | null
  at: string | number
}

/** Refuses duplicate names in an object, and `__proto__`. The text must be valid JSON. */
function refuseAmbiguity(text: string): void {
  const open: Level[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) {
      const end = endOfString(text, at)
      const level = open.at(-1)
      if (level?.names && nextIsColon(text, end + 1)) {
        level.at = stringIn(text.slice(at, end + 1))
        addName(level.names, level.at, open)
      }
      at = end
    } else if (opens(char)) open.push({ names: char === 0x7b ? new Set() : null, at: 0 })
    else if (closes(char)) open.pop()
    else if (char === COMMA) enterNext(open.at(-1))
  }
}

function addName(names: Set<string>, name: string, open: readonly Level[]): void {
  const problem = name === '__proto__' ? t`This field is not known` : names.has(name) ? t`This field is here twice` : null
  if (problem) throw fieldError('invalid', open.map(({ at }) => at).join('.'), problem)
  names.add(name)
}

function enterNext(level: Level | undefined): void {
  if (typeof level?.at === 'number') level.at++
}

const opens = (char: number) => char === 0x7b || char === 0x5b
const closes = (char: number) => char === 0x7d || char === 0x5d

/** Decodes a JSON string, so that two spellings of one name are equal. */
const stringIn = (quoted: string): string => (quoted.includes('\\') ? JSON.parse(quoted) : quoted.slice(1, -1))

/** Index of the closing quote, or the length of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === BACKSLASH) at++
    else if (char === QUOTE) return at
  }
  return text.length
}

function nextIsColon(text: string, from: number): boolean {
  let at = from
  while (text.charCodeAt(at) <= 0x20) at++
  return text.charCodeAt(at) === 0x3a
}
