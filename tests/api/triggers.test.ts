import { describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

const published = async (w: World) => (await w.changes()).map(({ table_name, event, ids }) => `${table_name} ${event} ${ids.length}`)
const counted = async (w: World, id = w.collection.id) =>
  (
    await w.sql`select post_count, asset_count,
    (select count(*)::int from post_collections l join posts p on p.id = l.post_id where l.collection_id = c.id and p.deleted_at is null) as posts,
    (select count(*)::int from asset_collections l join assets a on a.id = l.asset_id
      where l.collection_id = c.id and a.deleted_at is null and a.status = 'ready') as assets
    from collections c where id = ${id}`
  )[0]

describe('a statement is one change', () => {
  test('A statement on 1,000 rows is one change, from creation to deletion', async () => {
    const w = await world()
    const ada = w.as('ada').id
    const title = newId()
    await w.sql`insert into posts (id, user_id, type, title) select gen_random_uuid(), ${ada}, 'note', ${title} from generate_series(1, 1000)`
    await w.sql`insert into post_collections (collection_id, post_id, user_id) select ${w.collection.id}, id, ${ada} from posts where title = ${title}`
    await w.sql`update posts set date = now(), date_precision = 'day' where title = ${title}`
    await w.sql`update posts set kind = null where title = ${title}`
    await w.sql`update posts set deleted_at = now() where title = ${title}`
    await w.sql`update posts set deleted_at = null where title = ${title}`
    expect(await counted(w)).toMatchObject({ post_count: 1000, posts: 1000 })
    await w.sql`delete from post_collections where collection_id = ${w.collection.id}`
    expect(await published(w)).toEqual(['INSERT', 'UPDATE', 'DELETE', 'INSERT', 'DELETE'].map((event) => `post_collections ${event} 1000`))
    expect(await counted(w)).toMatchObject({ post_count: 0, posts: 0 })
    const revisions = (await w.changes()).map(({ revision }) => revision)
    expect(revisions).toEqual(revisions.map((_, n) => (revisions[0] ?? 0) + n))
  })

  test('A new post with people and photos is one change in each of its collections', async () => {
    const w = await world()
    const other = await collectionOf(w, 'ada')
    const { person } = (await w.as('ada').post(`/api/collections/${w.collection.id}/people`, { name: 'P' })).body
    const photo = await assetRow(w, 'ada', [w.collection.id, other])
    const before = (await published(w)).length
    await w.as('ada').post('/api/post', {
      type: 'note',
      title: 'A',
      collectionIds: [w.collection.id, other],
      peopleIds: [person.id],
      existingAssetIds: [photo],
    })
    expect((await published(w)).slice(before)).toEqual(['post_collections INSERT 1'])
    const there = await w.sql`select table_name, event from changes where collection_id = ${other} order by revision desc limit 1`
    expect(there).toEqual([{ table_name: 'post_collections', event: 'INSERT' }])
  })
})

describe('published changes', () => {
  test('An upload is published once, when it is ready', async () => {
    const w = await world()
    const id = newId()
    await w.sql`insert into assets (id, user_id, name, type, size, checksum) values (${id}, ${w.as('ada').id}, 'a', 'image/jpeg', 1, ${'0'.repeat(52) + id.slice(-12)})`
    await w.sql`insert into asset_collections (collection_id, asset_id, user_id) values (${w.collection.id}, ${id}, ${w.as('ada').id})`
    await w.sql`update assets set width = 7, date = '2020-01-01', date_precision = 'day' where id = ${id}`
    expect(await published(w)).toEqual([])
    await w.sql`update assets set status = 'ready' where id = ${id}`
    expect(await published(w)).toEqual(['asset_collections INSERT 1'])
    expect(await w.sql`select sort_at = '2020-01-01' as sorted from asset_collections where asset_id = ${id}`).toEqual([{ sorted: true }])
    expect(await counted(w)).toMatchObject({ asset_count: 1, assets: 1 })
  })

  test('An asset made ready and linked in one statement is published and counted once', async () => {
    const w = await world()
    const id = newId()
    await w.sql`insert into assets (id, user_id, name, type, size, checksum) values (${id}, ${w.as('ada').id}, 'a', 'image/jpeg', 1, ${'1'.repeat(52) + id.slice(-12)})`
    await w.sql`with ready as (update assets set status = 'ready' where id = ${id} returning id)
      insert into asset_collections (collection_id, asset_id, user_id) select ${w.collection.id}, id, ${w.as('ada').id} from ready`
    expect(await published(w)).toEqual(['asset_collections INSERT 1'])
    expect(await counted(w)).toMatchObject({ asset_count: 1, assets: 1 })
  })

  test('A changed photo is published as a change of the posts that show it, in their collections', async () => {
    const w = await world()
    const other = await collectionOf(w, 'ada')
    const photo = await assetRow(w, 'ada', [other])
    const { post } = (
      await w.as('ada').post('/api/post', { type: 'note', title: 'A', collectionIds: [w.collection.id], existingAssetIds: [photo] })
    ).body
    await w.sql`delete from asset_collections where asset_id = ${photo} and collection_id = ${w.collection.id}`
    const before = (await w.changes()).length
    await w.sql`update assets set alt = 'A lake' where id = ${photo}`
    expect((await w.changes()).slice(before)).toMatchObject([{ table_name: 'post_collections', event: 'UPDATE', ids: [post.id] }])
  })

  test('A link to one collection is published as a change in the post’s other collections', async () => {
    const w = await world()
    const other = await collectionOf(w, 'ada')
    const { post } = (await w.as('ada').post('/api/post', { type: 'note', title: 'A', collectionIds: [w.collection.id] })).body
    await w.as('ada').post(`/api/post/${post.id}/collections`, { collectionIds: [other] })
    await w.sql`delete from post_collections where post_id = ${post.id} and collection_id = ${other}`
    expect(await published(w)).toEqual(['post_collections INSERT 1', 'post_collections UPDATE 1', 'post_collections UPDATE 1'])
  })

  test('Rows deleted for good are published if they were visible', async () => {
    const w = await world()
    const { post } = (await w.as('ada').post('/api/post', { type: 'note', title: 'A', collectionIds: [w.collection.id] })).body
    const trashed = (await w.as('ada').post('/api/post', { type: 'note', title: 'B', collectionIds: [w.collection.id] })).body.post
    const photo = await assetRow(w, 'ada', [w.collection.id])
    await w.as('ada').delete(`/api/post/${trashed.id}`)
    await w.sql`delete from posts where id in (${post.id}, ${trashed.id})`
    await w.sql`delete from assets where id = ${photo}`
    expect(await published(w)).toEqual([
      'post_collections INSERT 1',
      'post_collections INSERT 1',
      'asset_collections INSERT 1',
      'post_collections DELETE 1',
      'post_collections DELETE 1',
      'asset_collections DELETE 1',
    ])
    expect(await counted(w)).toEqual({ post_count: 0, asset_count: 0, posts: 0, assets: 0 })
  })

  test('A write that was refused or changed nothing is not published', async () => {
    const w = await world({ bob: 'read', eve: null })
    const { post } = (await w.as('ada').post('/api/post', { type: 'note', title: 'A', collectionIds: [w.collection.id] })).body
    const before = (await published(w)).length
    const path = `/api/collections/${w.collection.id}`
    for (const name of ['bob', 'eve']) {
      const as = w.as(name)
      await Promise.all([
        as.post('/api/post', { type: 'note', title: 'No', collectionIds: [w.collection.id] }),
        as.patch(`/api/post/${post.id}`, { title: 'No' }),
        as.delete(`/api/post/${post.id}`),
        as.put(path, { name: 'No' }),
        as.delete(path),
        as.post(`${path}/people`, { name: 'No' }),
        as.post(`${path}/invites/invite`, { email: 'no@example.org', role: 'read' }),
        as.delete(`${path}/members/${w.as('ada').id}`),
      ])
    }
    await w.as('ada').patch(`/api/post/${post.id}`, { title: 'A' })
    await w.as('ada').put(path, { name: 'Kyoto' })
    expect((await published(w)).slice(before)).toEqual([])
  })
})

describe('concurrent writes', () => {
  test('Concurrent writers in two collections never wait for each other, and every revision is published', async () => {
    const w = await world({ bob: 'write', cleo: 'write' })
    const other = await collectionOf(w, 'bob', { ada: 'write', cleo: 'write' })
    const both = [w.collection.id, other]
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        w
          .as(['ada', 'bob', 'cleo'][n % 3] ?? 'ada')
          .post('/api/post', { type: 'note', title: `${n}`, collectionIds: n % 2 ? both : both.toReversed() }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(201))
    const edits = await Promise.all(
      answers.map(({ body }, n) =>
        w.as(['ada', 'bob', 'cleo'][n % 3] ?? 'ada').patch(`/api/post/${body.post.id}`, { date: '2026-05-01T00:00:00Z' }),
      ),
    )
    expect(edits.map(({ status }) => status)).toEqual(Array(30).fill(200))
    for (const id of both) {
      expect(await counted(w, id)).toMatchObject({ post_count: 30, posts: 30 })
      expect(await w.sql`select max(revision) = count(*) as gapless from changes where collection_id = ${id}`).toEqual([{ gapless: true }])
    }
  })

  test('A link made while the date changes is sorted by the new date', async () => {
    const w = await world()
    for (let round = 0; round < 5; round++) {
      const { post } = (await w.as('ada').post('/api/post', { type: 'note', title: 'A' })).body
      await Promise.all([
        w.as('ada').patch(`/api/post/${post.id}`, { date: '2026-05-01T00:00:00Z' }),
        w.as('ada').post(`/api/post/${post.id}/collections`, { collectionIds: [w.collection.id] }),
      ])
      expect(await w.sql`select sort_at = '2026-05-01' as sorted from post_collections where post_id = ${post.id}`).toEqual([
        { sorted: true },
      ])
    }
  })
})
