import { describe, expect, test } from 'vitest'
import { FEED, type FeedItem, getFeed } from '../../contract/feed.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

const page = async (w: World, who: string, query = '') => getFeed.response.parse((await w.as(who).get(`/api/feed${query}`)).body)

async function pages(w: World, who: string, limit: number): Promise<FeedItem[][]> {
  const found: FeedItem[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { items, nextCursor }: { items: FeedItem[]; nextCursor: string | null } = await page(
      w,
      who,
      `?limit=${limit}${cursor && `&cursor=${cursor}`}`,
    )
    found.push(items)
    cursor = nextCursor
  }
  return found
}

/** `count` assets that `who` added on that day, a minute apart. */
async function added(
  w: World,
  who: string,
  { count, day, collection = w.collection.id }: { count: number; day: string; collection?: string },
) {
  const { id } = w.as(who)
  await w.sql`with made as (
      insert into assets (id, user_id, status, name, type, size, checksum)
      select gen_random_uuid(), ${id}, 'ready', n || '.jpg', 'image/jpeg', 1, encode(sha256((gen_random_uuid()::text)::bytea), 'hex')
      from generate_series(1, ${count}::int) n returning id, name)
    insert into asset_collections (collection_id, asset_id, user_id, added_at)
    select ${collection}, id, ${id}, ${day}::timestamptz + split_part(name, '.', 1)::int * interval '1 second' from made`
}

describe('new items', () => {
  test('The feed groups new items by user, collection, kind and day, newest first', async () => {
    const w = await world({ bob: 'write', cleo: 'read' })
    const other = await collectionOf(w, 'bob', { cleo: 'read' })
    await added(w, 'ada', { count: 42, day: '2026-05-01T08:00:00Z' })
    await added(w, 'bob', { count: 3, day: '2026-05-01T08:00:10Z' })
    await added(w, 'ada', { count: 2, day: '2026-05-02T08:00:00Z' })
    await added(w, 'bob', { count: 5, day: '2026-05-03T08:00:00Z', collection: other })
    const post = (await w.as('bob').post('/api/post', { type: 'event', title: 'First snow', collectionIds: [w.collection.id] })).body.post
    const { items, nextCursor } = await page(w, 'cleo')
    expect(nextCursor).toBeNull()
    expect(items.map(({ kind, collection_name, user_name, count }) => [kind, collection_name, user_name, count])).toEqual([
      ['post', 'Kyoto', 'Bob Test', 1],
      ['member', 'Kyoto', 'Bob Test', 1],
      ['asset', 'Another', 'Bob Test', 5],
      ['asset', 'Kyoto', 'Ada Test', 2],
      ['asset', 'Kyoto', 'Ada Test', 42],
      ['asset', 'Kyoto', 'Bob Test', 3],
    ])
    const image = { version: 1, thumbhash: null, renditions: [] }
    expect(items[0]?.samples).toEqual([{ id: post.id, title: 'First snow', type: 'event', excerpt: '', cover: null, ...image }])
    expect(items[4]).toMatchObject({ photos: 42, videos: 0 })
    expect(items[4]?.samples.map(({ title }) => title)).toEqual(['42.jpg', '41.jpg', '40.jpg', '39.jpg'])
    expect(new Date(items[4]?.at ?? '').toISOString()).toBe('2026-05-01T08:00:42.000Z')
  })

  test('The feed leaves out foreign collections, the trash and unfinished uploads', async () => {
    const w = await world({ bob: 'read', eve: null })
    await added(w, 'ada', { count: 2, day: '2026-05-01T08:00:00Z' })
    const gone = await assetRow(w, 'ada', [w.collection.id])
    await w.as('ada').delete(`/api/asset/${gone}`)
    const unfinished = await assetRow(w, 'ada', [w.collection.id])
    await w.sql`update assets set status = 'uploading' where id = ${unfinished}`
    expect((await page(w, 'bob')).items).toMatchObject([{ count: 2 }])
    expect(await page(w, 'eve')).toMatchObject({ success: true, items: [], nextCursor: null })
    await w.as('ada').delete(`/api/collections/${w.collection.id}`)
    expect((await page(w, 'bob')).items).toEqual([])
  })
})

