import { describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import * as contract from '../../contract/posts.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

const NOTE = { type: 'note', title: 'First snow' }
const write = (w: World, who: string, more: object = {}) =>
  w.as(who).post('/api/post', { ...NOTE, collectionIds: [w.collection.id], ...more })
const written = async (w: World, who: string, more: object = {}): Promise<contract.Post> => {
  const { status, body } = await write(w, who, more)
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.post
}
const counts = (w: World) => w.sql`select (select count(*)::int from posts where user_id = ${w.as('bob').id}) as posts,
  (select count(*)::int from post_collections where user_id = ${w.as('bob').id}) as links`

describe('creating a post', () => {
  test('The original author of an import is text beside the author, and stays in edits, copies and exports', async () => {
    const w = await world({ bob: 'write' })
    const post = await written(w, 'bob', { originalAuthor: ' Ada\n Test ' })
    expect(post).toMatchObject({ user_id: w.as('bob').id, user_name: 'Bob Test', original_author: 'Ada Test' })
    const edited = await w.as('bob').patch(`/api/post/${post.id}`, { title: 'Snow' })
    expect(edited.body.post).toMatchObject({ title: 'Snow', original_author: 'Ada Test' })
    expect((await w.as('bob').patch(`/api/post/${post.id}`, { originalAuthor: 'Eve' })).status).toBe(400)
    expect((await w.as('bob').put(`/api/post/${post.id}`, { ...NOTE, originalAuthor: 'Eve' })).status).toBe(400)
    expect((await write(w, 'bob', { originalAuthor: 'x'.repeat(101) })).status).toBe(400)
    expect((await written(w, 'bob', { originalAuthor: '' })).original_author).toBeNull()
    const own = (await w.as('bob').post('/api/collections', { name: 'Own' })).body.collection.id
    const copied = await w.as('bob').post(`/api/post/${post.id}/copy`, { collectionIds: [own] })
    expect(copied.body.post).toMatchObject({ user_name: 'Bob Test', original_author: 'Ada Test' })
  })

  test('A complete event is returned as it was sent, and is one change', async () => {
    const w = await world({ bob: 'write' })
    const { person } = (await w.as('ada').post(`/api/collections/${w.collection.id}/people`, { name: 'Grandma' })).body
    const photos = [await assetRow(w, 'bob'), await assetRow(w, 'ada', [w.collection.id])]
    const before = (await w.changes()).length
    const sent = {
      type: 'event',
      kind: 'trip',
      title: 'To the lake',
      body: '<p>By <b>train</b></p><script>x</script>',
      date: '2026-05-01T10:30:00+02:00',
      dateZone: 'Europe/Vienna',
      datePrecision: 'day',
      endsAt: '2026-05-03T10:30:00+02:00',
      location: { lat: 47.5, lon: 13.2, name: 'Lake' },
      peopleIds: [person.id],
      existingAssetIds: photos,
    }
    const post = contract.Post.parse(await written(w, 'bob', sent))
    expect(post).toMatchObject({
      user_id: w.as('bob').id,
      user_name: 'Bob Test',
      type: 'event',
      kind: 'trip',
      body: '<p>By <b>train</b></p>',
      date_zone: 'Europe/Vienna',
      date_precision: 'day',
      location: sent.location,
      people: [person.id],
      collections: [{ collection_id: w.collection.id, user_id: w.as('bob').id }],
      version: 1,
    })
    expect([post.date, post.ends_at].map((time) => Date.parse(time ?? ''))).toEqual([sent.date, sent.endsAt].map(Date.parse))
    expect(post.assets.map(({ id }) => id)).toEqual(photos)
    expect((await w.as('ada').get(`/api/post/${post.id}`)).body.post.assets).toHaveLength(2)
    expect((await w.changes()).slice(before)).toMatchObject([
      { table_name: 'asset_collections', event: 'INSERT', ids: [photos[0]] },
      { table_name: 'post_collections', event: 'INSERT', ids: [post.id] },
    ])
  })

  test('A post without a collection is visible only to its author', async () => {
    const w = await world({ bob: 'write' })
    const post = await written(w, 'bob', { collectionIds: [] })
    expect(post).toMatchObject({ collections: [], date: null, date_precision: 'unknown', body: '', assets: [], people: [] })
    expect((await w.as('ada').get(`/api/post/${post.id}`)).status).toBe(404)
  })

  test('Creating the same id again returns the same post to its author only', async () => {
    const w = await world({ bob: 'write' })
    const id = newId()
    const both = await Promise.all([write(w, 'bob', { id }), write(w, 'bob', { id, title: 'Other' })])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 201])
    expect(both[0]?.body.post).toEqual(both[1]?.body.post)
    expect((await write(w, 'ada', { id })).status).toBe(409)
    expect(await counts(w)).toEqual([{ posts: 1, links: 1 }])
    await w.as('bob').delete(`/api/post/${id}`)
    expect((await write(w, 'bob', { id })).status).toBe(409)
  })

  test('Creating a post names ids that the author may not use, and writes nothing', async () => {
    const w = await world({ bob: 'write', eve: null })
    const [hidden, closed] = [await collectionOf(w, 'eve'), await collectionOf(w, 'eve', { bob: 'read' })]
    const { person } = (await w.as('eve').post(`/api/collections/${hidden}/people`, { name: 'X' })).body
    const [foreign, elsewhere] = [await assetRow(w, 'eve', [hidden]), await assetRow(w, 'eve', [closed])]
    for (const [more, status, named] of [
      [{ collectionIds: [w.collection.id, hidden] }, 404, hidden],
      [{ collectionIds: [w.collection.id, closed] }, 403, '“Another”'],
      [{ peopleIds: [person.id] }, 404, person.id],
      [{ existingAssetIds: [foreign] }, 404, foreign],
      [{ existingAssetIds: [elsewhere] }, 404, elsewhere],
      [{ existingAssetIds: [newId()] }, 404, ''],
    ] as const) {
      const { status: found, body } = await write(w, 'bob', more)
      expect(found).toBe(status)
      expect(body.error.message).toContain(named)
    }
    expect(await counts(w)).toEqual([{ posts: 0, links: 0 }])
    expect(await w.changes()).toEqual([])
  })

  test.each([
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(201) }, 'title'],
    [{ title: 'a\u0000' }, 'title'],
    [{ type: 'poll' }, 'type'],
    [{ type: 'note', kind: 'trip' }, 'kind'],
    [{ body: 'x'.repeat(100_001) }, 'body'],
    [{ body: 'a\ud800' }, 'body'],
    [{ date: '2026-02-30T10:00:00Z' }, 'date'],
    [{ date: '2026-05-01' }, 'date'],
    [{ date: '0000-05-01T00:00:00Z' }, 'date'],
    [{ dateZone: 'Mars/Olympus' }, 'dateZone'],
    [{ date: '2026-05-02T00:00:00Z', endsAt: '2026-05-01T00:00:00Z' }, 'endsAt'],
    [{ location: { lat: 90.0001, lon: 0 } }, 'location.lat'],
    [{ location: { lat: '1', lon: 0 } }, 'location.lat'],
    [{ location: { lat: 1 } }, 'location.lon'],
    [{ user_id: 'somebody' }, 'user_id'],
    [{ version: 7 }, 'version'],
    [{ collectionIds: ['x'] }, 'collectionIds.0'],
    [{ existingAssetIds: Array.from({ length: 101 }, () => newId()) }, 'existingAssetIds'],
  ])('Creating a post refuses %j', async (more, field) => {
    const w = await world({ bob: 'write' })
    const { status, body } = await write(w, 'bob', more)
    expect(status).toBe(400)
    expect(Object.keys(body.error.fields)).toContain(field)
    expect(await w.changes()).toEqual([])
  })

  test.each([
    { date: '0001-01-01T00:00:00Z' },
    { date: '1850-06-01T12:00:00Z' },
    { date: '9999-12-31T23:59:59Z' },
    { date: '2024-02-29T00:00:00Z' },
    { date: null, datePrecision: 'day' },
    { datePrecision: 'unknown', date: '2024-02-29T00:00:00Z' },
    { location: { lat: -90, lon: -180 } },
    { location: { lat: -0, lon: 180 } },
    { body: '<'.repeat(100_000) },
    { title: '‮ ‏👨‍👩‍👧'.repeat(40) },
  ])('Creating a post accepts %j', async (more) => {
    const w = await world({ bob: 'write' })
    const post = contract.Post.parse(await written(w, 'bob', more))
    expect(post.date === null).toBe(post.date_precision === 'unknown')
  })
})

