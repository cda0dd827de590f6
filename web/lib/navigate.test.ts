import { expect, test, vi } from 'vitest'
import { NavigationRefused, navigateTo, targetOf } from './navigate.ts'

const origin = 'https://cairn.example'

test.each([
  ['/blog/first', '/blog/first'],
  ['/collections/media?c=1#top', '/collections/media?c=1#top'],
  ['about', '/about'],
  [`${origin}/about`, '/about'],
])('%s is a page of the app', (to, path) => {
  expect(targetOf(to, { origin })).toEqual({ kind: 'inside', path })
})

test.each(['https://example.org/', '//example.org/x', '/\\example.org', 'http://cairn.example/', 'mailto:ada@example.org'])(
  '%s leads to another site, and is refused unless that is allowed',
  (to) => {
    expect(() => targetOf(to, { origin })).toThrow(NavigationRefused)
    expect(targetOf(to, { origin, external: true })).toMatchObject({ kind: 'outside' })
  },
)

test.each([
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  ' java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://cairn.example/1',
  'file:///etc/passwd',
])('%j is always refused', (to) => {
  expect(() => targetOf(to, { origin, external: true })).toThrow(NavigationRefused)
})

test.each(['/api/docs', '/blog/rss.xml', '/favicon.svg'])('%s is no page, so the browser opens it', (to) => {
  expect(targetOf(to, { origin })).toEqual({ kind: 'outside', href: origin + to })
})

test('The router opens pages of the app, the browser opens other URLs, and refused ones open nothing', () => {
  const navigate = vi.fn()
  const assign = vi.fn()
  const ways = { origin, navigate, assign }
  navigateTo('/about', ways)
  expect(navigate).toHaveBeenCalledWith('/about')
  expect(() => navigateTo('https://example.org/', ways)).toThrow(NavigationRefused)
  expect(assign).not.toHaveBeenCalled()
  navigateTo('https://example.org/', { ...ways, external: true })
  expect(assign).toHaveBeenCalledWith('https://example.org/')
})