test('The parts of one item count once, as its cover, in the feed and on the card of the collection', async () => {
  const w = await world({ bob: 'write', cleo: 'read' })
  await added(w, 'ada', { count: 4, day: '2026-05-01T08:00:00Z' })
  await added(w, 'bob', { count: 1, day: '2026-05-01T09:00:00Z' })
  const rows = (await w.as('ada').get(`/api/asset?collection_id=${w.collection.id}`)).body.assets as {
    id: string
    name: string
    user_id: string
  }[]
  const ada = rows.filter(({ user_id }) => user_id === w.as('ada').id).toSorted((a, b) => a.name.localeCompare(b.name))
  const bob = rows.find(({ user_id }) => user_id === w.as('bob').id)
  await w.sql`update assets set type = 'video/mp4', renditions = '{"thumb": "image/webp"}' where id = ${ada[1]?.id ?? ''}`
  await w.sql`update assets set renditions = '{"thumb": "image/webp"}' where id = ${ada[0]?.id ?? ''}`
  const groups = `/api/collections/${w.collection.id}/groups`
  const card = async () => {
    const found = (await w.as('cleo').get('/api/collections')).body.collections[0]
    return [found.asset_count, found.covers.length]
  }
  expect(await card()).toEqual([5, 2])
  const made = await w.as('ada').post(groups, { assetIds: [ada[0]?.id, ada[1]?.id, bob?.id], cover: ada[0]?.id })
  expect(made.status).toBe(201)
  expect(await card()).toEqual([3, 1])
  const { items } = await page(w, 'cleo')
  const shown = items
    .filter(({ kind }) => kind === 'asset')
    .map(({ user_name, count, photos, videos }) => [user_name, count, photos, videos])
  expect(shown).toEqual([
    ['Bob Test', 1, 1, 0],
    ['Ada Test', 3, 3, 0],
  ])
  expect(items.find(({ user_name }) => user_name === 'Ada Test')?.samples.map(({ title }) => title)).toEqual(['4.jpg', '3.jpg', '1.jpg'])
  await w.as('ada').delete(`/api/asset/${ada[1]?.id}`)
  expect(await card()).toEqual([3, 1])
  await w.as('ada').delete(`${groups}/${made.body.group.id}`)
  expect(await card()).toEqual([4, 1])
})

test('After a transfer the feed still says when the new owner joined, and nothing of who made the collection', async () => {
  const w = await world({ bob: 'write', cleo: 'read' })
  const joined = async () => (await page(w, 'cleo')).items.map(({ kind, user_name }) => `${kind} ${user_name}`)
  expect(await joined()).toEqual(['member Bob Test'])
  expect((await w.as('ada').post(`/api/collections/${w.collection.id}/transfer`, { userId: w.as('bob').id })).status).toBe(200)
  expect(await joined()).toEqual(['member Bob Test'])
})

describe('posts in the feed', () => {
  test('A post has the start of its text without markup, and the first photo visible to the reader', async () => {
    const w = await world({ bob: 'read' })
    const [hidden, shown] = [await assetRow(w, 'ada'), await assetRow(w, 'ada', [w.collection.id])]
    const body = `<p>Fish &amp; chips,&nbsp;<strong>1 &lt; 2</strong></p><ul><li>“salt”</li></ul>${'<p>and more</p>'.repeat(100)}`
    const made = await w.as('ada').post('/api/post', { type: 'note', title: 'Lunch', body, collectionIds: [w.collection.id] })
    await w.sql`insert into post_assets (post_id, asset_id, position) values (${made.body.post.id}, ${hidden}, 0), (${made.body.post.id}, ${shown}, 1)`
    const sample = async (who: string) => (await page(w, who)).items.find(({ kind }) => kind === 'post')?.samples[0]
    expect((await sample('bob'))?.excerpt).toMatch(/^Fish & chips, 1 < 2 “salt” and more and more/)
    expect((await sample('bob'))?.excerpt.length).toBeLessThanOrEqual(FEED.excerpt)
    expect((await sample('bob'))?.cover?.id).toBe(shown)
    expect((await sample('ada'))?.cover?.id).toBe(hidden)
  })
})

