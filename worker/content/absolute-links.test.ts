import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PAYLOADS } from '../../tests/support/html-payloads.ts'
import { withAbsoluteLinks } from './absolute-links.ts'
import { sanitizeHtml } from './sanitize.ts'

const SITE = 'https://cairn.example.org'
const linkTo = (href: string) => withAbsoluteLinks(sanitizeHtml(`<p><a href="${href}" rel="me">x</a></p>`), SITE)

test.each([
  ['/about', `${SITE}/about`],
  ['collections/map', `${SITE}/collections/map`],
  ['../feed', `${SITE}/feed`],
  ['?c=1&amp;on=2', `${SITE}/?c=1&amp;on=2`],
  ['/a&quot;b&#39;c', `${SITE}/a%22b'c`],
  ['#end', '#end'],
  ['https://example.org/x?a=1&amp;b=2', 'https://example.org/x?a=1&amp;b=2'],
  ['//example.org/x', 'https://example.org/x'],
  ['mailto:ada@example.org', 'mailto:ada@example.org'],
  ['tel:+431234', 'tel:+431234'],
])('withAbsoluteLinks makes a link to %s one to %s', (written, href) => {
  expect(linkTo(written)).toBe(`<p><a href="${href}" rel="me">x</a></p>`)
})

test('withAbsoluteLinks changes text only in links, and never makes them unsafe', () => {
  const piece = fc.oneof(fc.constantFrom(...PAYLOADS, '<a href=/x>', '</a>', '<p>', '<a href="x'), fc.string())
  const withoutLinks = (html: string) => html.replace(/<a href="[^"]*"/g, '<a')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const clean = sanitizeHtml(pieces.join(''))
      const absolute = withAbsoluteLinks(clean, SITE)
      expect(withoutLinks(absolute)).toBe(withoutLinks(clean))
      expect(sanitizeHtml(absolute)).toBe(absolute)
    }),
  )
})
