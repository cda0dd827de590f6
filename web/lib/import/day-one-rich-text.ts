import { z } from '../../../contract/zod.ts'
import { jsonOf } from '../json.ts'
import { listOf, maybe } from './loose.ts'

const Line = z.object({
  header: maybe(z.number()),
  listStyle: maybe(z.string()),
  indentLevel: maybe(z.number()),
  checked: maybe(z.boolean()),
  quote: maybe(z.boolean()),
  codeBlock: maybe(z.boolean()),
})
type Line = z.infer<typeof Line>

const Attributes = z.object({
  line: maybe(Line),
  bold: maybe(z.boolean()),
  italic: maybe(z.boolean()),
  linkURL: maybe(z.string()),
})

const Piece = z.object({
  text: maybe(z.string()),
  attributes: maybe(Attributes),
  embeddedObjects: listOf(z.object({ identifier: maybe(z.string()), type: maybe(z.string()) })),
})
type Piece = z.infer<typeof Piece>

const RichText = z.object({ contents: listOf(Piece) })

/**
 * The words of an entry's `richText` (JSON, as text or as an object) in the Markdown that Day One writes as `text`, with
 * `![](dayone-moment://…)` for media. Empty if there are none.
 */
export function markdownOfRichText(richText: unknown): string {
  const rich = RichText.safeParse(typeof richText === 'string' ? jsonOf(richText) : richText).data
  const lines: { words: string; line: Line | undefined }[] = [{ words: '', line: undefined }]
  for (const piece of rich?.contents ?? []) {
    for (const [i, part] of partsOf(piece).entries()) {
      if (i > 0) lines.push({ words: '', line: undefined })
      const last = lines.at(-1)
      if (!last || part === '') continue
      last.line ??= piece.attributes?.line
      last.words += last.line?.codeBlock ? part : marked(part, piece)
    }
  }
  return lines.map(({ words, line }, at) => markedLine(words, line, [lines[at - 1]?.line, lines[at + 1]?.line])).join('\n')
}

/** The lines of a piece; each of its media has one of its own. */
function partsOf({ text = '', embeddedObjects }: Piece): string[] {
  const media = embeddedObjects.flatMap(({ identifier }) => (identifier ? [`![](dayone-moment://${identifier})`] : []))
  return [...text.split(/\r?\n|\u2028/), ...media.flatMap((medium) => [medium, ''])]
}

function marked(text: string, { attributes, embeddedObjects }: Piece): string {
  if (embeddedObjects.length > 0 && text.startsWith('![](')) return text
  const words = text.trim()
  if (words === '') return text
  const [before, after] = [text.slice(0, text.indexOf(words)), text.slice(text.trimEnd().length)]
  const mark = `${attributes?.bold ? '**' : ''}${attributes?.italic ? '*' : ''}`
  const styled = `${mark}${escaped(words)}${[...mark].reverse().join('')}`
  const link = attributes?.linkURL
  return `${before}${link ? `[${styled}](<${link.replace(/[<>\s]/g, encodeURIComponent)}>)` : styled}${after}`
}

/** Characters that would mean something in Markdown; at the start of a line also those of lists and headings. */
const escaped = (text: string) => text.replace(/[\\`*_[\]<>#|~]/g, '\\$&').replace(/^(\d+)([.)])|^([-+])(?=\s|$)/, '$1\\$2$3')

function markedLine(words: string, line: Line | undefined, [before, after]: (Line | undefined)[]): string {
  if (!line) return words
  if (line.codeBlock) return `${before?.codeBlock ? '' : '```\n'}${words}${after?.codeBlock ? '' : '\n```'}`
  const indent = '    '.repeat(Math.min(Math.max((line.indentLevel ?? 1) - 1, 0), 8))
  if (line.listStyle === 'bulleted') return `${indent}- ${words}`
  if (line.listStyle === 'numbered') return `${indent}1. ${words}`
  if (line.listStyle === 'checkbox') return `${indent}- [${line.checked ? 'x' : ' '}] ${words}`
  if (line.quote) return `> ${words}`
  return line.header ? `${'#'.repeat(Math.min(line.header, 6))} ${words}` : words
}
