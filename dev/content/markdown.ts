import { Marked, type Tokens } from 'marked'
import { say } from '#language'
import { escapeHtml } from '../../contract/text.ts'
import { SHORTCUTS } from '../../web/lib/shortcuts.ts'

interface Options {
  /** HTML of each image of the page, by the address in its Markdown. */
  pictures: ReadonlyMap<string, (alt: string, title: string | null) => string>
}

/** Renders Markdown with tables as HTML that needs no script. Headings have anchors. */
export function renderMarkdown(markdown: string, { pictures }: Options): string {
  const used = new Map<string, number>()
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const level = Math.max(2, depth)
        return `<h${level} id="${anchor(text, used)}">${this.parser.parseInline(tokens)}</h${level}>\n`
      },
      image: ({ href, title, text }: Tokens.Image) => pictures.get(href)?.(text, title) ?? '',
      // An image alone in its paragraph becomes a figure, which a paragraph must not contain.
      paragraph({ tokens }: Tokens.Paragraph) {
        const inner = this.parser.parseInline(tokens)
        return tokens.every(({ type }) => type === 'image') ? `${inner}\n` : `<p>${inner}</p>\n`
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
        return tableHtml(
          row(token.header, 'th scope="col"').replaceAll('</th scope="col">', '</th>'),
          token.rows.map((cells) => row(cells, 'td')),
        )
      },
      code: ({ text, lang }: Tokens.Code) =>
        `<pre tabindex="0"><code${lang ? ` data-language="${escapeHtml(lang)}"` : ''}>${escapeHtml(text)}\n</code></pre>\n`,
    },
  })
  const filled = markdown.replace(/^\{\{shortcuts\}\}$/m, shortcutsMarkdown)
  return marked.parse(filled, { async: false })
}

/** Addresses of the images in a page. */
export function picturesOf(markdown: string): string[] {
  const found = new Set<string>()
  const marked = new Marked({ gfm: true })
  marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'image') found.add((token as Tokens.Image).href)
  })
  return [...found]
}

/** Wide tables scroll on their own, also by keyboard. */
function tableHtml(head: string, rows: string[]): string {
  return `<div class="table" tabindex="0"><table><thead>${head}</thead><tbody>${rows.join('')}</tbody></table></div>\n`
}

function anchor(text: string, used: Map<string, number>): string {
  const slug =
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '') || 'part'
  const count = used.get(slug) ?? 0
  used.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count + 1}`
}

const KEY_NAMES: Record<string, string> = {
  arrows: 'Arrow keys',
  pageup: 'Page Up',
  pagedown: 'Page Down',
  escape: 'Esc',
  mod: 'Ctrl',
}

/** The keyboard shortcuts, from the app's own table. */
function shortcutsMarkdown(): string {
  return SHORTCUTS.map(({ title, shortcuts }) => {
    const rows = shortcuts.map(({ keys, label }) => `| ${keys.map(keyMarkdown).join(' then ')} | ${say(label)} |`)
    return [`## ${say(title)}`, '', '| Keys | What they do |', '|---|---|', ...rows].join('\n')
  }).join('\n\n')
}

function keyMarkdown(key: string): string {
  return key
    .split('+')
    .map((part) => `<kbd>${KEY_NAMES[part] ?? part.charAt(0).toUpperCase() + part.slice(1)}</kbd>`)
    .join(' + ')
}
