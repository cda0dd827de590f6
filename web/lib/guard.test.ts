import { expect, test } from 'vitest'
import { matches, needsSession } from './guard.ts'

test('A visitor sees home, sign-in, registration and password reset', () => {
  for (const path of ['/', '/login', '/register', '/forgot-password', '/reset-password', '/api/auth/callback']) {
    expect(needsSession(path), path).toBe(false)
  }
})

test('A visitor has to sign in for every other path', () => {
  for (const path of ['/collections', '/collections/media', '/profile/settings', '/feed', '/loginx', '/login/x']) {
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
