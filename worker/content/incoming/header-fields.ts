/** A header field of a mail, unfolded, with its name in small letters. */
export interface HeaderField {
  name: string
  value: string
}

/**
 * The header fields of a mail, from the top. Reads them apart from the parser of the body, and rather sees one too many than one too few: a lone carriage return
 * ends a line.
 */
export function readHeaderFields(raw: Uint8Array): HeaderField[] {
  const lines = new TextDecoder('latin1').decode(raw.subarray(0, endOfHeader(raw))).split(/\r\n|[\r\n]/)
  const unfolded: string[] = []
  for (const line of lines) {
    const last = unfolded.length - 1
    if (/^[ \t]/.test(line) && last >= 0) unfolded[last] += ` ${line.trim()}`
    else unfolded.push(line)
  }
  return unfolded.flatMap((line) => {
    const at = line.indexOf(':')
    const name = line.slice(0, Math.max(at, 0)).trim().toLowerCase()
    return /^[^\s]+$/.test(name) ? [{ name, value: line.slice(at + 1).trim() }] : []
  })
}

/** The values of all fields with this name, from the top. */
export function valuesOf(fields: readonly HeaderField[], name: string): string[] {
  return fields.filter((field) => field.name === name).map(({ value }) => value)
}

const [LF, CR] = [10, 13]

/** The place of the first empty line. */
function endOfHeader(raw: Uint8Array): number {
  for (let at = 0; at < raw.length; at = nextLine(raw, at)) if (raw[at] === LF || (raw[at] === CR && raw[at + 1] === LF)) return at
  return raw.length
}

function nextLine(raw: Uint8Array, from: number): number {
  const end = raw.indexOf(LF, from)
  return end < 0 ? raw.length : end + 1
}
