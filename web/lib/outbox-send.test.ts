import { expect, test, vi } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { call } from './api.ts'
import { sendOperation } from './outbox-send.ts'
import type { Action, Operation } from './outbox-types.ts'

vi.mock('./api.ts', async (original) => ({ ...(await original<typeof import('./api.ts')>()), call: vi.fn() }))

test('an asset is put whole, so that nothing that was not changed is emptied', async () => {
  const before = {
    name: 'a.jpg',
    alt: 'A hut',
    date: null,
    dateZone: null,
    datePrecision: 'unknown',
    location: { lat: 1, lon: 2 },
    peopleIds: [],
  } as const
  const action: Action = { kind: 'editAsset', id: newId(), patch: { alt: 'A tent' }, before: { ...before, peopleIds: [] }, version: 3 }
  vi.mocked(call).mockResolvedValue({} as never)
  await sendOperation({ ...({} as Operation), action }, false)
  const options = { headers: { 'if-match': '3' }, body: { ...before, alt: 'A tent' } }
  expect(call).toHaveBeenCalledWith(expect.objectContaining({ method: 'PUT', path: '/api/asset/{id}' }), expect.objectContaining(options))
})
