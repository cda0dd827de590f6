import { createStore } from 'jotai'
import { afterEach, expect, test, vi } from 'vitest'
import { GUARD } from '../../contract/guard.ts'
import { fetchSignInWaysAtom, signInWaysAtom } from './sign-in-ways.ts'

afterEach(() => void vi.unstubAllGlobals())

test('The ways to sign in are fetched once, and passwords are assumed until then', async () => {
  const features = { password: false, social: ['oidc'], reset: false }
  const fetch = vi.fn(async () => new Response(JSON.stringify({ success: true, features, guard: GUARD })))
  vi.stubGlobal('fetch', fetch)
  const store = createStore()
  expect(store.get(signInWaysAtom)).toEqual({ password: true, social: [], reset: true })
  await Promise.all([store.set(fetchSignInWaysAtom), store.set(fetchSignInWaysAtom)])
  await store.set(fetchSignInWaysAtom)
  expect(store.get(signInWaysAtom)).toEqual(features)
  expect(fetch).toHaveBeenCalledTimes(1)
})
