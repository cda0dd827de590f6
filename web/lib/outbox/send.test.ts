import { expect, test, vi } from 'vitest'
import { newId } from '../../../contract/ids.ts'
import { createPost, linkPost, updatePost } from '../../../contract/posts.ts'
import { ApiError, call } from '../api.ts'
import { sendOperation } from './send.ts'
import type { Action, Operation } from './types.ts'

vi.mock('../api.ts', async (original) => ({ ...(await original<typeof import('../api.ts')>()), call: vi.fn() }))

test('An edited asset is sent with all fields, so that unchanged ones are not cleared', async () => {
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

test.each([
  ['before this operation is linked again after a removal, also if a first attempt is interrupted', -60_000, 1],
  ['by an earlier attempt of this operation stays removed', 60_000, 0],
])('A post that was written %s', async (_what, age, links) => {
  const now = Date.now()
  const [id, here] = [newId(now), newId()]
  const post = { id, version: 1, created_at: new Date(now + age).toISOString(), assets: [], collections: [] }
  const requests: unknown[] = []
  vi.mocked(call).mockImplementation((async (endpoint: unknown) => {
    requests.push(endpoint)
    if (endpoint === createPost) return { post }
    if (requests.filter((one) => one === linkPost).length === 1 && links === 1) throw new ApiError('offline', 'No connection.')
    return { post: { ...post, collections: [{ collection_id: here }] } }
  }) as typeof call)
  const action: Action = { kind: 'create', post: { id, type: 'note', title: 'Rain', collectionIds: [here] }, author: 'Ada' }
  const operation = { ...({} as Operation), id: newId(now), action }
  if (links === 1) await expect(sendOperation(operation, false)).rejects.toThrow('No connection.')
  requests.push('again')
  const { post: sent } = await sendOperation(operation, true)
  expect(requests.slice(requests.indexOf('again') + 1).filter((one) => one === linkPost)).toHaveLength(links)
  expect(sent?.collections).toHaveLength(links)
})

test('A post that was written by an earlier attempt and is in the trash by now stays there', async () => {
  vi.mocked(call).mockRejectedValue(new ApiError('conflict', 'This id is taken. Send another one'))
  const action: Action = { kind: 'create', post: { id: newId(), type: 'note', title: 'Rain' }, author: 'Ada' }
  const operation = { ...({} as Operation), id: newId(), action }
  expect(await sendOperation(operation, true)).toEqual({ changeId: null })
  await expect(sendOperation(operation, false)).rejects.toThrow('taken')
})

test.each([
  ['gets its missing photos, which come with a later import, in their order', 1, ['a'], undefined, ['b', 'a']],
  ['and has all photos is left alone', 1, ['a', 'b'], undefined, null],
  ['whose author has changed it since is left alone: the photo may have been removed', 2, ['a'], undefined, null],
  ['stays as it is if somebody changes it at the same time', 1, ['a'], 'conflict' as const, ['b', 'a']],
])('A post that was written before %s', async (_what, version, has, refusal, sends) => {
  const [id, here] = [newId(), newId()]
  const collections = [{ collection_id: here }]
  const post = { id, version, created_at: new Date(0).toISOString(), collections, assets: has.map((one) => ({ id: one })) }
  const patches: unknown[] = []
  vi.mocked(call).mockImplementation((async (endpoint: unknown, options: unknown) => {
    if (endpoint === createPost) return { post }
    expect(endpoint).toBe(updatePost)
    patches.push(options)
    if (refusal) throw new ApiError(refusal, 'Changed')
    return { changeId: newId(), post: { ...post, version: 2 } }
  }) as typeof call)
  const written = { id, type: 'note' as const, title: 'Rain', collectionIds: [here], existingAssetIds: ['b', 'a'] }
  const action: Action = { kind: 'create', post: written, author: 'Ada' }
  const answer = await sendOperation({ ...({} as Operation), id: newId(), action }, false)
  expect(patches).toEqual(sends ? [{ params: { id }, headers: { 'if-match': '1' }, body: { existingAssetIds: sends } }] : [])
  expect(answer).toMatchObject({ changeId: null, post: { id, version: sends && !refusal ? 2 : version } })
})

test('A post that has been changed gets the photos that were uploaded since, behind its own', async () => {
  const [id, here, own] = [newId(), newId(), newId()]
  const edited = Date.now() - 60_000
  const [removed, late] = [newId(edited - 1), newId(edited + 1)]
  const dates = { created_at: new Date(0).toISOString(), updated_at: new Date(edited).toISOString() }
  const post = { id, version: 3, ...dates, collections: [{ collection_id: here }], assets: [{ id: own }] }
  const sent: unknown[] = []
  vi.mocked(call).mockImplementation((async (endpoint: unknown, options: unknown) => {
    if (endpoint === updatePost) sent.push(options)
    return { post }
  }) as typeof call)
  const written = { id, type: 'note' as const, title: 'Rome', collectionIds: [here], existingAssetIds: [late, removed, own] }
  await sendOperation({ ...({} as Operation), id: newId(), action: { kind: 'create', post: written, author: 'Ada' } }, false)
  expect(sent).toEqual([{ params: { id }, headers: { 'if-match': '3' }, body: { existingAssetIds: [own, late] } }])
})
