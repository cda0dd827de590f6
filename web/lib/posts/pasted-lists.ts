/** An item of a list that is written flat: its level counts from 1; 0 for a further paragraph of the item before. */
interface FlatItem {
  block: Element
  level: number
  ordered: boolean
}

/** Word writes list items as paragraphs that begin with a bullet or number; Word on the web gives each its own list. */
export function listsOfWord(body: HTMLElement): void {
  for (const wrapper of body.querySelectorAll('.ListContainerWrapper')) wrapper.replaceWith(...wrapper.childNodes)
  let run: FlatItem[] = []
  for (const block of [...body.querySelectorAll('p, ol, ul')]) {
    const item = itemOfWord(block) ?? itemOfWeb(block)
    if (!item) continue
    if (run.length > 0 && run.at(-1)?.block !== block.previousElementSibling) {
      build(run)
      run = []
    }
    if (run.length > 0 || item.level > 0) run.push(item)
  }
  build(run)
}

function itemOfWord(block: Element): FlatItem | null {
  const style = block.getAttribute('data-style') ?? ''
  const listed = /mso-list:\s*l\d+/i.test(style)
  if (block.tagName !== 'P' || !(listed || block.matches('[class*="MsoListParagraph"]'))) return null
  const marker = block.querySelector('[data-style*="mso-list"]')
  // A paragraph of a list without a number of its own.
  if (listed && !marker && /mso-list:[^;]*none/i.test(style)) return null
  if (!listed && !marker) return { block, level: 0, ordered: false }
  const label = marker?.textContent.trim() ?? ''
  marker?.remove()
  return { block, level: Number(/level(\d+)/i.exec(style)?.[1] ?? 1), ordered: /^\d|^\(?[\p{L}\p{N}.]+[.):、．]/u.test(label) }
}

function itemOfWeb(list: Element): FlatItem | null {
  const [item, more] = list.children
  const level = item?.getAttribute('data-aria-level')
  if (list.tagName === 'P' || !item || more || !level) return null
  return { block: list, level: Number(level) || 1, ordered: list.tagName === 'OL' }
}

/** Replaces the blocks, which follow one another, by nested lists. */
function build(run: readonly FlatItem[]): void {
  const open: { list: Element; level: number }[] = []
  for (const { block, level, ordered } of run) {
    if (level === 0) {
      open.at(-1)?.list.lastElementChild?.append(block)
      continue
    }
    const tag = ordered ? 'OL' : 'UL'
    while (open.some((deeper) => deeper.level > level) || (open.at(-1)?.level === level && open.at(-1)?.list.tagName !== tag)) open.pop()
    if (open.at(-1)?.level !== level) {
      const list = block.ownerDocument.createElement(tag)
      const parent = open.at(-1)?.list.lastElementChild
      if (parent) parent.append(list)
      else block.before(list)
      open.push({ list, level })
    }
    const entry = block.ownerDocument.createElement('li')
    const own = block.tagName === 'P' ? block : (block.firstElementChild ?? block)
    entry.append(...own.childNodes)
    open.at(-1)?.list.append(entry)
    block.remove()
  }
}

/** Google Docs writes an inner list beside its item, and Notion a list for each item. */
export function nestLists(body: HTMLElement): void {
  for (const list of body.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')) {
    const item = list.previousElementSibling
    if (item?.tagName === 'LI') item.append(list)
    else {
      const own = list.ownerDocument.createElement('li')
      list.replaceWith(own)
      own.append(list)
    }
  }
  for (const list of body.querySelectorAll('ul, ol')) {
    const before = neighbour(list)
    if (before?.tagName !== list.tagName) continue
    const goesOn = list.tagName === 'UL' || Number(list.getAttribute('start')) === before.children.length + 1
    if (!goesOn) continue
    before.append(...list.children)
    list.remove()
  }
}

/** The element before, if there is nothing but white space between. */
function neighbour(element: Element): Element | null {
  for (let node = element.previousSibling; node; node = node.previousSibling) {
    if (node instanceof Element) return node
    if (node instanceof Text && node.data.trim() !== '') return null
  }
  return null
}
