import { expect, test } from 'vitest'
import { GUARD } from '../../contract/guard.ts'
import { matches, needsSession } from './guard.ts'
import { PATHS } from './links.ts'

test('A visitor sees home, the blog, sign-in, registration and password reset', () => {
  const open = [
    '/',
    '/blog',
    '/blog/guides/first-snow',
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password',
    '/verify-email',
    PATHS.callback,
  ]
  for (const path of open) {
    expect(needsSession(path), path).toBe(false)
  }
})

test('A visitor has to sign in for every other path', () => {
  for (const path of ['/collections', '/collections/media', '/profile/settings', '/feed', '/feed/x', '/loginx', '/login/x', '/blogs']) {
    expect(needsSession(path), path).toBe(true)
  }
})

test('A star matches anything, and no other character is special', () => {
  expect(matches('/blog/*', '/blog/2024/first-snow')).toBe(true)
  expect(matches('/blog/*', '/blogs')).toBe(false)
  expect(matches('/a.b', '/axb')).toBe(false)
  expect(matches('*', '/anything')).toBe(true)
})

test('Paths of any of the four patterns need no session', () => {
  const options = { include: ['/shared/*'], exclude: ['/about'], login: '/in', callback: '/back' }
  for (const path of ['/shared/x', '/about', '/in', '/back']) expect(needsSession(path, options)).toBe(false)
  expect(needsSession('/', options)).toBe(true)
})

test('The guard’s paths of sign-in and callback are those of the app', () => {
  expect(GUARD.login).toBe(PATHS.login)
  expect(GUARD.callback).toBe(PATHS.callback)
})