describe('a post in two collections', () => {
  test('A reader does not see links, people and photos of the other collection', async () => {
    const w = await world({ bob: 'write', cleo: 'read' })
    const other = await collectionOf(w, 'bob')
    const { person } = (await w.as('bob').post(`/api/collections/${other}/people`, { name: 'Secret' })).body
    const photo = await assetRow(w, 'ada', [w.collection.id])
    const post = await written(w, 'bob', { collectionIds: [w.collection.id, other], peopleIds: [person.id], existingAssetIds: [photo] })
    expect(post).toMatchObject({ people: [person.id], assets: [{ id: photo }] })
    expect(post.collections).toHaveLength(2)
    const seen = (await w.as('cleo').get(`/api/post/${post.id}`)).body.post
    expect(seen).toMatchObject({ people: [], assets: [{ id: photo }], collections: [{ collection_id: w.collection.id }] })
    expect((await w.as('cleo').get(`/api/post/${post.id}?collection_id=${other}`)).status).toBe(404)
    expect((await w.as('bob').get(`/api/post/${post.id}?collection_id=${other}`)).status).toBe(200)
  })

  test('Another user’s photo is not linked along with a post', async () => {
    const w = await world({ bob: 'write', eve: null })
    const photo = await assetRow(w, 'ada', [w.collection.id])
    const other = await collectionOf(w, 'bob', { eve: 'read' })
    const post = await written(w, 'bob', { collectionIds: [w.collection.id, other], existingAssetIds: [photo] })
    expect((await w.as('eve').get(`/api/post/${post.id}`)).body.post.assets).toEqual([])
  })
})

