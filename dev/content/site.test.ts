import { expect, test } from 'vitest'
import { say } from '#language'
import { SHORTCUTS } from '../../web/lib/shortcuts.ts'
import { renderMarkdown } from './markdown.ts'
import { CONTENT, readSite } from './read-site.ts'
import { siteFiles } from './site-files.ts'

const render = (markdown: string) =>
  renderMarkdown(markdown, { pictures: new Map([['a.jpg', (alt) => `<figure><img alt="${alt}"></figure>`]]) })

test('Headings have anchors, and the first level is left to the title', () => {
  expect(render('# One\n\n## Two words\n\n## Two words')).toMatch(/<h2 id="one">One<\/h2>\s*<h2 id="two-words">.*<h2 id="two-words-2">/s)
})

test('Tables have headers, code is kept verbatim, and an image is not a paragraph', () => {
  expect(render('| A | B |\n|---|---|\n| 1 | `x` |')).toContain('<th scope="col">A</th>')
  expect(render('```html\n<b>&\n```')).toContain('&lt;b&gt;&amp;')
  expect(render('![Snow](a.jpg)')).toBe('<figure><img alt="Snow"></figure>\n')
})

test('The table of shortcuts lists those that the app handles', () => {
  const html = render('{{shortcuts}}')
  for (const { label } of SHORTCUTS.flatMap(({ shortcuts }) => shortcuts)) expect(html).toContain(say(label))
  expect(html).toContain('<kbd>Ctrl</kbd> + <kbd>K</kbd>')
})

test('The existing content can be built, and only drafts are left out', async () => {
  const site = await readSite(CONTENT)
  const files = siteFiles(site, 'build-1')
  const drafts = site.previews.filter(({ payload }) => payload.draft)
  expect(drafts).not.toEqual([])
  for (const name of ['/sitemap.xml', '/blog/rss.xml']) {
    for (const { payload } of drafts) expect(files.get(name)).not.toContain(payload.path)
  }
  for (const { payload } of site.pages) expect(files.get('/sitemap.xml')).toContain(`<loc>https://origin.invalid${payload.path}</loc>`)
  const dates = site.pages.flatMap(({ payload }) => (payload.kind === 'post' ? [payload.date ?? ''] : []))
  expect(dates.length).toBeGreaterThanOrEqual(4)
  expect(dates).toEqual(dates.toSorted().toReversed())
}, 60_000)
