import { globSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { ALLOWED_TAGS, TEXT_CLASSES } from '../../contract/rich-text.ts'
import { escapeHtml } from '../../contract/text.ts'
import { PAYLOADS } from '../../tests/support/html-payloads.ts'
import { sanitizeHtml } from './sanitize.ts'

const SCHEMES = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:x',
]

const ALLOWED =
  /^(?:[^<>]|<br>|<\/?(?:p|div|h[1-6]|ul|ol|li|blockquote|strong|b|em|i|u|span)(?: class="(?:lead|small|center)(?: (?:small|center)){0,2}")?>|<\/a>|<a(?: href="(?:(?:https?|mailto|tel):|(?![a-z][a-z\d+.-]*:))[^"<>]*")?(?: target="[\w-]+")?(?: rel="[a-z ]+")?(?: class="(?:lead|small|center)(?: (?:small|center)){0,2}")?>)*$/

test.each(PAYLOADS)('sanitizeHtml reduces %s to the allow-list', (payload) => {
  for (const html of [payload, `<p>${payload}`, `<ul><li>${payload}</li></ul>`, `<a href="https://example.org">${payload}`]) {
    const clean = sanitizeHtml(html)
    expect(clean).toMatch(ALLOWED)
    expect(sanitizeHtml(clean)).toBe(clean)
  }
})

describe('allowed content', () => {
  test('sanitizeHtml keeps every allowed element', () => {
    const html =
      '<h1>a</h1><h2>b</h2><h3>n</h3><h4>o</h4><h5>q</h5><h6>r</h6><p><a href="/s">s</a> <strong>c</strong> <b>d</b> <em>e</em> <i>f</i> <u>g</u><br><span class="small">h</span></p><ul><li>i</li></ul><ol><li>j<ul><li>k</li></ul></li></ol><blockquote><p>l</p></blockquote><div>m</div>'
    expect(sanitizeHtml(html)).toBe(html)
    expect(new Set([...html.matchAll(/<(\w+)/g)].map(([, tag]) => tag))).toEqual(new Set(ALLOWED_TAGS))
  })
  test('sanitizeHtml keeps text with entities and emoji', () => {
    expect(sanitizeHtml('a < b &amp;&nbsp;c &copy; 👨‍👩‍👧 “q”')).toBe('a &lt; b &amp;&nbsp;c © 👨‍👩‍👧 “q”')
  })
  test('sanitizeHtml keeps the text of removed elements', () => {
    expect(sanitizeHtml('<section><form>one <button>two</button></form><font color=red>three</font></section>')).toBe('one twothree')
  })
  test('sanitizeHtml keeps links, with noopener if they have a target', () => {
    expect(sanitizeHtml('<a href="https://example.org/a?b=1&amp;c=2" target="_blank" rel="nofollow">x</a>')).toBe(
      '<a href="https://example.org/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer nofollow">x</a>',
    )
    for (const href of SCHEMES) expect(sanitizeHtml(`<a href="${href}">x</a>`)).toBe('<a>x</a>')
  })
})

describe('links', () => {
  test.each([
    'https://example.org/',
    'mailto:a@b.org',
    'tel:+49301234',
    '/collections?c=1#top',
    '#part',
    '?q=1',
    'a/b.html',
    '../up',
    './here:there',
  ])('sanitizeHtml keeps a link to %s', (href) => {
    expect(sanitizeHtml(`<a href="${href}">x</a>`)).toBe(`<a href="${href}">x</a>`)
  })

  test.each([
    ['//evil.example/x', 'https://evil.example/x'],
    ['\\\\evil.example/x', 'https://evil.example/x'],
    ['/\\evil.example/x', 'https://evil.example/x'],
    ['/\n/evil.example/x', 'https://evil.example/x'],
    [' /about ', '/about'],
  ])('sanitizeHtml writes a link to %j as %s', (href, clean) => {
    expect(sanitizeHtml(`<a href="${href}">x</a>`)).toBe(`<a href="${clean}">x</a>`)
  })

  test.each([
    ['target=_self', ' target="_self"'],
    ['target=_TOP rel="me opener"', ' target="_top" rel="me"'],
    ['target=album', ' target="album" rel="noopener noreferrer"'],
    ['target="_other"', ''],
    ['target="a b"', ''],
    ['rel="me nofollow"', ' rel="nofollow me"'],
  ])('sanitizeHtml keeps of %s what is safe', (attributes, clean) => {
    expect(sanitizeHtml(`<a href="/about" ${attributes}>x</a>`)).toBe(`<a href="/about"${clean}>x</a>`)
  })
})

describe('classes', () => {
  test.each([
    ['lead', ' class="lead"'],
    ['  small\n lead lead ', ' class="lead small"'],
    ['center fixed inset-0 z-50', ' class="center"'],
    ['fixed inset-0 z-50 bg-raised', ''],
    ['LEAD leads lead- text-center btn', ''],
    ['', ''],
  ])('sanitizeHtml keeps of the classes %j only those of text', (given, kept) => {
    for (const tag of ['p', 'span', 'a', 'h1', 'li']) expect(sanitizeHtml(`<${tag} class="${given}">x`)).toBe(`<${tag}${kept}>x</${tag}>`)
  })

  test('no class of the app passes sanitizeHtml, whatever stands around it', () => {
    const files = globSync(['web/**/*.tsx', 'web/**/*.css']).map((file) => readFileSync(file, 'utf8'))
    const names = [...new Set(files.flatMap((text) => text.match(/[\w[\](){}#%:.,/*&>+_-]+/g) ?? []))].filter(
      (name) => !TEXT_CLASSES.includes(name),
    )
    expect(names.length).toBeGreaterThan(3_000)
    expect(sanitizeHtml(`<p class="${escapeHtml(names.join(' '))}">x</p>`)).toBe('<p>x</p>')
    for (const name of TEXT_CLASSES)
      expect(sanitizeHtml(`<p class="${escapeHtml(names.join(' '))} ${name}">x</p>`)).toBe(`<p class="${name}">x</p>`)
  })
})

describe('nesting', () => {
  test.each([
    ['<p>a<p>b', '<p>a</p><p>b</p>'],
    ['<p>a<div>b</div>', '<p>a</p><div>b</div>'],
    ['<ul><li>a<li>b</ul>', '<ul><li>a</li><li>b</li></ul>'],
    ['<b><i>a</b>b</i>', '<b><i>a</i></b>b'],
    ['<h1>a<h2>b', '<h1>a</h1><h2>b</h2>'],
    ['</p></div>a', 'a'],
    ['<b><p>a</b>b</p>c', '<b><p>ab</p>c</b>'],
    ['<ul><li>a<ul><li>b</ul><li>c</ul>', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
    ['<svg/><p>a</p>', '<p>a</p>'],
  ])('sanitizeHtml balances %s', (html, clean) => expect(sanitizeHtml(html)).toBe(clean))
})

test('sanitizeHtml reduces any text to the allow-list and is idempotent', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...PAYLOADS,
      ...'<p> <div> <li> <ul> <a href=http://x> </p> </div> </ul> </a> <b> </b> <svg> </svg> <!-- --> " \' > < &'.split(' '),
    ),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const clean = sanitizeHtml(pieces.join(''))
      expect(clean).toMatch(ALLOWED)
      expect(sanitizeHtml(clean)).toBe(clean)
    }),
    { numRuns: 300 },
  )
})

describe('hostile input', () => {
  const MIB = 1024 * 1024
  const fill = (text: string, size: number) => text.repeat(Math.floor(size / text.length))
  // `part` scales the size.
  test.each<[string, (part: number) => string]>([
    ['1 MiB of <', (part) => fill('<', part * MIB)],
    ['nested tags', (part) => '<div>'.repeat(part * 100_000)],
    ['nested and closed', (part) => '<b>'.repeat(part * 100_000) + '</b>'.repeat(part * 100_000)],
    ['formatting that browsers reopen', (part) => '<b class=a><i class=b>'.repeat(part * 8_000) + '<p>x'.repeat(part * 60_000)],
    ['a tag with 200,000 attributes', (part) => `<a ${fill('a1 b ', part * MIB)}>`],
    ['one endless attribute', (part) => `<a href="${fill('x', part * MIB)}`],
    ['lists without end', (part) => fill('<li><ul>', part * LIMITS.postBody)],
    ['links in links', (part) => fill('<a href=http://x>', part * LIMITS.postBody)],
    ['unclosed comment', (part) => `<!--${fill('-', part * MIB)}`],
    ['entities', (part) => fill('&amp;&#x41;', part * MIB)],
  ])('sanitizeHtml takes linear time for %s', (_name, html) => {
    sanitizeHtml(html(0.01))
    const quarter = leastTime(html(0.25))
    // For four times the length, the ratio is about 4 if the time is linear, 16 if it is quadratic.
    expect(leastTime(html(1)) / Math.max(quarter, 8)).toBeLessThan(9)
  })
})

/** CPU time in ms, because other tests run in parallel. */
function leastTime(html: string): number {
  const times = [1, 2, 3, 4].map(() => {
    const start = process.threadCpuUsage()
    sanitizeHtml(html)
    const { user, system } = process.threadCpuUsage(start)
    return (user + system) / 1000
  })
  return Math.min(...times)
}