describe('editing a post', () => {
  test('PATCH changes only the fields sent', async () => {
    const w = await world({ bob: 'write' })
    const post = await written(w, 'bob', {
      kind: 'idea',
      date: '2026-05-01T10:00:00Z',
      datePrecision: 'month',
      location: { lat: 1, lon: 2 },
      body: '<p>a</p>',
    })
    const patch = async (edit: object) =>
      contract.updatePost.response.parse((await w.as('bob').patch(`/api/post/${post.id}`, edit)).body).post
    const { updated_at: _, version: __, ...rest } = post
    expect(await patch({ title: 'Second snow' })).toMatchObject({ ...rest, title: 'Second snow', version: 2 })
    expect(await patch({ title: 'Second snow' })).toMatchObject({ version: 2 })
    expect(await patch({ datePrecision: 'year' })).toMatchObject({ date: post.date, date_precision: 'year' })
    expect(await patch({ date: '2025-01-01T00:00:00Z' })).toMatchObject({ date_precision: 'minute' })
    expect(await patch({ date: null })).toMatchObject({ date: null, date_precision: 'unknown', location: { lat: 1, lon: 2 } })
    expect(await patch({ datePrecision: 'day' })).toMatchObject({ date: null, date_precision: 'unknown' })
    expect(await patch({ type: 'event' })).toMatchObject({ type: 'event', kind: null })
    expect(await patch({ kind: 'sport', body: '<p onclick=x>b</p>', location: null })).toMatchObject({
      kind: 'sport',
      body: '<p>b</p>',
      location: null,
    })
    expect((await w.as('bob').patch(`/api/post/${post.id}`, { kind: 'recipe' })).status).toBe(400)
    await patch({ date: '2026-05-01T00:00:00Z' })
    expect((await w.as('bob').patch(`/api/post/${post.id}`, { endsAt: '2026-04-01T00:00:00Z' })).body.error.fields).toHaveProperty('endsAt')
  })

  test('PUT replaces everything', async () => {
    const w = await world({ bob: 'write' })
    const photo = await assetRow(w, 'bob')
    const post = await written(w, 'bob', {
      kind: 'idea',
      date: '2026-05-01T10:00:00Z',
      dateZone: 'UTC',
      location: { lat: 1, lon: 2 },
      body: 'a',
      existingAssetIds: [photo],
    })
    const { body } = await w.as('bob').put(`/api/post/${post.id}`, { type: 'note', title: 'Bare' })
    expect(contract.replacePost.response.parse(body).post).toMatchObject({
      title: 'Bare',
      kind: null,
      body: '',
      date: null,
      date_zone: null,
      location: null,
      assets: [],
      version: 2,
      collections: post.collections,
    })
  })

  test('Changing people and photos raises the version once and is one change', async () => {
    const w = await world({ bob: 'write' })
    const photos = [await assetRow(w, 'bob', [w.collection.id]), await assetRow(w, 'bob', [w.collection.id])]
    const post = await written(w, 'bob', { existingAssetIds: photos })
    const before = (await w.changes()).length
    const patch = (edit: object) => w.as('bob').patch(`/api/post/${post.id}`, edit)
    const changed = (await patch({ existingAssetIds: photos.toReversed(), title: 'Turned', date: '2026-05-01T00:00:00Z' })).body.post
    expect(changed.assets.map(({ id }: { id: string }) => id)).toEqual(photos.toReversed())
    expect(changed.version).toBe(2)
    expect((await patch({ existingAssetIds: photos.toReversed() })).body.post.version).toBe(2)
    expect((await patch({ existingAssetIds: [] })).body.post).toMatchObject({ version: 3, assets: [] })
    expect((await w.changes()).slice(before)).toMatchObject([
      { table_name: 'post_collections', event: 'UPDATE', ids: [post.id] },
      { table_name: 'post_collections', event: 'UPDATE', ids: [post.id] },
    ])
  })

  test('A photo is linked only to those collections of the post where its owner may add', async () => {
    const w = await world({ bob: 'admin' })
    const reading = await collectionOf(w, 'ada', { bob: 'read' })
    const gone = await collectionOf(w, 'ada', { bob: 'admin' })
    const post = await written(w, 'ada', { collectionIds: [w.collection.id, reading, gone] })
    expect((await w.as('ada').delete(`/api/collections/${gone}`)).status).toBe(200)
    const photo = await assetRow(w, 'bob')
    const edited = await w.as('bob').patch(`/api/post/${post.id}`, { existingAssetIds: [photo] })
    expect(edited.body.post.assets).toMatchObject([{ id: photo }])
    const links = await w.sql`select collection_id from asset_collections where asset_id = ${photo}`
    expect(links).toEqual([{ collection_id: w.collection.id }])
    expect((await w.as('ada').get(`/api/asset?collection_id=${reading}`)).body.assets).toEqual([])
  })

  test('An admin’s edit keeps people and photos that the admin cannot see', async () => {
    const w = await world({ bob: 'write' })
    const other = await collectionOf(w, 'bob')
    const { person } = (await w.as('bob').post(`/api/collections/${other}/people`, { name: 'Secret' })).body
    const [hidden, shown] = [await assetRow(w, 'bob', [other]), await assetRow(w, 'bob', [w.collection.id])]
    const post = await written(w, 'bob', { collectionIds: [other], peopleIds: [person.id], existingAssetIds: [hidden] })
    await w.as('bob').post(`/api/post/${post.id}/collections`, { collectionIds: [w.collection.id] })
    await w.sql`delete from asset_collections where asset_id = ${hidden} and collection_id = ${w.collection.id}`
    const edited = await w.as('ada').put(`/api/post/${post.id}`, { ...NOTE, title: 'By ada', existingAssetIds: [shown] })
    expect(edited.body.post).toMatchObject({ title: 'By ada', people: [], assets: [{ id: shown }] })
    const own = (await w.as('bob').get(`/api/post/${post.id}`)).body.post
    expect(own.people).toEqual([person.id])
    expect(own.assets.map(({ id }: { id: string }) => id).toSorted()).toEqual([hidden, shown].toSorted())
  })

  test('Of two edits with the same version one wins and the other gets the current row', async () => {
    const w = await world({ bob: 'write' })
    const post = await written(w, 'bob')
    const put = (who: string, title: string) =>
      w.as(who).put(`/api/post/${post.id}`, { ...NOTE, title }, { headers: { 'if-match': `"${post.version}"` } })
    const answers = await Promise.all([put('bob', 'B'), put('ada', 'A')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status)
    expect(lost?.body).toMatchObject({ success: false, error: { code: 'conflict' }, post: won?.body.post })
    expect((await w.as('bob').patch(`/api/post/${post.id}`, { title: 'C' }, { headers: { 'if-match': 'abc' } })).status).toBe(400)
    expect((await w.as('bob').patch(`/api/post/${post.id}`, { title: 'C' }, { headers: { 'if-match': '*' } })).status).toBe(200)
  })

  test('An admin cannot edit a post that someone other than its author added to the collection, and removes it from there only', async () => {
    const w = await world({ bob: 'write', cleo: 'admin' })
    const post = await written(w, 'bob')
    const other = await collectionOf(w, 'cleo', { bob: 'read' })
    await w.sql`insert into post_collections (collection_id, post_id, user_id) values (${other}, ${post.id}, ${w.as('cleo').id})`
    await w.sql`delete from members where collection_id = ${w.collection.id} and user_id = ${w.as('cleo').id}`
    expect((await w.as('cleo').get(`/api/post/${post.id}`)).status).toBe(200)
    expect((await w.as('cleo').patch(`/api/post/${post.id}`, { title: 'Taken' })).status).toBe(403)
    expect((await w.as('cleo').delete(`/api/post/${post.id}`)).status).toBe(200)
    expect((await w.as('bob').get(`/api/post/${post.id}`)).body.post.collections).toMatchObject([{ collection_id: w.collection.id }])
  })
})

describe('linking a post', () => {
  test('Only the author links a post, with their own photos, where they may write', async () => {
    const w = await world({ bob: 'write', cleo: 'admin', eve: null })
    const [own, foreign] = [await assetRow(w, 'bob', [w.collection.id]), await assetRow(w, 'ada', [w.collection.id])]
    const post = await written(w, 'bob', { existingAssetIds: [own, foreign] })
    const [open, closed, hidden] = [
      await collectionOf(w, 'eve', { bob: 'write', cleo: 'admin' }),
      await collectionOf(w, 'eve', { bob: 'read' }),
      await collectionOf(w, 'eve'),
    ]
    const link = (who: string, ...collectionIds: string[]) => w.as(who).post(`/api/post/${post.id}/collections`, { collectionIds })
    expect((await link('cleo', open)).status).toBe(403)
    expect((await link('bob', open, closed)).status).toBe(403)
    expect((await link('bob', open, hidden)).body.error.message).toContain(hidden)
    expect((await w.as('bob').get(`/api/post/${post.id}`)).body.post.collections).toHaveLength(1)
    for (const _ of [1, 2]) expect((await link('bob', open)).body.post.collections).toHaveLength(2)
    expect((await w.as('eve').get(`/api/post/${post.id}`)).body.post.assets).toMatchObject([{ id: own }])
  })
})

describe('trashing a post', () => {
  test('Trashing hides a post from everyone, and happens once', async () => {
    const w = await world({ bob: 'write', cleo: 'read' })
    const post = await written(w, 'bob')
    expect((await w.as('cleo').delete(`/api/post/${post.id}`)).status).toBe(403)
    expect((await w.as('bob').delete(`/api/post/${post.id}`)).body).toEqual({ success: true, changeId: expect.any(String), stillIn: [] })
    for (const name of ['ada', 'bob', 'cleo']) expect((await w.as(name).get(`/api/post/${post.id}`)).status).toBe(404)
    expect((await w.as('bob').delete(`/api/post/${post.id}`)).status).toBe(404)
    expect((await w.as('bob').patch(`/api/post/${post.id}`, { title: 'x' })).status).toBe(404)
    expect((await w.as('cleo').get(`/api/post?collection_id=${w.collection.id}`)).body.posts).toEqual([])
    expect((await w.changes()).map(({ event }) => event)).toEqual(['INSERT', 'DELETE'])
  })
})
