import { sanitizeHtml } from '../sanitize.ts'
import { listsOfWord, nestLists } from './pasted-lists.ts'

/** Elements for inline styles. */
const MARKS: [tag: string, style: RegExp][] = [
  ['strong', /font-weight:\s*(bold|bolder|[6-9]00)/i],
  ['em', /font-style:\s*italic/i],
  ['u', /text-decoration[a-z-]*:[^;]*underline/i],
]

/**
 * Pasted HTML reduced to the allow-list. Styles and lists of Google Docs, Word and Notion become elements first, then the sanitiser removes the
 * rest.
 * Nothing is loaded or run meanwhile.
 */
export function cleanPasted(html: string): string {
  const { body } = new DOMParser().parseFromString(inert(html), 'text/html')
  // Google Docs wraps everything in a <b> that is not bold.
  for (const wrap of body.querySelectorAll('b[id^="docs-internal-guid"]')) wrap.replaceWith(...wrap.childNodes)
  for (const styled of body.querySelectorAll('span[data-style]')) asElements(styled)
  keepLines(body)
  listsOfWord(body)
  nestLists(body)
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

/** Posts have no element for code: its lines and indents stay, as line breaks and spaces that do not collapse. */
function keepLines(body: HTMLElement): void {
  const doc = body.ownerDocument
  const texts = doc.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  while (texts.nextNode()) if (texts.currentNode instanceof Text && isPreformatted(texts.currentNode)) found.push(texts.currentNode)
  for (const text of found) {
    const lines = text.data.replace(/\r\n?/g, '\n').split('\n')
    const spaced = lines.map((line, i) => hardSpaces(line, i > 0 || beginsLine(text)))
    text.replaceWith(...spaced.flatMap((line, i) => (i > 0 ? [doc.createElement('br'), line] : [line])))
  }
  for (const pre of body.querySelectorAll('pre')) {
    const block = doc.createElement('p')
    block.append(...pre.childNodes)
    pre.replaceWith(block)
    block.normalize()
    while (block.lastChild && isBlank(block.lastChild)) block.lastChild.remove()
  }
}

/** Spaces at the start of a line, and more than one elsewhere, as spaces that do not collapse. */
function hardSpaces(line: string, fromStart: boolean): string {
  const tabs = line.replaceAll('\t', '    ')
  return tabs.replace(fromStart ? /^ +| {2,}/g : / {2,}/g, (spaces) => '\u00a0'.repeat(spaces.length))
}

function beginsLine(text: Node): boolean {
  for (let node: Node | null = text; node && !(node instanceof Element && node.matches(BLOCKS)); node = node.parentNode)
    if (node.previousSibling) return node.previousSibling.nodeName === 'BR'
  return true
}

const isBlank = (node: Node) => node.nodeName === 'BR' || (node instanceof Text && node.data.trim() === '')

/** In `pre`, or in a style that keeps white space, as of VS Code; but not between the blocks in it. */
function isPreformatted(text: Text): boolean {
  const parent = text.parentElement
  const keeper = parent?.closest('pre, [data-style*="white-space"]')
  if (!parent || !keeper) return false
  if (keeper.tagName !== 'PRE' && !/white-space(-collapse)?:\s*(pre|break-spaces)/i.test(keeper.getAttribute('data-style') ?? ''))
    return false
  return text.data.trim() !== '' || ![...parent.children].some((child) => child.matches(BLOCKS))
}
