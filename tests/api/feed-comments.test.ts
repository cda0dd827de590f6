import { describe, expect, test } from 'vitest'
import { FEED, type FeedItem, getFeed } from '../../contract/feed.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { talkIn } from '../support/talk.ts'
import { type World, world } from '../support/world.ts'

const feedOf = async (w: World, who: string, query = '') => getFeed.response.parse((await w.as(who).get(`/api/feed${query}`)).body)
const commentsOf = async (w: World, who: string) => (await feedOf(w, who)).items.filter(({ kind }) => kind === 'comment')
const short = (items: FeedItem[]) => items.map(({ user_name, count, comment }) => [user_name, count, comment?.text])

async function stage() {
  const w = await world({ bob: 'write', cleo: 'read', dan: 'read', eve: null })
  return { w, t: talkIn(w) }
}

describe('Comments in the feed', () => {
  test('The author of an item, earlier commenters and mentioned people have an entry, and nobody else', async () => {
    const { w, t } = await stage()
    const topic = await t.post('bob')
    await t.said('cleo', topic, 'First')
    expect(await commentsOf(w, 'bob')).toMatchObject([
      {
        collection_id: w.collection.id,
        collection_name: 'Kyoto',
        user_id: w.as('cleo').id,
        user_name: 'Cleo Test',
        count: 1,
        photos: 0,
        videos: 0,
        samples: [{ id: topic.id, title: 'Kyoto', type: 'note' }],
        thread: { item: topic, title: 'Kyoto', type: 'note', answers: { comments: 1, reactions: [] } },
        comment: { text: 'First', others: 0, mentioned: false, own: true },
      },
    ])
    expect(await commentsOf(w, 'cleo')).toEqual([])
    const dan = await t.person('Dan', w.as('dan').id)
    await t.said('ada', topic, `Second, \n with @Dan and ${'much more '.repeat(50)}`, { mentions: [dan] })
    const [bobs] = await commentsOf(w, 'bob')
    expect(bobs).toMatchObject({ user_name: 'Ada Test', count: 2, comment: { others: 1, mentioned: false, own: true } })
    expect(bobs?.comment?.text).toMatch(/^Second, with @Dan and much more/)
    expect(bobs?.comment?.text.length).toBeLessThanOrEqual(FEED.excerpt)
    expect(await commentsOf(w, 'cleo')).toMatchObject([
      { user_name: 'Ada Test', count: 1, comment: { others: 0, mentioned: false, own: false } },
    ])
    expect(await commentsOf(w, 'dan')).toMatchObject([{ user_name: 'Ada Test', count: 1, comment: { mentioned: true, own: false } }])
    expect(await commentsOf(w, 'ada')).toEqual([])
    expect(await commentsOf(w, 'eve')).toEqual([])
  })

  test('Each item, collection and day has one entry, which keeps its id and is paged with the others', async () => {
    const { w, t } = await stage()
    const other = await collectionOf(w, 'ada', { bob: 'write', cleo: 'read' })
    const photo = { kind: 'asset' as const, id: await assetRow(w, 'bob', [w.collection.id, other]) }
    const post = await t.post('bob')
    for (const [topic, text] of [[photo, 'One'] as const, [photo, 'Two'] as const, [post, 'Three'] as const])
      await t.said('cleo', topic, text)
    await talkIn(w, other).said('cleo', photo, 'Elsewhere')
    await w.sql`update comments set created_at = created_at - interval '3 days' where text = 'One' and collection_id = ${w.collection.id}`
    const found = await commentsOf(w, 'bob')
    expect(short(found)).toEqual([
      ['Cleo Test', 1, 'Elsewhere'],
      ['Cleo Test', 1, 'Three'],
      ['Cleo Test', 1, 'Two'],
      ['Cleo Test', 1, 'One'],
    ])
    await t.said('ada', photo, 'Four')
    const now = await commentsOf(w, 'bob')
    expect(short(now)[0]).toEqual(['Ada Test', 2, 'Four'])
    expect(now.map(({ id }) => id).toSorted()).toEqual(found.map(({ id }) => id).toSorted())
    const paged: FeedItem[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { items, nextCursor }: { items: FeedItem[]; nextCursor: string | null } = await feedOf(
        w,
        'bob',
        `?limit=1${cursor && `&cursor=${cursor}`}`,
      )
      paged.push(...items)
      cursor = nextCursor
    }
    expect(paged).toEqual((await feedOf(w, 'bob')).items)
  })

  test('A comment counts as new by the visit that is stored with the account', async () => {
    const { w, t } = await stage()
    const topic = await t.post('bob')
    const { asOf } = await feedOf(w, 'bob')
    await w.as('bob').put('/api/feed/visit', { seenAt: asOf })
    await t.said('cleo', topic)
    const { seenAt, items } = await feedOf(w, 'bob')
    const unseen = items.filter(({ at, user_id }) => user_id !== w.as('bob').id && Date.parse(at) > Date.parse(seenAt ?? ''))
    expect(unseen.map(({ kind }) => kind)).toEqual(['comment'])
  })

  test('A muted collection keeps its comments in the feed', async () => {
    const { w, t } = await stage()
    await w.as('bob').put(`/api/collections/${w.collection.id}/notices`, { muted: true })
    await t.said('cleo', await t.post('bob'))
    expect(await commentsOf(w, 'bob')).toHaveLength(1)
  })
})

