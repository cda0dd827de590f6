import { partsOf } from './text.ts'

interface Named {
  id: string
  name: string
}

/** Ids of the people whom a text names as `@name`. Of several with the same name, those that were chosen. */
export function mentionedIn(text: string, people: readonly Named[], chosen: ReadonlySet<string>): string[] {
  const parts = partsOf(
    text,
    people.map(({ name }) => name),
  )
  const names = new Set(parts.flatMap((part) => (part.kind === 'mention' ? part.text.slice(1) : [])))
  return [...names].flatMap((name) => {
    const known = people.filter((person) => person.name === name)
    const meant = known.filter(({ id }) => chosen.has(id))
    return (meant.length > 0 ? meant : known).map(({ id }) => id)
  })
}
