import { describe, expect, test } from 'vitest'
import { listPosts, type Post } from '../../contract/posts.ts'
import { collectionOf } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

/** `count` posts of ada: every fifth without a date, and several on the same day. */
async function fill(w: World, count: number, collectionId = w.collection.id) {
  await w.sql`with made as (
      insert into posts (id, user_id, type, title, date, date_precision)
      select gen_random_uuid(), ${w.as('ada').id}, 'note', n::text, case when n % 5 > 0 then timestamptz '2020-01-01' + (n / 7) * interval '1 day' end,
        case when n % 5 > 0 then 'day' else 'unknown' end
      from generate_series(1, ${count}::int) n returning id)
    insert into post_collections (collection_id, post_id, user_id) select ${collectionId}, id, ${w.as('ada').id} from made`
}

async function pages(w: World, who: string, query: string): Promise<Post[][]> {
  const found: Post[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { status, body } = await w.as(who).get(`/api/post?${query}${cursor && `&cursor=${cursor}`}`)
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
    const page = listPosts.response.parse(body)
    found.push(page.posts)
    cursor = page.nextCursor
  }
  return found
}

const key = ({ date, id }: Post) => [date === null ? '' : new Date(date).toISOString(), id] as const
const newestFirst = (a: Post, b: Post) => (key(a)[0] === key(b)[0] ? (key(a)[1] < key(b)[1] ? 1 : -1) : key(a)[0] < key(b)[0] ? 1 : -1)

describe('pages of a list', () => {
  test('Pages skip and repeat nothing among equal and unknown dates', async () => {
    const w = await world({ bob: 'read' })
    await fill(w, 103)
    for (const query of [`collection_id=${w.collection.id}&limit=10`, 'limit=10']) {
      const found = await pages(w, 'bob', query)
      expect(found.map(({ length }) => length)).toEqual([...Array(10).fill(10), 3])
      const all = found.flat()
      expect(new Set(all.map(({ id }) => id)).size).toBe(103)
      expect(all).toEqual(all.toSorted(newestFirst))
    }
    expect((await pages(w, 'bob', 'limit=103')).length).toBe(1)
    expect((await pages(w, 'bob', 'limit=102')).map(({ length }) => length)).toEqual([102, 1])
  })

  test('A list without a collection has own items and those of every collection, each once', async () => {
    const w = await world({ bob: 'write', eve: null })
    const other = await collectionOf(w, 'eve', { bob: 'read' })
    await collectionOf(w, 'eve')
    const own = (await w.as('bob').post('/api/post', { type: 'note', title: 'own' })).body.post
    const both = (await w.as('eve').post('/api/post', { type: 'note', title: 'theirs', collectionIds: [other] })).body.post
    await fill(w, 4)
    const all = (await pages(w, 'bob', 'limit=2')).flat()
    expect(all).toHaveLength(6)
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([own.id, both.id]))
    expect((await pages(w, 'eve', '')).flat()).toHaveLength(1)
  })

  test('A page has fewer long posts, and none is left out', async () => {
    const w = await world({ bob: 'read' })
    await fill(w, 40)
    await w.sql`update posts set body = repeat('庭', 100000) where user_id = ${w.as('ada').id}`
    for (const query of [`collection_id=${w.collection.id}`, 'limit=2000', `collection_id=${w.collection.id}&since=0`]) {
      const found = await pages(w, 'bob', query)
      expect(found.length).toBe(2)
      expect(new Set(found.flat().map(({ id }) => id)).size).toBe(40)
      expect(found.flat()).toEqual(found.flat().toSorted(newestFirst))
    }
  })

  test('Trashed posts are not listed, and a stranger gets 404', async () => {
    const w = await world({ bob: 'read', eve: null })
    await fill(w, 3)
    const [first] = (await pages(w, 'ada', `collection_id=${w.collection.id}`)).flat()
    await w.as('ada').delete(`/api/post/${first?.id}`)
    expect((await pages(w, 'bob', `collection_id=${w.collection.id}`)).flat()).toHaveLength(2)
    expect((await w.as('eve').get(`/api/post?collection_id=${w.collection.id}`)).status).toBe(404)
  })

  test.each([
    'limit=0',
    'limit=-1',
    'limit=1e9',
    'limit=1;drop',
    'limit=5001',
    'limit=',
    'limit=1.5',
    'collection_id=x',
    'since=1',
    'collection_id=ID&since=-1',
    'collection_id=ID&since=x',
    'order=asc',
    'cursor=',
    `cursor=${'x'.repeat(201)}`,
    'cursor=%00',
  ])('A list refuses ?%s', async (query) => {
    const w = await world()
    expect((await w.as('ada').get(`/api/post?${query.replace('ID', w.collection.id)}`)).status).toBe(400)
  })

  test('A list refuses a cursor forged, truncated, of another list or of another user', async () => {
    const w = await world({ bob: 'read' })
    await fill(w, 5)
    const other = await collectionOf(w, 'ada')
    const list = `collection_id=${w.collection.id}&limit=2`
    const cursor: string = (await w.as('ada').get(`/api/post?${list}`)).body.nextCursor
    const text = Buffer.from(cursor, 'base64url').toString()
    const forged = [
      cursor.slice(0, -4),
      cursor.slice(4),
      cursor.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')),
      'AAAA',
      '%%%',
      Buffer.from(text.replace(/-0\d-/, '-12-')).toString('base64url'),
      Buffer.from(`${text.slice(0, 12)}|-infinity|' or 1=1`).toString('base64url'),
    ]
    for (const wrong of forged)
      expect((await w.as('ada').get(`/api/post?${list}&cursor=${encodeURIComponent(wrong)}`)).status, wrong).toBe(400)
    expect((await w.as('bob').get(`/api/post?${list}&cursor=${cursor}`)).status).toBe(400)
    expect((await w.as('ada').get(`/api/post?collection_id=${other}&cursor=${cursor}`)).status).toBe(400)
    expect((await w.as('ada').get(`/api/post?cursor=${cursor}`)).status).toBe(400)
    expect((await w.as('ada').get(`/api/asset?collection_id=${w.collection.id}&cursor=${cursor}`)).status).toBe(400)
    expect((await w.as('ada').get(`/api/post?${list}&cursor=${cursor}`)).status).toBe(200)
  })

  test('A page of a large collection costs as much as one of a small collection', async () => {
    const w = await world()
    await fill(w, 3000)
    await w.sql`analyze posts, post_collections`
    const plan = async (from: string) =>
      JSON.stringify(
        await w.sql`explain (format json) select l.post_id from post_collections l join posts i on i.id = l.post_id
          where l.collection_id = ${w.collection.id} and l.live and (l.sort_at, l.post_id) < (${from}::timestamp at time zone 'UTC', ${w.collection.id}::uuid)
          order by l.sort_at desc nulls last, l.post_id desc nulls last limit 11`,
      )
    expect(await plan('2020-06-01')).toContain('post_collections_list')
    expect(await plan('2020-06-01')).not.toContain('"Sort"')
  })
})

