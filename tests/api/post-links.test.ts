import { describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

const NOTE = { type: 'note', title: 'Hi' }
const written = async (w: World, by: string, more: object = {}): Promise<string> =>
  (await w.as(by).post('/api/post', { ...NOTE, collectionIds: [w.collection.id], ...more })).body.post.id
const collectionsOf = (post: { collections: { collection_id: string }[] }) => post.collections.map(({ collection_id }) => collection_id)
const send = (w: World, by: string, method: 'PATCH' | 'PUT', id: string, body: object) =>
  w.as(by).call(method, `/api/post/${id}`, method === 'PUT' ? { ...NOTE, ...body } : body)

describe.each(['PATCH', 'PUT'] as const)('the collections in a %s of a post', (method) => {
  test(`A ${method} adds links and removes none`, async () => {
    const w = await world()
    const [id, other] = [await written(w, 'ada'), await collectionOf(w, 'ada')]
    const { status, body } = await send(w, 'ada', method, id, { title: 'New', collectionIds: [other] })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.post.title).toBe('New')
    expect(collectionsOf(body.post).toSorted()).toEqual([w.collection.id, other].toSorted())
    const again = await send(w, 'ada', method, id, { collectionIds: [] })
    expect(collectionsOf(again.body.post)).toHaveLength(2)
  })

  test(`A ${method} into a collection that the author may only read changes nothing`, async () => {
    const w = await world({ bob: 'write' })
    const id = await written(w, 'bob')
    const closed = await collectionOf(w, 'ada', { bob: 'read' })
    const { status } = await send(w, 'bob', method, id, { title: 'New', collectionIds: [closed] })
    expect(status).toBe(403)
    const hidden = await send(w, 'bob', method, id, { title: 'New', collectionIds: [await collectionOf(w, 'ada')] })
    expect([hidden.status, Object.keys(hidden.body.error.fields)]).toEqual([404, ['collectionIds']])
    const { post } = (await w.as('bob').get(`/api/post/${id}`)).body
    expect([post.title, collectionsOf(post)]).toEqual(['Hi', [w.collection.id]])
  })

  test(`A ${method} by an admin who is not the author adds no link, but may name those that exist`, async () => {
    const w = await world({ bob: 'write' })
    const [id, other] = [await written(w, 'bob'), await collectionOf(w, 'ada')]
    expect((await send(w, 'ada', method, id, { title: 'New', collectionIds: [other] })).status).toBe(403)
    expect((await w.as('ada').post(`/api/post/${id}/collections`, { collectionIds: [other] })).status).toBe(403)
    const { status, body } = await send(w, 'ada', method, id, { title: 'New', collectionIds: [w.collection.id] })
    expect([status, body.post?.title]).toEqual([200, 'New'])
  })
})

test('The assets of the author go along with a post that is put into a collection', async () => {
  const w = await world({ bob: 'read' })
  const photos = [await assetRow(w, 'ada', [w.collection.id]), await assetRow(w, 'ada')] as const
  const [id, other] = [await written(w, 'ada', { existingAssetIds: [photos[0]] }), await collectionOf(w, 'ada')]
  await w.as('ada').patch(`/api/post/${id}`, { collectionIds: [other] })
  const linked = async () =>
    (await w.as('ada').get(`/api/asset?collection_id=${other}`)).body.assets.map((asset: { id: string }) => asset.id).toSorted()
  expect(await linked()).toEqual([photos[0]])
  const third = await collectionOf(w, 'ada')
  await w.as('ada').patch(`/api/post/${id}`, { collectionIds: [third], existingAssetIds: [...photos] })
  expect(await linked()).toEqual([...photos].toSorted())
  expect((await w.as('ada').get(`/api/asset?collection_id=${third}`)).body.assets).toHaveLength(2)
})

test('Undoing an edit takes the post out of the collections that it was put into', async () => {
  const w = await world()
  const photo = await assetRow(w, 'ada')
  const [id, other] = [await written(w, 'ada', { existingAssetIds: [photo] }), await collectionOf(w, 'ada')]
  const { changeId } = (await w.as('ada').patch(`/api/post/${id}`, { title: 'New', collectionIds: [other] })).body
  expect((await w.as('ada').post(`/api/undo/${changeId}`)).status).toBe(200)
  const { post } = (await w.as('ada').get(`/api/post/${id}`)).body
  expect([post.title, collectionsOf(post)]).toEqual(['Hi', [w.collection.id]])
  expect((await w.as('ada').get(`/api/asset?collection_id=${other}`)).body.assets).toEqual([])
})

test('Putting a post into a collection by an edit is published there as a new post', async () => {
  const w = await world()
  const { body } = await w.as('ada').post('/api/post', NOTE)
  await w.as('ada').patch(`/api/post/${body.post.id}`, { title: newId(), date: '2026-05-01T10:00:00Z', collectionIds: [w.collection.id] })
  const changes = await w.changes()
  expect(changes.map(({ table_name, event }) => `${table_name} ${event}`)).toContain('post_collections INSERT')
  const { posts } = (await w.as('ada').get(`/api/post?collection_id=${w.collection.id}`)).body
  expect(posts).toHaveLength(1)
  expect((await w.as('ada').get(`/api/collections/${w.collection.id}/timeline`)).body.buckets).toEqual([
    { month: '2026-05', posts: 1, assets: 0 },
  ])
})
