import { build } from 'esbuild'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { ALLOWED_TAGS, TEXT_CLASSES } from '../../contract/rich-text.ts'
import { sanitizeHtml } from '../../worker/content/sanitize.ts'
import { test as base } from '../support/fixtures.ts'
import { PAYLOADS } from '../support/html-payloads.ts'

// Three programs read the text of a post: the worker's sanitiser, the browser's sanitiser and the editor.

/** The browser's two, and how the browser reads HTML. */
const IN_PAGE = `
  import { Editor } from '@tiptap/core'
  import { displayHtml, sanitizeHtml } from './web/lib/sanitize.ts'
  import { textExtensions } from './web/components/posts/text-extensions.ts'

  const edited = (html) => {
    const editor = new Editor({ element: document.createElement('div'), injectCSS: false, extensions: textExtensions('', () => {}), content: html })
    const written = editor.getHTML()
    editor.destroy()
    return written
  }

  const MARKS = { STRONG: 'strong', B: 'strong', EM: 'em', I: 'em', U: 'u' }
  const BLOCKS = /^(P|DIV|H[1-6]|UL|OL|LI|BLOCKQUOTE)$/

  /** Runs of text with their marks and blocks. Paragraphs inside items and quotes make no difference, nor do divisions or the order of marks. */
  const runs = (html) => {
    const all = []
    let last = null
    const walk = (node, marks, blocks, block) => {
      if (node.nodeType === Node.TEXT_NODE && node.data !== '') {
        const run = { marks: [...marks].sort().join(), blocks: blocks.join(' '), text: node.data }
        const before = all.at(-1)
        if (before && before.marks === run.marks && last === block) before.text += run.text
        else all.push(last === block ? run : { ...run, begins: true })
        last = block
      }
      if (node.nodeName === 'BR') all.push({ text: '<br>' })
      for (const child of node.childNodes) {
        const { nodeName: name } = child
        const named = child.className ? '.' + child.className : ''
        const mark = name === 'SPAN' ? named : name === 'A' ? ['a', child.getAttribute('href'), child.target, child.rel].join(' ') : MARKS[name]
        const isBlock = BLOCKS.test(name)
        const shown = isBlock && !/^(P|DIV)$/.test(name) ? [...blocks, name + named] : blocks
        walk(child, mark ? new Set([...marks, mark]) : marks, shown, isBlock ? child : block)
      }
    }
    walk(new DOMParser().parseFromString(html, 'text/html').body, new Set(), [], null)
    return all
  }

  Object.assign(globalThis, { richText: { displayHtml, edited, runs, sanitizeHtml } })
`

interface RichText {
  displayHtml(html: string): string
  edited(html: string): string
  sanitizeHtml(html: string): string
  runs(html: string): unknown
}
declare const richText: RichText

const test = base.extend('page', { scope: 'file' }, async ({ browser }, { onCleanup }): Promise<Page> => {
  const { outputFiles } = await build({ stdin: { contents: IN_PAGE, resolveDir: '.' }, bundle: true, write: false, format: 'iife' })
  const page = await browser.newPage()
  onCleanup(() => page.close())
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
  return page
})

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const within = (tag: string, inside: string, attributes = '') => `<${tag}${attributes}>${inside}</${tag}>`

const word = fc.constantFrom('one', 'two', 'a < b', 'Größe & "more"', '日本', '<script>').map(escaped)
const classes = fc.constantFrom('', ' class="lead"', ' class="small center"', ' class="fixed inset-0"', ' class="z-50 lead"')
const link = fc
  .tuple(
    fc.constantFrom(
      'https://example.org/a?b=1&c=2',
      '/collections?c=1',
      '#part',
      '?q=1',
      'a/b',
      '../up',
      'mailto:a@b.org',
      'tel:+49301234',
    ),
    fc.constantFrom('', ' target="_blank"', ' target="_self"', ' target="album"'),
    fc.constantFrom('', ' rel="me"', ' rel="nofollow"'),
  )
  .map(([href, target, rel]) => ` href="${escaped(href)}"${target}${rel}`)

const { inline, block } = fc.letrec<{ inline: string; linked: string; block: string; list: string }>((tie) => {
  const inlines = (name: 'inline' | 'linked') => fc.array(tie(name), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
  const marked = (name: 'inline' | 'linked') => [
    word,
    fc.tuple(fc.constantFrom('strong', 'b', 'em', 'i', 'u'), inlines(name)).map(([tag, inside]) => within(tag, inside)),
    fc.tuple(inlines(name), classes).map(([inside, named]) => within('span', inside, named)),
  ]
  const blocks = fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
  const paragraph = fc
    .tuple(fc.constantFrom('p', 'h1', 'h2', 'h6'), fc.array(inlines('inline'), { minLength: 1, maxLength: 2 }))
    .map(([tag, lines]) => within(tag, lines.join('<br>')))
  return {
    linked: fc.oneof({ maxDepth: 3, depthIdentifier: 'inline' }, ...marked('linked')),
    inline: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'inline' },
      ...marked('inline'),
      fc.tuple(inlines('linked'), link).map(([inside, to]) => within('a', inside, to)),
    ),
    list: fc
      .tuple(
        fc.constantFrom('ul', 'ol'),
        classes,
        fc.array(
          fc
            .tuple(inlines('inline'), fc.option(tie('list'), { nil: '', maxDepth: 2 }))
            .map(([text, more]) => within('li', `<p>${text}</p>${more}`)),
          { minLength: 1, maxLength: 3 },
        ),
      )
      .map(([tag, named, items]) => within(tag, items.join(''), named)),
    block: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'block' },
      paragraph,
      tie('list'),
      blocks.map((inside) => within('blockquote', inside)),
      blocks.map((inside) => within('div', inside)),
      inlines('inline').map((inside) => within('div', inside)),
    ),
  }
})

