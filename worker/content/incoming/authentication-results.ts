/** What a server found out about a mail by one method, such as `dkim=pass header.d=example.org`. */
export interface MethodResult {
  method: string
  result: string
  /** By name, such as `header.d`, in small letters. */
  properties: Record<string, string>
}

export interface AuthenticationResults {
  /** The server that says it. */
  server: string
  results: MethodResult[]
}

/** Reads an Authentication-Results header (RFC 8601). Null for anything that does not have exactly this form. */
export function parseAuthenticationResults(value: string): AuthenticationResults | null {
  const parts = new Scanner(value).parts()
  const [first = [], ...others] = parts ?? []
  const [server, version, ...rest] = first
  if (!parts || server?.value !== undefined || !server || rest.length > 0) return null
  if (version && (version.name !== '1' || version.value !== undefined)) return null
  const results = others.filter((words) => words.length > 0 && !isNone(words)).map(resultOf)
  return results.includes(null) ? null : { server: server.name.toLowerCase(), results: results as MethodResult[] }
}

interface Word {
  name: string
  /** After `=`. */
  value?: string
}

const isNone = ([word, ...rest]: Word[]) => word?.name.toLowerCase() === 'none' && word.value === undefined && rest.length === 0

function resultOf([method, ...properties]: Word[]): MethodResult | null {
  if (!method || method.value === undefined) return null
  const read: Record<string, string> = {}
  for (const { name, value } of properties) {
    const property = name.toLowerCase()
    if (value === undefined || Object.hasOwn(read, property)) return null
    read[property] = value
  }
  // The name may have a version: dkim/1.
  return { method: (method.name.split('/')[0] ?? '').toLowerCase(), result: method.value.toLowerCase(), properties: read }
}

/** Splits a header at `;` into words and `name=value`, without comments and quotes. */
class Scanner {
  private at = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  parts(): Word[][] | null {
    const parts: Word[][] = [[]]
    for (;;) {
      if (!this.skipBlanks()) return null
      if (this.at >= this.text.length) return parts
      if (this.text[this.at] === ';') {
        this.at++
        parts.push([])
        continue
      }
      const word = this.word()
      if (!word) return null
      parts.at(-1)?.push(word)
    }
  }

  private word(): Word | null {
    const name = this.run(/[^\s;="()\\]/)
    if (!name || !this.skipBlanks()) return null
    if (this.text[this.at] !== '=') return { name }
    this.at++
    if (!this.skipBlanks()) return null
    const value = this.run(/[^\s;"()\\]/)
    return value ? { name, value } : null
  }

  /** Characters of this kind and quoted strings, without a gap. Null where a quote does not end. */
  private run(kind: RegExp): string | null {
    let read = ''
    while (this.at < this.text.length) {
      const char = this.text[this.at] ?? ''
      if (char === '"') {
        const quoted = this.quoted()
        if (quoted === null) return null
        read += quoted
      } else if (kind.test(char)) {
        read += char
        this.at++
      } else break
    }
    return read
  }

  private quoted(): string | null {
    let read = ''
    for (this.at++; this.at < this.text.length; this.at++) {
      const char = this.text[this.at]
      if (char === '"') {
        this.at++
        return read
      }
      if (char === '\\') this.at++
      read += this.text[this.at] ?? ''
    }
    return null
  }

  /** Skips white space and comments. False where a comment does not end. */
  private skipBlanks(): boolean {
    for (let depth = 0; ; this.at++) {
      const char = this.text[this.at]
      if (char === undefined) return depth === 0
      if (char === '(') depth++
      else if (depth > 0 && char === ')') depth--
      else if (depth > 0 && char === '\\') this.at++
      else if (depth === 0 && !/\s/.test(char)) return true
    }
  }
}
