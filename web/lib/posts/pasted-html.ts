import { sanitizeHtml } from '../sanitize.ts'

/** Elements for inline styles. */
const MARKS: [tag: string, style: RegExp][] = [
  ['strong', /font-weight:\s*(bold|bolder|[6-9]00)/i],
  ['em', /font-style:\s*italic/i],
  ['u', /text-decoration[a-z-]*:[^;]*underline/i],
]

/**
 * Pasted HTML reduced to the allow-list. Styles of Google Docs and Word become elements first, then the sanitiser removes the rest.
 * Nothing is loaded or run meanwhile.
 */
export function cleanPasted(html: string): string {
  const { body } = new DOMParser().parseFromString(inert(html), 'text/html')
  // Google Docs wraps everything in a <b> that is not bold.
  for (const wrap of body.querySelectorAll('b[id^="docs-internal-guid"]')) wrap.replaceWith(...wrap.childNodes)
  for (const styled of body.querySelectorAll('span[data-style]')) asElements(styled)
  listsOfWord(body)
  rowsOfTables(body)
  // Pasted class names have no meaning here.
  for (const named of body.querySelectorAll('[class]')) named.removeAttribute('class')
  return sanitizeHtml(body.innerHTML)
}

/**
 * Turns styles and event handlers into data attributes: the content security policy would report each, and drop a style before it could be
 * read.
 */
function inert(html: string): string {
  const bare = html.replace(/<style[\s\S]*?<\/style\s*>/gi, '')
  return bare.replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/[\s/](style|on[a-z]+)\s*=/gi, ' data-$1='))
}

function asElements(span: Element): void {
  if (span.closest('a, h1, h2, h3, h4, h5, h6')) return
  const style = span.getAttribute('data-style') ?? ''
  for (const [tag, says] of MARKS) {
    if (!says.test(style)) continue
    const mark = span.ownerDocument.createElement(tag)
    mark.append(...span.childNodes)
    span.append(mark)
  }
}

const BLOCKS = 'p, div, ul, ol, h1, h2, h3, h4, h5, h6, blockquote, pre'

/**
 * Posts have no tables: each row becomes a paragraph with its cells side by side. A cell with more than one line keeps its own paragraphs.
 */
function rowsOfTables(body: HTMLElement): void {
  const doc = body.ownerDocument
  const lineOf = (nodes: readonly Node[]) => {
    const line = doc.createElement('p')
    line.append(...nodes)
    return line
  }
  // The inner ones first.
  for (const table of [...body.querySelectorAll('table')].reverse()) {
    const lines = [...table.rows].flatMap((row): Node[] => {
      const cells = [...row.cells].filter((cell) => cell.textContent.trim() !== '')
      for (const cell of cells) {
        const [block, more] = cell.querySelectorAll(BLOCKS)
        if (block?.matches('p, div') && !more) block.replaceWith(...block.childNodes)
      }
      if (cells.some((cell) => cell.querySelector(BLOCKS)))
        return cells.flatMap((cell) => (cell.querySelector(BLOCKS) ? [...cell.childNodes] : lineOf([...cell.childNodes])))
      return cells.length === 0
        ? []
        : [lineOf(cells.flatMap((cell, i) => [...(i > 0 ? [doc.createTextNode(' · ')] : []), ...cell.childNodes]))]
    })
    const caption = table.caption?.textContent.trim() ? [lineOf([...table.caption.childNodes])] : []
    table.replaceWith(...caption, ...lines)
  }
}

/** Word writes list items as paragraphs that begin with a bullet or number. */
function listsOfWord(body: HTMLElement): void {
  let list: Element | null = null
  let last: Element | null = null
  for (const item of body.querySelectorAll('p[class*="MsoListParagraph"]')) {
    const marker = item.querySelector('[data-style*="mso-list"]')
    const ordered = /\d/.test(marker?.textContent ?? '')
    marker?.remove()
    const doc = item.ownerDocument
    if (!list || last !== item.previousElementSibling || last === null) {
      list = doc.createElement(ordered ? 'ol' : 'ul')
      item.before(list)
    }
    const entry = doc.createElement('li')
    entry.append(...item.childNodes)
    list.append(entry)
    item.remove()
    last = list
  }
}
