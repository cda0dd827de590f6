import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'
import { listAccess, revokeAccess } from '../../contract/access.ts'
import { getSession } from '../../contract/auth.ts'
import { ApiError, call } from '../lib/api.ts'
import { accessAtom, fetchAccessAtom, revokeAccessAtom } from './access.ts'
import { askSessionAtom } from './session.ts'

vi.mock('../lib/storage.ts')
vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

test('An access token that is revoked already leaves the list, and one that cannot be revoked stays', async () => {
  const store = createStore()
  let error = new ApiError('unavailable', 'The database does not answer')
  vi.mocked(call).mockImplementation((async (endpoint: unknown) => {
    if (endpoint === getSession) return { user: { id: 'ada' }, expiresAt: null }
    if (endpoint === revokeAccess) throw error
    if (endpoint === listAccess) return { success: true, sessions: [], tokens: [{ id: 'backup' }], calendarLinks: [], push: [], links: [] }
  }) as typeof call)
  await store.set(askSessionAtom)
  await store.set(fetchAccessAtom)
  await expect(store.set(revokeAccessAtom, 'token', 'backup')).rejects.toThrow('Failed to revoke this')
  expect(store.get(accessAtom)?.tokens).toHaveLength(1)
  error = new ApiError('not_found', 'This access was not found')
  await store.set(revokeAccessAtom, 'token', 'backup')
  expect(store.get(accessAtom)?.tokens).toEqual([])
})