describe('threads', () => {
  test('An entry has the comments and reactions of its first item, which stays the first while more are added', async () => {
    const w = await world({ bob: 'read' })
    const note = async (title: string) =>
      (await w.as('ada').post('/api/post', { type: 'note', title, collectionIds: [w.collection.id] })).body.post.id as string
    const first = await note('First')
    await w.as('bob').post(`/api/post/${first}/comments`, { collection_id: w.collection.id, text: 'Well said' })
    await w.as('bob').put(`/api/post/${first}/reactions/${encodeURIComponent('🎉')}?collection_id=${w.collection.id}`)
    const threadOf = async () => (await page(w, 'ada')).items.find(({ kind }) => kind === 'post')?.thread
    const thread = {
      item: { kind: 'post', id: first },
      type: 'note',
      title: 'First',
      answers: { comments: 1, reactions: [{ emoji: '🎉', count: 1, mine: false, who: [{ name: 'Bob Test' }] }] },
    }
    expect(await threadOf()).toMatchObject(thread)
    const second = await note('Second')
    for (const title of ['Third', 'Fourth', 'Fifth', 'Sixth']) await note(title)
    expect(await threadOf()).toMatchObject(thread)
    await w.as('ada').delete(`/api/post/${first}`)
    expect(await threadOf()).toMatchObject({ item: { id: second }, title: 'Second', answers: null })
  })

  test('The first of parts that count once is their cover', async () => {
    const w = await world({ bob: 'read' })
    await added(w, 'ada', { count: 3, day: '2026-05-01T08:00:00Z' })
    const [one, two] = (await w.sql`select id, name from assets where user_id = ${w.as('ada').id} order by name`) as {
      id: string
      name: string
    }[]
    await w.sql`update assets set renditions = '{"thumb": "image/webp"}' where id in (${one?.id ?? ''}, ${two?.id ?? ''})`
    const threadOf = async () => (await page(w, 'bob')).items.find(({ kind }) => kind === 'asset')?.thread?.title
    expect(await threadOf()).toBe('1.jpg')
    const made = await w.as('ada').post(`/api/collections/${w.collection.id}/groups`, { assetIds: [one?.id, two?.id], cover: two?.id })
    expect(made.status).toBe(201)
    expect(await threadOf()).toBe('2.jpg')
  })

  test('Of a day that fills more than one query the first item is the same on every page', async () => {
    const w = await world({ bob: 'write' })
    await added(w, 'bob', { count: 3, day: '2026-05-01T07:00:00Z' })
    await added(w, 'ada', { count: 2_500, day: '2026-05-01T08:00:00Z' })
    const titles = (await pages(w, 'ada', 1))
      .flat()
      .flatMap(({ kind, count, thread }) => (kind === 'asset' ? [[count, thread?.title]] : []))
    expect(titles).toEqual([
      [2_000, '1.jpg'],
      [500, '1.jpg'],
      [3, '1.jpg'],
    ])
  })
})

describe('visits', () => {
  test('A visit is stored with the account and never moves back or into the future', async () => {
    const w = await world({ bob: 'read' })
    const visit = async (seenAt: string) => (await w.as('bob').put('/api/feed/visit', { seenAt })).body.seenAt
    const first = await page(w, 'bob')
    expect(first.seenAt).toBeNull()
    expect(await visit(first.asOf)).toBe(first.asOf)
    expect(await visit('2020-01-01T00:00:00Z')).toBe(first.asOf)
    expect(Date.parse(await visit('2200-01-01T00:00:00Z'))).toBeLessThan(Date.parse('2200-01-01'))
    expect(Date.parse((await page(w, 'bob')).seenAt ?? '')).toBeGreaterThan(Date.parse(first.asOf))
    expect((await page(w, 'ada')).seenAt).toBeNull()
  })

  test.each([{}, { seenAt: 'yesterday' }, { seenAt: null }])('A visit refuses %j', async (body) => {
    const w = await world()
    expect((await w.as('ada').put('/api/feed/visit', body)).status).toBe(400)
  })
})

describe('pages of the feed', () => {
  test('Pages skip and repeat nothing, even if several groups have the same time', async () => {
    const w = await world({ bob: 'write' })
    for (let day = 1; day <= 5; day++)
      for (const who of ['ada', 'bob']) await added(w, who, { count: day, day: `2026-05-0${day}T08:00:00Z` })
    const found = await pages(w, 'bob', 3)
    expect(found.map(({ length }) => length)).toEqual([3, 3, 3, 1])
    const all = found.flat()
    expect(new Set(all.map(({ id }) => id)).size).toBe(10)
    expect(all.map(({ count }) => count)).toEqual([5, 5, 4, 4, 3, 3, 2, 2, 1, 1])
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
  })

  test('Pages continue past more additions than one query covers', async () => {
    const w = await world()
    await added(w, 'ada', { count: 1, day: '2026-04-30T08:00:00Z' })
    await added(w, 'ada', { count: 2_500, day: '2026-05-01T08:00:00Z' })
    await added(w, 'ada', { count: 600, day: '2026-05-02T08:00:00Z' })
    const all = (await pages(w, 'ada', 5)).flat()
    expect(all.map(({ count }) => count)).toEqual([600, 2_000, 500, 1])
  })

  test.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=',
    'cursor=AAAA',
    'cursor=AAAA.',
    'cursor=.AAAA',
    `cursor=${'x'.repeat(401)}`,
    'since=1',
  ])('The feed refuses ?%s', async (query) => {
    const w = await world()
    expect((await w.as('ada').get(`/api/feed?${query}`)).status).toBe(400)
  })

  test('The feed refuses a cursor of another user', async () => {
    const w = await world({ bob: 'read' })
    for (const day of [1, 2]) await added(w, 'ada', { count: 1, day: `2026-05-0${day}T08:00:00Z` })
    const { nextCursor } = await page(w, 'ada', '?limit=1')
    expect((await w.as('bob').get(`/api/feed?limit=1&cursor=${nextCursor}`)).status).toBe(400)
    expect((await w.as('ada').get(`/api/feed?limit=1&cursor=${nextCursor}`)).status).toBe(200)
  })
})