describe('revisions', () => {
  test('since returns changed and deleted rows, and nothing without changes', async () => {
    const w = await world({ bob: 'write' })
    await fill(w, 5)
    const list = `/api/post?collection_id=${w.collection.id}`
    const start = (await w.as('bob').get(list)).body
    const [kept, gone] = start.posts
    expect((await w.as('bob').get(`${list}&since=${start.revision}`)).body).toMatchObject({
      posts: [],
      deleted: [],
      revision: start.revision,
    })

    await w.as('ada').patch(`/api/post/${kept.id}`, { title: 'Changed' })
    await w.as('ada').delete(`/api/post/${gone.id}`)
    const added = (await w.as('bob').post('/api/post', { type: 'note', title: 'New', collectionIds: [w.collection.id] })).body.post
    const delta = listPosts.response.parse((await w.as('bob').get(`${list}&since=${start.revision}`)).body)
    expect(delta.posts.map(({ id }) => id).toSorted()).toEqual([kept.id, added.id].toSorted())
    expect(delta).toMatchObject({ deleted: [gone.id], nextCursor: null, revision: start.revision + 3 })
  })

  test('A large delta has pages', async () => {
    const w = await world()
    const since = (await w.as('ada').get(`/api/post?collection_id=${w.collection.id}`)).body.revision
    await fill(w, 25)
    const found = await pages(w, 'ada', `collection_id=${w.collection.id}&since=${since}&limit=10`)
    expect(found.map(({ length }) => length)).toEqual([10, 10, 5])
  })

  test('A revision that the log does not reach, or that never existed, gets 410', async () => {
    const w = await world()
    await fill(w, 2)
    const list = `/api/post?collection_id=${w.collection.id}`
    const { revision } = (await w.as('ada').get(list)).body
    expect((await w.as('ada').get(`${list}&since=${revision + 1}`)).status).toBe(410)
    expect((await w.as('ada').get(`${list}&since=9007199254740991`)).status).toBe(410)
    expect((await w.as('ada').get(`${list}&since=0`)).status).toBe(200)
    await w.sql`delete from changes where collection_id = ${w.collection.id} and revision = 1`
    expect((await w.as('ada').get(`${list}&since=0`)).status).toBe(410)
    expect((await w.as('ada').get(`${list}&since=${revision}`)).status).toBe(200)
  })

  test('An unchanged list gets 304', async () => {
    const w = await world({ bob: 'read' })
    await fill(w, 2)
    const list = `/api/post?collection_id=${w.collection.id}`
    const first = await w.as('bob').get(list)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toContain(String(first.body.revision))
    const again = () => w.as('bob').get(list, { headers: { 'if-none-match': etag } })
    expect((await again()).status).toBe(304)
    expect((await w.as('ada').get(list, { headers: { 'if-none-match': etag } })).status).toBe(200)
    await w.as('ada').patch(`/api/post/${first.body.posts[0].id}`, { title: 'Changed' })
    expect((await again()).status).toBe(200)
  })

  test('Joining another collection shows the links to it at once', async () => {
    const w = await world({ bob: 'read' })
    const other = await collectionOf(w, 'ada')
    const post = (await w.as('ada').post('/api/post', { type: 'note', title: 'Both', collectionIds: [w.collection.id, other] })).body.post
    const list = `/api/post?collection_id=${w.collection.id}`
    const before = await w.as('bob').get(list)
    expect(before.body.posts[0].collections).toHaveLength(1)
    await w.sql`insert into members (collection_id, user_id, role) values (${other}, ${w.as('bob').id}, 'read')`
    const after = await w.as('bob').get(list, { headers: { 'if-none-match': before.headers.get('etag') ?? '' } })
    expect(after.body.posts).toMatchObject([{ id: post.id, collections: [{}, {}] }])
  })
})
