import { expect, test } from 'vitest'
import { safeReturnPath } from './return-path.ts'

const ORIGIN = 'https://cairn.test'

test.each(['/', '/collections', '/collections/media?c=1&view=masonry#day', '/profile/settings?x=%C3%A9', '/a?next=https://evil.test/'])(
  'safeReturnPath accepts %s',
  (path) => {
    expect(safeReturnPath(path, ORIGIN)).toBe(path)
  },
)

test.each([
  '',
  'collections',
  'https://evil.test/',
  'javascript:alert(1)',
  '//evil.test',
  '/\\evil.test',
  '/%2Fevil.test',
  '/%5Cevil.test',
  '/\tevil',
  '/a\nb',
  '/%0d%0aset-cookie:x',
  '/./%2e/\\evil',
  '/.//evil.test',
  '/%2e//evil.test',
  '/%',
  '/%2f%2fevil.test',
  '/\u007f',
  '/%00',
  `/${'a'.repeat(2048)}`,
  '/login',
  '/LOGIN?x',
  '/login/',
  '/%6Cogin',
  '/register?x=1',
  '/REGISTER/',
  '/collections/../login',
  '/api/auth/callback?code=1',
  '/api/auth/social/oidc',
  '/API/asset/1/file',
  '/api',
  'data:text/html,x',
  '\\\\evil.test',
  ' //evil.test',
  '/@evil.test/..//evil.test',
])('safeReturnPath refuses %j', (path) => {
  expect(safeReturnPath(path, ORIGIN)).toBeNull()
})