test('Both sanitisers and the editor read well-nested text alike', async ({ page }) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          block,
          inline.map((inside) => within('p', inside)),
        ),
        { minLength: 1, maxLength: 4 },
      ),
      async (parts) => {
        const html = parts.join('')
        const stored = sanitizeHtml(html)
        const read = await page.evaluate(
          ([given, kept]) => ({
            stored: richText.runs(kept),
            bySecond: richText.runs(richText.sanitizeHtml(given)),
            byEditor: richText.runs(richText.edited(kept)),
          }),
          [html, stored] as const,
        )
        expect(read.bySecond).toEqual(read.stored)
        expect(read.byEditor).toEqual(read.stored)
        const saved = sanitizeHtml(await page.evaluate((kept) => richText.edited(kept), stored))
        expect(await page.evaluate((kept) => richText.runs(kept), saved)).toEqual(read.stored)
      },
    ),
    { numRuns: 100 },
  )
})

test('The text of removed elements is kept or lost alike in both sanitisers', async ({ page }) => {
  for (const tag of 'section table thead td form button label select option video object script style svg math template head font'.split(
    ' ',
  )) {
    const html = `<p>before</p><${tag}>inside</${tag}><p>after</p>`
    const inBrowser = await page.evaluate(
      (given) => new DOMParser().parseFromString(richText.sanitizeHtml(given), 'text/html').body.textContent,
      html,
    )
    expect([tag, inBrowser]).toEqual([tag, sanitizeHtml(html).replace(/<[^>]*>/g, '')])
  }
})

test('Text with classes of the app loses them on write, on the page and in the editor', async ({ page }) => {
  const html =
    '<p class="fixed inset-0 z-50 lead">Sign in <span class="bg-raised">again</span> <a class="btn small" href="/login">here</a></p>'
  const clean = '<p class="lead">Sign in <span>again</span> <a href="/login" class="small">here</a></p>'
  expect(sanitizeHtml(html)).toBe(clean)
  // As stored before the rule, and shown or opened today.
  const [shown, edited] = await page.evaluate((given) => [richText.displayHtml(given), richText.edited(given)], html)
  const classNames = (text = '') => [...text.matchAll(/class="([^"]*)"/g)].map(([, names]) => names)
  expect(classNames(shown)).toEqual(['lead', 'small'])
  expect(classNames(edited)).toEqual(['lead', 'small'])
})

describe('links on a page', () => {
  test.for([
    ['https://example.org/', ' target="_blank" rel="noopener noreferrer nofollow"'],
    ['/about', ''],
    ['#part', ''],
    ['mailto:a@b.org', ''],
    ['tel:+49301234', ''],
  ] as const)('A link to %s is shown with the attributes %j', async ([href, attributes], { page }) => {
    expect(await page.evaluate((to) => richText.displayHtml(`<a href="${to}">x</a>`), href)).toBe(`<a href="${href}"${attributes}>x</a>`)
  })

  test('A link to another site keeps rel="me" and its own target', async ({ page }) => {
    const shown = await page.evaluate(() => richText.displayHtml('<a href="https://example.org/" target="_top" rel="me">x</a>'))
    expect(shown).toBe('<a href="https://example.org/" target="_top" rel="me noopener noreferrer nofollow">x</a>')
  })
})

test('Hostile markup stays inert in both sanitisers and in the editor', async ({ page }) => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...PAYLOADS,
      ...'<p> <div> <li> <ul> <a href=/x> </p> </div> </ul> </a> <b> </b> <svg> </svg> <!-- --> " \' > < &'.split(' '),
    ),
    fc.string(),
  )
  await page.evaluate(() => Object.assign(globalThis, { alert: () => Object.assign(globalThis, { ran: true }) }))
  const unsafe = (htmls: string[], allowed: string[]) =>
    page.evaluate(
      ([all, tags, classes]) =>
        all.flatMap((html) => {
          const { body } = new DOMParser().parseFromString(html, 'text/html')
          return [...body.querySelectorAll('*')].flatMap((element) => {
            const wrong = [...element.attributes].filter(({ name }) => !['href', 'target', 'rel', 'class'].includes(name))
            const opens = element instanceof HTMLAnchorElement && element.hasAttribute('href')
            // The page is about:blank, so a relative link cannot be resolved and its protocol is empty.
            const safe = !opens || /^(?:https?|mailto|tel)?:$/.test(element.protocol)
            const held = !opens || ['', '_self', '_top', '_parent'].includes(element.target) || element.relList.contains('noopener')
            const plain = [...element.classList].every((name) => classes.includes(name))
            return wrong.length === 0 && safe && held && plain && tags.includes(element.localName) ? [] : [html]
          })
        }),
      [htmls, allowed, TEXT_CLASSES] as const,
    )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const html = pieces.join('')
      const stored = sanitizeHtml(html)
      const inBrowser = await page.evaluate(
        ([given, kept]) => [
          richText.sanitizeHtml(given),
          richText.displayHtml(given),
          richText.edited(richText.sanitizeHtml(given)),
          richText.edited(kept),
        ],
        [html, stored] as const,
      )
      expect(await unsafe([stored, ...inBrowser], ALLOWED_TAGS)).toEqual([])
      // What the browser's sanitiser keeps, the worker's keeps as well.
      expect(await unsafe(inBrowser.map(sanitizeHtml), ALLOWED_TAGS)).toEqual([])
    }),
    { numRuns: 100 },
  )
  expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false)
})
