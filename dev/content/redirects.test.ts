import { expect, test } from 'vitest'
import { parseRedirects } from './redirects.ts'

const taken = new Set(['/', '/about', '/blog'])

test('Each line redirects an old address to a page, a file or another site', () => {
  const redirects = parseRedirects(
    '# old\n/team /about\n\n/docs /api/docs 302\n/code https://example.org/cairn 302\n/top /about#top',
    taken,
  )
  expect([...redirects]).toEqual([
    ['/team', { to: '/about', status: 301 }],
    ['/docs', { to: '/api/docs', status: 302 }],
    ['/code', { to: 'https://example.org/cairn', status: 302 }],
    ['/top', { to: '/about#top', status: 301 }],
  ])
})

test.each([
  ['away from an existing page', '/about /blog'],
  ['nowhere', '/team /nothing'],
  ['round in a circle', '/a /b\n/b /a'],
  ['to another redirect', '/a /b\n/b /about'],
  ['to another host without a scheme', '/team //evil.example'],
  ['to another host without a scheme, with a backslash', '/team /\\evil.example'],
  ['to a script', '/team javascript:alert(1)'],
  ['to an http address', '/team http://example.org'],
  ['with a status of another kind', '/team /about 200'],
  ['twice', '/team /about\n/team /blog'],
  ['from an address with a slash at its end', '/team/ /about'],
])('A line that leads %s is refused', (_what, source) => {
  expect(() => parseRedirects(source, taken)).toThrow('content/redirects')
})