describe('An entry of comments goes', () => {
  test('when its comment is deleted or hidden, and comes back with it', async () => {
    const { w, t } = await stage()
    const topic = await t.post('bob')
    const [one, two] = [await t.said('cleo', topic, 'One'), await t.said('dan', topic, 'Two')]
    const { changeId } = (await w.as('dan').delete(`/api/comments/${two.id}`)).body
    expect(short(await commentsOf(w, 'bob'))).toEqual([['Cleo Test', 1, 'One']])
    await w.as('ada').patch(`/api/comments/${one.id}`, { hidden: true })
    for (const who of ['ada', 'bob']) expect(await commentsOf(w, who)).toEqual([])
    await w.as('dan').post(`/api/undo/${changeId}`)
    await w.as('ada').patch(`/api/comments/${one.id}`, { hidden: false })
    expect(short(await commentsOf(w, 'bob'))).toEqual([['Dan Test', 2, 'Two']])
  })

  test('with the item, out of the collection or to the trash', async () => {
    const { w, t } = await stage()
    const other = await collectionOf(w, 'bob')
    const photo = { kind: 'asset' as const, id: await assetRow(w, 'bob', [w.collection.id, other]) }
    const post = await t.post('bob')
    for (const topic of [photo, post]) await t.said('cleo', topic)
    await w.sql`delete from asset_collections where asset_id = ${photo.id} and collection_id = ${w.collection.id}`
    expect((await commentsOf(w, 'bob')).map(({ thread }) => thread?.item)).toEqual([post])
    await w.as('bob').delete(`/api/post/${post.id}`)
    expect(await commentsOf(w, 'bob')).toEqual([])
  })

  test('for who is no longer a member, or mentioned as a person that was removed', async () => {
    const { w, t } = await stage()
    const topic = await t.post('bob')
    const dan = await t.person('Dan', w.as('dan').id)
    await t.said('cleo', topic, 'Hello @Dan', { mentions: [dan] })
    expect(await commentsOf(w, 'dan')).toHaveLength(1)
    await w.sql`delete from people where id = ${dan}`
    expect(await commentsOf(w, 'dan')).toEqual([])
    await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('bob').id}`)
    expect((await feedOf(w, 'bob')).items).toEqual([])
  })

  test('but stays when the author of the comment is no longer a member', async () => {
    const { w, t } = await stage()
    await t.said('cleo', await t.post('bob'), 'Farewell')
    await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('cleo').id}`)
    expect(await commentsOf(w, 'bob')).toMatchObject([{ user_name: 'Cleo Test', user_avatar: null, comment: { text: 'Farewell' } }])
  })
})

test('Of 10,000 comments on one photo the newest make its entry, which hides nothing else', async () => {
  const { w, t } = await stage()
  const photo = { kind: 'asset' as const, id: await assetRow(w, 'bob', [w.collection.id]) }
  await w.sql`insert into comments (id, collection_id, asset_id, user_id, text, created_at)
    select gen_random_uuid(), ${w.collection.id}, ${photo.id}, case n % 2 when 0 then ${w.as('cleo').id} else ${w.as('dan').id} end, 'No. ' || n,
      now() - n * interval '1 millisecond' from generate_series(1, 10000) n`
  const post = await t.post('ada')
  const { items } = await feedOf(w, 'bob')
  expect(items[0]).toMatchObject({ kind: 'post', thread: { item: post } })
  expect(items.find(({ kind }) => kind === 'comment')).toMatchObject({
    user_name: 'Dan Test',
    comment: { text: 'No. 1', others: 1 },
    thread: { item: photo, answers: { comments: 10_000 } },
  })
})
