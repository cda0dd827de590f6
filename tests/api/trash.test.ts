import { describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { listTrash } from '../../contract/trash.ts'
import { jpegLike, upload } from '../support/files.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

const post = async (w: World, who: string, more: object = {}): Promise<string> => {
  const { status, body } = await w.as(who).post('/api/post', { type: 'note', title: 'T', collectionIds: [w.collection.id], ...more })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.post.id
}
const trash = async (w: World, who: string, query = '') => {
  const { body } = await w.as(who).get(`/api/trash${query}`)
  return listTrash.response.parse(body)
}
const restore = (w: World, who: string, ids: object) => w.as(who).post('/api/trash/restore', ids)
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

describe('the list of the trash', () => {
  test('The trash has own items and those an admin may restore, last deleted first, in pages', async () => {
    const w = await world({ bob: 'write', cleo: 'read', eve: null })
    const [first, second, adas] = [await post(w, 'bob'), await post(w, 'bob'), await post(w, 'ada')]
    const asset = await assetRow(w, 'bob', [w.collection.id])
    const unattached = await post(w, 'bob', { collectionIds: [] })
    for (const id of [first, second, adas, unattached]) await w.as(id === adas ? 'ada' : 'bob').delete(`/api/post/${id}`)
    await w.as('ada').delete(`/api/asset/${asset}`)

    const bobs = await trash(w, 'bob')
    expect([idsOf(bobs.posts), idsOf(bobs.assets)]).toEqual([[unattached, second, first], [asset]])
    const [row] = bobs.posts
    expect(Date.parse(row?.purged_at ?? '') - Date.parse(row?.deleted_at ?? '')).toBe(30 * 24 * 60 * 60_000)
    const owners = await trash(w, 'ada')
    expect([idsOf(owners.posts), idsOf(owners.assets)]).toEqual([[adas, second, first], [asset]])
    expect(owners.posts[1]).toMatchObject({ user_name: 'Bob Test', collections: [{ collection_id: w.collection.id }] })
    for (const name of ['cleo', 'eve']) expect(await trash(w, name)).toMatchObject({ posts: [], assets: [] })

    const found: string[] = []
    let query = '?limit=1'
    for (let page = await trash(w, 'ada', query); ; page = await trash(w, 'ada', query)) {
      found.push(...idsOf(page.posts), ...idsOf(page.assets))
      if (page.nextCursor === null) break
      query = `?limit=1&cursor=${page.nextCursor}`
    }
    expect(found).toEqual([asset, adas, second, first])
    expect((await w.as('bob').get(`/api/trash${query}`)).status).toBe(400)
    expect((await w.as('bob').get('/api/trash?limit=0')).status).toBe(400)
  })

  test('The trash leaves out items added to a collection by others, and those of a writer who became a reader', async () => {
    const w = await world({ bob: 'write', cleo: 'admin' })
    const id = await post(w, 'bob')
    const other = await collectionOf(w, 'cleo', { bob: 'write' })
    await w.sql`insert into post_collections (collection_id, post_id, user_id) values (${other}, ${id}, ${w.as('cleo').id})`
    await w.sql`delete from members where collection_id = ${w.collection.id} and user_id = ${w.as('cleo').id}`
    await w.as('bob').delete(`/api/post/${id}`)
    expect((await trash(w, 'cleo')).posts).toEqual([])
    expect((await restore(w, 'cleo', { postIds: [id] })).status).toBe(403)
    await w.sql`update members set role = 'read' where collection_id = ${w.collection.id} and user_id = ${w.as('bob').id}`
    expect((await trash(w, 'bob')).posts).toEqual([])
    expect((await restore(w, 'bob', { postIds: [id] })).status).toBe(403)
  })
})

describe('restoring', () => {
  test('Restoring returns a post with collections, people and photos in order, as one change', async () => {
    const w = await world({ bob: 'write' })
    const other = await collectionOf(w, 'bob', { ada: 'admin' })
    const { person } = (await w.as('ada').post(`/api/collections/${w.collection.id}/people`, { name: 'P' })).body
    const photos = [await assetRow(w, 'bob'), await assetRow(w, 'bob'), await assetRow(w, 'bob')].toReversed()
    const id = await post(w, 'bob', {
      collectionIds: [w.collection.id, other],
      peopleIds: [person.id],
      existingAssetIds: photos,
      date: '2026-05-01T10:00:00Z',
    })
    const { version, updated_at, ...before } = (await w.as('bob').get(`/api/post/${id}`)).body.post
    await w.as('bob').delete(`/api/post/${id}`)
    const changesBefore = (await w.changes()).length
    expect((await restore(w, 'ada', { postIds: [id, id.toUpperCase()] })).body).toEqual({ success: true, postIds: [id], assetIds: [] })
    expect((await w.as('bob').get(`/api/post/${id}`)).body.post).toMatchObject(before)
    expect((await w.changes()).slice(changesBefore)).toMatchObject([{ table_name: 'post_collections', event: 'INSERT', ids: [id] }])
    expect((await restore(w, 'bob', { postIds: [id] })).status).toBe(200)
    expect((await w.changes()).length).toBe(changesBefore + 1)
    expect((await trash(w, 'bob')).posts).toEqual([])
  })

  test('Restoring is all or nothing, and names the obstacle', async () => {
    const w = await world({ bob: 'write', cleo: 'write', eve: null })
    const [own, cleos] = [await post(w, 'bob'), await post(w, 'cleo')]
    const asset = await assetRow(w, 'eve')
    for (const [who, path] of [
      ['bob', `post/${own}`],
      ['cleo', `post/${cleos}`],
      ['eve', `asset/${asset}`],
    ])
      await w.as(who ?? '').delete(`/api/${path}`)
    for (const [ids, status, field, named] of [
      [{ postIds: [own, cleos] }, 403, 'postIds', cleos],
      [{ postIds: [own], assetIds: [asset] }, 404, 'assetIds', asset],
      [{ postIds: [own, newId()] }, 404, 'postIds', ''],
      [{ postIds: [] }, 400, 'postIds', ''],
      [{ postIds: ['x'] }, 400, 'postIds.0', ''],
      [{ postIds: Array.from({ length: 1_001 }, () => newId()) }, 400, 'postIds', ''],
    ] as const) {
      const { status: found, body } = await restore(w, 'bob', ids)
      expect([found, body.error.fields[field]]).toEqual([status, expect.stringContaining(named)])
    }
    expect(idsOf((await trash(w, 'bob')).posts)).toEqual([own])
  })

  test('Restoring a file that was uploaded again gets 409, and the file is served', async () => {
    const w = await world()
    const bytes = jpegLike()
    const first = await upload(w.as('ada'), bytes, { collectionIds: [w.collection.id] })
    await w.as('ada').delete(`/api/asset/${first.id}`)
    const second = await upload(w.as('ada'), bytes)
    const refused = await restore(w, 'ada', { assetIds: [first.id] })
    expect([refused.status, refused.body.error.fields.assetIds]).toEqual([409, expect.stringContaining(first.id)])
    await w.as('ada').delete(`/api/asset/${second.id}`)
    const both = await restore(w, 'ada', { assetIds: [first.id, second.id] })
    expect([both.status, both.body.error.code]).toEqual([409, 'conflict'])
    expect((await restore(w, 'ada', { assetIds: [first.id] })).status).toBe(200)
    expect((await w.as('ada').get(`/api/asset/${first.id}/file`)).bytes).toEqual(bytes)
  })
})
