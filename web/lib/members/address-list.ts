import { fold } from '../fold.ts'

export interface AddressLine {
  /** Null for a line with an address only. */
  name: string | null
  email: string
}

/** Reads lines such as `Ana Silva <ana@example.org>` or `ana@example.org`, as mail programs copy them. */
export function parseAddressList(text: string): AddressLine[] {
  return text.split(/[\n;]/).flatMap((part) => {
    const line = part.trim().replace(/,$/, '')
    const named = /^(?<name>.*?)\s*<(?<email>[^<>]+)>$/.exec(line)?.groups
    if (named) return { name: named.name?.replace(/^["']|["']$/g, '').trim() || null, email: named.email?.trim() ?? '' }
    return line ? { name: null, email: line } : []
  })
}

interface Named {
  id: string
  name: string
}

/**
 * Gives the addresses to people: by name, and those without a name to the `unaddressed` people, in order. `rest` are the lines that fit
 * nobody.
 */
export function assignAddresses(
  lines: readonly AddressLine[],
  people: readonly Named[],
  unaddressed: readonly Named[],
): { emails: Map<string, string>; rest: AddressLine[] } {
  const emails = new Map<string, string>()
  const rest: AddressLine[] = []
  for (const line of lines.toSorted((a, b) => Number(a.name === null) - Number(b.name === null))) {
    const free = (person: Named) => !emails.has(person.id)
    const { name } = line
    const person = name === null ? unaddressed.find(free) : people.find((each) => free(each) && fold(each.name) === fold(name))
    if (person) emails.set(person.id, line.email)
    else rest.push(line)
  }
  return { emails, rest }
}
