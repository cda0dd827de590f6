import { expect, test } from 'vitest'
import { parsePage, pathOf } from './front-matter.ts'

const page = (head: string) => `---\n${head}\n---\nText\n`
const DESCRIPTION = 'description: What this page is about: a test.'

test('A page is split into its head and the Markdown below', () => {
  const { front, markdown } = parsePage(page(`title: "First snow"\ndate: 2026-11-18\n${DESCRIPTION}\ndraft: true`), 'a.md')
  expect(front).toMatchObject({ title: 'First snow', date: '2026-11-18', description: 'What this page is about: a test.', draft: true })
  expect(markdown).toBe('Text\n')
})

test.each([
  ['no head', 'Text'],
  ['no description', page('title: First snow')],
  ['an unknown field', page(`title: First snow\n${DESCRIPTION}\nauthor: Ada`)],
  ['an invalid date', page(`title: First snow\n${DESCRIPTION}\ndate: 2026-02-30`)],
  ['an image without alternative text', page(`title: First snow\n${DESCRIPTION}\npicture: a.jpg`)],
  ['an invalid line', page(`title: First snow\n${DESCRIPTION}\n- x`)],
])('A page with %s is refused with the name of its file', (_what, source) => {
  expect(() => parsePage(source, 'content/a.md')).toThrow('content/a.md')
})

test('Addresses follow the folders and may have several segments', () => {
  expect(pathOf('blog/guides/first-snow.md')).toBe('/blog/guides/first-snow')
  expect(pathOf('pages/about.md')).toBe('/about')
  expect(pathOf('pages/help/keys.md')).toBe('/help/keys')
})

test.each(['blog/First.md', 'blog/a b.md', 'pages/../x.md', 'blog/a--b.md', 'pages/ä.md'])('The file name %s is refused', (file) => {
  expect(() => pathOf(file)).toThrow('an address is made of')
})
