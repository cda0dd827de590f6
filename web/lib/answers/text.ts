/** A part of a comment's text. */
export interface TextPart {
  kind: 'text' | 'link' | 'mention'
  text: string
}

const LINK = /https?:\/\/[^\s<>"“”„«»]+/giu
/** Punctuation after an address that belongs to the sentence. */
const AFTER = /[.,;:!?'’…)\]}*_]+$/u

/** A comment's text in parts, joined to which it is the same text again. `names` are those of the people whom it mentions as `@name`. */
export function partsOf(text: string, names: readonly string[]): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(LINK)) {
    const address = trimmed(found)
    if (!URL.canParse(address)) continue
    parts.push(...mentionsIn(text.slice(end, index), names), { kind: 'link', text: address })
    end = index + address.length
  }
  parts.push(...mentionsIn(text.slice(end), names))
  return parts
}

/** Without the punctuation after it, but with a bracket that it opens itself, as in Wikipedia's addresses. */
function trimmed(address: string): string {
  const short = address.replace(AFTER, '')
  const bracket = address[short.length]
  return bracket === ')' && short.includes('(') && !short.includes(')') ? `${short})` : short
}

function mentionsIn(text: string, names: readonly string[]): TextPart[] {
  if (text === '') return []
  // The longest name first: “@Anna Maria” is not “@Anna”.
  const known = [...new Set(names)].filter(Boolean).sort((a, b) => b.length - a.length)
  if (known.length === 0) return [{ kind: 'text', text }]
  const mention = new RegExp(`(@(?:${known.map(escaped).join('|')}))(?![\\p{L}\\p{N}])`, 'gu')
  return text
    .split(mention)
    .map((part, index): TextPart => ({ kind: index % 2 === 1 ? 'mention' : 'text', text: part }))
    .filter(({ text }) => text !== '')
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
