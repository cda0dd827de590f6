import { describe, expect, test } from 'vitest'
import * as contract from '../../contract/collections.ts'
import { newId } from '../../contract/ids.ts'
import { permissionsOf } from '../../contract/policy.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

const THEME = { primary: 'teal', neutral: 'tea', radius: 0.25, blackAsPrimary: false }

describe('creating a collection', () => {
  test('A new collection is owned by its creator and in no other list', async () => {
    const { as, collection } = await world({ eve: null })
    const { body } = await as('ada').get('/api/collections')
    const { collections } = contract.listCollections.response.parse(body)
    expect(collections).toMatchObject([
      { id: collection.id, name: 'Kyoto', role: 'owner', user_id: as('ada').id, icon: 'default', member_count: 1 },
    ])
    expect((await as('eve').get('/api/collections')).body).toEqual({ success: true, collections: [] })
  })

  test('Creating the same id again returns the same collection to its creator only', async () => {
    const { as } = await world({ bob: null })
    const draft = { id: newId(), name: 'Alps', icon: 'hiking', theme: THEME }
    expect((await as('ada').post('/api/collections', draft)).status).toBe(201)
    const again = await as('ada').post('/api/collections', draft)
    expect(again.status).toBe(200)
    expect(again.body.collection).toMatchObject({ id: draft.id, name: 'Alps', icon: 'hiking', theme: THEME })
    expect((await as('bob').post('/api/collections', draft)).status).toBe(409)
    const both = await Promise.all([1, 2].map(() => as('bob').post('/api/collections', { ...draft, id: newId() })))
    expect(both.map(({ status }) => status)).toEqual([201, 201])
  })

  test('A new collection has the settings that it is made with', async () => {
    const { as } = await world()
    for (const settings of [{}, { answers: 'write', places: 'town' }, { answers: null, places: 'nothing' }]) {
      const { body } = await as('ada').post('/api/collections', { name: 'Nara', ...settings })
      expect(contract.createCollection.response.parse(body).collection).toMatchObject({ answers: 'read', places: 'exact', ...settings })
    }
  })

  test.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'A', icon: 'no-such-icon' }, 'icon'],
    [{ name: 'A', answers: 'owner' }, 'answers'],
    [{ name: 'A', places: 'street' }, 'places'],
    [{ name: 'A', user_id: 'somebody' }, 'user_id'],
    [{ name: 'A', role: 'owner' }, 'role'],
    [{ name: 'A', id: '00000000-0000-4000-8000-000000000000' }, 'id'],
    [{ name: 'A', theme: { ...THEME, primary: 'url(x)' } }, 'theme.primary'],
  ])('Creating a collection refuses %j', async (body, field) => {
    const { as } = await world()
    const response = await as('ada').post('/api/collections', body)
    expect(response.status).toBe(400)
    expect(Object.keys(response.body.error.fields)).toContain(field)
    expect((await as('ada').get('/api/collections')).body.collections).toHaveLength(1)
  })

  test('A name may have 100 characters as a reader counts them', async () => {
    const { as } = await world()
    const name = '👨‍👩‍👧‍👦'.repeat(50) + 'é'.repeat(50)
    expect((await as('ada').post('/api/collections', { name })).body.collection.name).toBe(name.normalize('NFC'))
  })
})

