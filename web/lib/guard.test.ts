import { expect, test } from 'vitest'
import { matches, needsSession } from './guard.ts'

test('a visitor sees home, sign-in, registration and password reset', () => {
  for (const path of ['/', '/login', '/register', '/forgot-password', '/reset-password', '/api/auth/callback']) {
    expect(needsSession(path), path).toBe(false)
  }
})

test('a visitor has to sign in for everything else', () => {
  for (const path of ['/collections', '/collections/media', '/profile/settings', '/feed', '/loginx', '/login/x']) {
    expect(needsSession(path), path).toBe(true)
  }
})

test('a star stands for anything, and nothing else is special', () => {
  expect(matches('/blog/*', '/blog/2024/first-snow')).toBe(true)
  expect(matches('/blog/*', '/blogs')).toBe(false)
  expect(matches('/a.b', '/axb')).toBe(false)
  expect(matches('*', '/anything')).toBe(true)
})

test('paths of any of the four patterns are left alone', () => {
  const options = { include: ['/shared/*'], exclude: ['/about'], login: '/in', callback: '/back' }
  for (const path of ['/shared/x', '/about', '/in', '/back']) expect(needsSession(path, options)).toBe(false)
  expect(needsSession('/', options)).toBe(true)
})
