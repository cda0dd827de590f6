import { createStore } from 'jotai'
import { expect, test, vi } from 'vitest'
import { listAccess } from '../../contract/access.ts'
import { getSession } from '../../contract/auth.ts'
import { call } from '../lib/api.ts'
import { accessAtom, fetchAccessAtom } from './access.ts'
import { changePasswordAtom } from './account.ts'
import { askSessionAtom } from './session.ts'

vi.mock('../lib/storage.ts')
vi.mock('../lib/api.ts', async (original) => ({ ...(await original<object>()), call: vi.fn() }))

test('Once the password is changed, the devices that it signed out are listed no longer', async () => {
  const store = createStore()
  let sessions = ['here', 'phone']
  vi.mocked(call).mockImplementation((async (endpoint: unknown) => {
    if (endpoint === getSession) return { user: { id: 'ada' }, expiresAt: null }
    if (endpoint === listAccess) return { success: true, sessions: sessions.map((id) => ({ id })) }
    sessions = ['here']
    return { success: true }
  }) as typeof call)
  await store.set(askSessionAtom)
  await store.set(fetchAccessAtom)
  await store.set(changePasswordAtom, { currentPassword: 'old', newPassword: 'new' })
  expect(store.get(accessAtom)?.sessions.map(({ id }) => id)).toEqual(['here'])
})