describe('reading a collection', () => {
  test('A member gets their role and its permissions', async () => {
    const { as, collection } = await world({ bob: 'read', cleo: 'admin' })
    for (const [name, role] of [
      ['ada', 'owner'],
      ['bob', 'read'],
      ['cleo', 'admin'],
    ] as const) {
      const { body } = await as(name).get(`/api/collections/${collection.id}`)
      const answer = contract.getCollection.response.parse(body)
      expect(answer).toMatchObject({ role, permissions: permissionsOf(role), collection: { member_count: 3, role } })
    }
  })

  test('Counts include only visible items', async () => {
    const { as, collection } = await world({ bob: 'write' })
    const post = (title: string) => as('bob').post('/api/post', { type: 'note', title, collectionIds: [collection.id] })
    const [first] = await Promise.all([post('a'), post('b'), post('c')])
    const count = async () => (await as('ada').get(`/api/collections/${collection.id}`)).body.collection.post_count
    expect(await count()).toBe(3)
    await as('bob').delete(`/api/post/${first.body.post.id}`)
    expect(await count()).toBe(2)
  })

  test.each(['not-a-uuid', '../../etc', newId(), '%00'])('The collection %s is not found', async (id) => {
    const { as } = await world()
    expect((await as('ada').get(`/api/collections/${encodeURIComponent(id)}`)).status).toBe(404)
  })
})

describe('changing a collection', () => {
  test('Changing name or icon changes only that field and is published once', async () => {
    const { as, collection, changes } = await world({ bob: 'admin' })
    const path = `/api/collections/${collection.id}`
    const renamed = await as('bob').put(path, { name: 'Nara' })
    expect(contract.updateCollection.response.parse(renamed.body).collection).toMatchObject({ name: 'Nara', icon: 'default' })
    const changed = await as('bob').put(path, { icon: 'train' })
    expect(changed.body.collection).toMatchObject({ name: 'Nara', icon: 'train', revision: renamed.body.collection.revision + 1 })
    expect((await as('bob').put(path, {})).body.collection.revision).toBe(changed.body.collection.revision)
    expect(await changes()).toMatchObject([
      { table_name: 'collections', event: 'UPDATE', ids: [collection.id] },
      { table_name: 'collections', event: 'UPDATE', ids: [collection.id] },
    ])
  })

  test('A new collection is published to its owner', async () => {
    const w = await world()
    const id = await collectionOf(w, 'ada')
    const rows = await w.sql`select table_name, event, ids, user_ids from changes where collection_id = ${id} order by revision limit 1`
    expect(rows).toEqual([{ table_name: 'collections', event: 'INSERT', ids: [id], user_ids: [w.as('ada').id] }])
  })

  test('A collection can be changed together with its theme', async () => {
    const { as, collection } = await world()
    const { status, body } = await as('ada').put(`/api/collections/${collection.id}`, { name: 'Nara', theme: THEME })
    expect([status, body.collection.name, body.collection.theme]).toEqual([200, 'Nara', THEME])
  })

  test('Changing the theme is published', async () => {
    const { as, collection } = await world({ bob: 'read' })
    const path = `/api/collections/${collection.id}/theme`
    expect((await as('bob').get(path)).body).toEqual({ success: true, theme: null })
    expect((await as('ada').put(path, THEME)).body).toEqual({ success: true, theme: THEME })
    expect((await as('bob').get(path)).body.theme).toEqual(THEME)
    expect((await as('ada').put(path, { ...THEME, radius: 7 })).status).toBe(400)
  })
})

describe('deleting a collection', () => {
  test('A deleted collection is gone for everyone, and its members are notified', async () => {
    const { as, collection, changes } = await world({ bob: 'write' })
    const post = await as('bob').post('/api/post', { type: 'note', title: 'Mine', collectionIds: [collection.id] })
    expect((await as('ada').delete(`/api/collections/${collection.id}`)).status).toBe(200)
    for (const name of ['ada', 'bob']) {
      expect((await as(name).get(`/api/collections/${collection.id}`)).status).toBe(404)
      expect((await as(name).get('/api/collections')).body.collections).toEqual([])
    }
    expect((await as('ada').get(`/api/post/${post.body.post.id}`)).status).toBe(404)
    expect((await as('bob').get(`/api/post/${post.body.post.id}`)).body.post).toMatchObject({ title: 'Mine', collections: [] })
    expect((await changes()).at(-1)).toMatchObject({ table_name: 'collections', event: 'DELETE' })
    expect((await changes()).at(-1)?.user_ids.toSorted()).toEqual([as('ada').id, as('bob').id].toSorted())
    expect((await as('ada').delete(`/api/collections/${collection.id}`)).status).toBe(404)
  })
})

