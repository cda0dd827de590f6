/** Name with parameters, and value, both escaped already. */
export type Line = [name: string, value: string]

/** A component with its properties (`Line`) and subcomponents (text). */
export function component(name: string, lines: readonly (Line | string)[]): string {
  const body = lines.map((line) => (typeof line === 'string' ? line : folded(`${line[0]}:${line[1]}`)))
  return `BEGIN:${name}\r\n${body.join('')}END:${name}\r\n`
}

const OCTETS = 75

/** Folds a line at 75 octets, never inside a character (RFC 5545 §3.1). */
function folded(line: string): string {
  if (line.length <= OCTETS / 4) return `${line}\r\n`
  let text = ''
  let [start, end, octets] = [0, 0, 0]
  for (const character of line) {
    const size = octetsOf(character)
    if (octets + size > OCTETS) {
      text += `${line.slice(start, end)}\r\n `
      start = end
      octets = 1
    }
    end += character.length
    octets += size
  }
  return `${text}${line.slice(start)}\r\n`
}

/** In UTF-8. An encoder called for every character takes ten times as long as all the rest of a calendar. */
function octetsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

/** Escapes text. Removes control characters, which are not allowed. */
export function textValue(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')
}

/** `20240503` for `2024-05-03`, plus `later` days. */
export function dayValue(day: string, later = 0): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + later * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')
}

/** `20240503T122000Z` */
export function momentValue(moment: string): string {
  return `${clock(Date.parse(moment))}Z`
}

/** `20240503T142000`, the local time at this offset from UTC in seconds. */
export function wallValue(moment: number, offset: number): string {
  return clock(moment + offset * 1000)
}

function clock(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19).replace(/[-:]/g, '')
}