describe('transferring a collection', () => {
  test('A transfer makes the new owner the owner and the old one an admin', async () => {
    const { as, collection, sql } = await world({ bob: 'read' })
    const answer = await as('ada').post(`/api/collections/${collection.id}/transfer`, { userId: as('bob').id })
    expect(contract.transferCollection.response.parse(answer.body).collection).toMatchObject({ user_id: as('bob').id, role: 'admin' })
    expect((await as('bob').get(`/api/collections/${collection.id}`)).body.role).toBe('owner')
    const owners = await sql`select user_id from members where collection_id = ${collection.id} and role = 'owner'`
    expect(owners).toEqual([{ user_id: as('bob').id }])
  })

  test('A transfer to a stranger, the owner or an invalid id is refused', async () => {
    const { as, collection } = await world({ eve: null })
    const give = (userId: unknown) => as('ada').post(`/api/collections/${collection.id}/transfer`, { userId })
    expect((await give(as('eve').id)).status).toBe(404)
    expect((await give(as('ada').id)).status).toBe(409)
    for (const nonsense of ['', null, 7, 'a\u0000', 'x'.repeat(256)]) expect((await give(nonsense)).status).toBe(400)
  })

  test('Of two concurrent transfers one succeeds', async () => {
    const { as, collection, sql } = await world({ bob: 'write', cleo: 'write' })
    const answers = await Promise.all(
      ['bob', 'cleo'].map((name) => as('ada').post(`/api/collections/${collection.id}/transfer`, { userId: as(name).id })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
    const owners = await sql`select m.user_id = c.user_id as same from members m join collections c on c.id = m.collection_id
      where c.id = ${collection.id} and m.role = 'owner'`
    expect(owners).toEqual([{ same: true }])
  })
})

describe('covers', () => {
  /** Creates assets, oldest first; `thumb` says whether there is an image to show. */
  async function photos(w: World, list: { thumb: boolean; gone?: boolean; uploading?: boolean }[]): Promise<string[]> {
    const ids: string[] = []
    for (const [n, { thumb, gone, uploading }] of list.entries()) {
      const id = await assetRow(w, 'ada', [w.collection.id])
      await w.sql`update assets set date = timestamptz '2026-01-01' + ${n} * interval '1 day', date_precision = 'day', thumbhash = ${`h${n}`},
        renditions = ${thumb ? '{"thumb":"image/webp"}' : '{}'}::jsonb, status = ${uploading ? 'uploading' : 'ready'},
        deleted_at = case when ${gone ?? false}::boolean then now() end where id = ${id}`
      ids.push(id)
    }
    return ids
  }

  test('The covers are the four newest visible images', async () => {
    const w = await world({ bob: 'read' })
    const thumb = { thumb: true }
    const [, a, b, , c, d] = await photos(w, [thumb, thumb, thumb, { thumb: false }, thumb, thumb, { thumb: true, gone: true }])
    const unfinished = await photos(w, [{ thumb: true, uploading: true }])
    const { body } = await w.as('bob').get('/api/collections')
    const { collections } = contract.listCollections.response.parse(body)
    expect(collections[0]?.covers.map(({ id }) => id)).toEqual([d, c, b, a])
    expect(collections[0]?.covers.map(({ id }) => id)).not.toContain(unfinished[0])
    expect(collections[0]?.covers[0]).toEqual({ id: d, version: expect.any(Number), thumbhash: 'h5' })
    const one = await w.as('bob').get(`/api/collections/${w.collection.id}`)
    expect(one.body.collection.covers).toEqual(collections[0]?.covers)
  })

  test('A collection without images has no covers', async () => {
    const { as } = await world()
    expect((await as('ada').get('/api/collections')).body.collections).toMatchObject([{ covers: [] }])
  })
})
