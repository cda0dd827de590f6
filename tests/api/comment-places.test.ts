import { beforeAll, describe, expect, test } from 'vitest'
import type { Comment } from '../../contract/comments.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { type Topic, talkIn } from '../support/talk.ts'
import { type World, world } from '../support/world.ts'

let w: World
let t: ReturnType<typeof talkIn>
beforeAll(async () => {
  w = await world({ bob: 'write', amy: 'admin', rita: 'read', eve: null })
  t = talkIn(w)
})

const photo = async (): Promise<Topic> => ({ kind: 'asset', id: await assetRow(w, 'bob', [w.collection.id]) })
const undo = (who: string, changeId: string) => w.as(who).post(`/api/undo/${changeId}`)

/** Every call about a comment on the item. */
async function statuses(who: string, topic: Topic, said: Comment): Promise<number[]> {
  const answers = await Promise.all([
    t.list(who, topic),
    t.say(who, topic),
    t.react(who, topic, '👍'),
    t.takeBack(who, topic, '👍'),
    t.react(who, said, '👍'),
    t.takeBack(who, said, '👍'),
    w.as(who).patch(`/api/comments/${said.id}`, { text: 'Mine' }),
    w.as(who).patch(`/api/comments/${said.id}`, { hidden: true }),
    w.as(who).delete(`/api/comments/${said.id}`),
  ])
  return [...new Set(answers.map(({ status }) => status))]
}

test('Strangers see nothing of comments', async () => {
  const topic = await photo()
  const said = await t.said('rita', topic)
  expect(await statuses('eve', topic, said)).toEqual([404])
  expect((await w.anonymous.get(`${t.pathOf(topic)}/comments?${t.query}`)).status).toBe(401)
})

test('What was said in one collection is not seen in another, not even by the author of the item', async () => {
  const other = await collectionOf(w, 'bob', { eve: 'read' })
  const there = talkIn(w, other)
  const topic: Topic = { kind: 'asset', id: await assetRow(w, 'bob', [w.collection.id, other]) }
  const [here, elsewhere] = [await t.said('rita', topic, 'Here'), await there.said('eve', topic, 'There')]
  await t.react('rita', topic, '👍')
  expect((await t.heard('bob', topic)).map(({ id }) => id)).toEqual([here.id])
  expect((await there.heard('eve', topic)).map(({ id }) => id)).toEqual([elsewhere.id])
  expect(await there.answers('eve', topic)).toEqual({ comments: 1, reactions: [] })
  expect((await t.answers('bob', topic))?.reactions).toMatchObject([{ emoji: '👍', count: 1 }])
  expect(await statuses('eve', topic, here)).toContain(404)
  expect((await w.as('eve').delete(`/api/comments/${here.id}`)).status).toBe(404)
  await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('bob').id}`)
  expect((await t.list('bob', topic)).status).toBe(404)
  await w.sql`insert into members (collection_id, user_id, role) values (${w.collection.id}, ${w.as('bob').id}, 'write')`
})

describe('An item that is not there', () => {
  test.each(['trash', 'unlink'] as const)('Its comments are not seen after %s, and are back with it', async (how) => {
    const topic = await t.post('bob')
    const said = await t.said('rita', topic)
    await t.react('amy', topic, '🎉')
    const gone =
      how === 'trash'
        ? await w.as('bob').delete(t.pathOf(topic))
        : await w.as('bob').put('/api/post/bulk.collections.remove', { ids: [topic.id], collectionId: w.collection.id })
    expect(gone.status).toBe(200)
    for (const who of ['rita', 'amy', 'bob']) expect(await statuses(who, topic, said)).toEqual([404])
    await undo('bob', gone.body.changeId)
    expect(await t.heard('rita', topic)).toEqual([said])
    expect(await t.answers('rita', topic)).toMatchObject({ comments: 1, reactions: [{ emoji: '🎉' }] })
  })

  test('A comment whose item has left cannot be brought back until the item is', async () => {
    const topic = await t.post('bob')
    const said = await t.said('rita', topic)
    const { changeId } = (await w.as('rita').delete(`/api/comments/${said.id}`)).body
    const trashed = await w.as('bob').delete(t.pathOf(topic))
    expect((await undo('rita', changeId)).status).toBe(404)
    await undo('bob', trashed.body.changeId)
    expect((await undo('rita', changeId)).status).toBe(200)
  })

  test('Comments of a deleted collection are not seen, and go with it for good', async () => {
    const id = await collectionOf(w, 'ada', { rita: 'read' })
    const there = talkIn(w, id)
    const topic = await there.post('ada', [id])
    const said = await there.said('rita', topic)
    await there.react('rita', said, '👍')
    await w.as('ada').delete(`/api/collections/${id}`)
    expect((await there.list('rita', topic)).status).toBe(404)
    expect((await w.as('rita').delete(`/api/comments/${said.id}`)).status).toBe(404)
    await w.sql`delete from collections where id = ${id}`
    expect(await w.sql`select from comments where collection_id = ${id}`).toEqual([])
    expect(await w.sql`select from reactions where collection_id = ${id}`).toEqual([])
  })

  test('An item that is deleted for good takes its comments along', async () => {
    const topic = await t.post('bob')
    const said = await t.said('rita', topic)
    await t.said('rita', topic, 'Yes', { replyTo: said.id })
    await t.react('rita', said, '👍')
    await w.as('bob').delete(t.pathOf(topic))
    const { status } = await w.as('bob').delete('/api/trash', { postIds: [topic.id] })
    expect(status).toBe(200)
    expect(await w.sql`select from comments where post_id = ${topic.id}`).toEqual([])
  })
})

describe('What a comment moves', () => {
  const row = async ({ kind, id }: Topic) => {
    const [found] = kind === 'post' ? await w.sql`select * from posts where id = ${id}` : await w.sql`select * from assets where id = ${id}`
    return found
  }

  test('It moves the revision of the collection, and nothing of the item', async () => {
    for (const topic of [await t.post('bob'), await photo()]) {
      const before = await row(topic)
      const said = await t.said('rita', topic)
      await w.as('rita').patch(`/api/comments/${said.id}`, { text: 'Other words' })
      await t.react('rita', topic, '👍')
      await t.react('bob', said, '👍')
      await w.as('amy').patch(`/api/comments/${said.id}`, { hidden: true })
      await w.as('rita').delete(`/api/comments/${said.id}`)
      expect(await row(topic)).toEqual(before)
    }
  })

  test('Each is one change of the item, which says no more, and is in the deltas', async () => {
    const topic = await t.post('bob')
    const other = await t.post('bob')
    const start = await t.revision()
    const { etag } = await t.page('amy', 'post')
    const said = await t.said('rita', topic)
    await w.as('rita').patch(`/api/comments/${said.id}`, { text: 'Other words' })
    await t.react('rita', topic, '👍')
    await t.react('rita', said, '👍')
    await w.as('rita').delete(`/api/comments/${said.id}`)
    const written = (await w.changes()).filter(({ revision }) => revision > start)
    expect(written.map(({ table_name, event, ids }) => [table_name, event, ids])).toEqual(
      Array.from({ length: 5 }, () => ['comments', 'UPDATE', [topic.id]]),
    )
    const delta = await t.page('amy', 'post', `&since=${start}`)
    expect([...delta.items.keys()]).toEqual([topic.id])
    expect(delta.items.get(topic.id)?.answers?.reactions).toMatchObject([{ emoji: '👍', count: 1, mine: false }])
    expect(delta.deleted).toEqual([])
    expect(await t.page('amy', 'asset', `&since=${start}`)).toMatchObject({ items: new Map(), deleted: [] })
    expect((await t.page('amy', 'post')).etag).not.toBe(etag)
    expect(delta.items.has(other.id)).toBe(false)
  })

  test('An item that has left is deleted in the delta, whatever was said about it', async () => {
    const topic = await t.post('bob')
    const start = await t.revision()
    await t.said('rita', topic)
    await w.as('bob').delete(t.pathOf(topic))
    expect(await t.page('amy', 'post', `&since=${start}`)).toMatchObject({ items: new Map(), deleted: [topic.id] })
  })

  test('A call that is refused or repeated moves nothing', async () => {
    const topic = await t.post('bob')
    const said = await t.said('rita', topic)
    await t.react('rita', topic, '👍')
    const before = await t.revision()
    await t.say('rita', topic, 'Lovely', { id: said.id })
    await t.react('rita', topic, '👍')
    await t.takeBack('bob', topic, '👍')
    await w.as('rita').patch(`/api/comments/${said.id}`, { text: said.text })
    await w.as('bob').delete(`/api/comments/${said.id}`)
    expect(await t.revision()).toBe(before)
  })
})

describe('Comments since a revision', () => {
  test('Only those that are new or others, and the ids of those that are gone', async () => {
    const topic = await t.post('bob')
    const [kept, edited, deleted, felt] = [
      await t.said('rita', topic, 'Kept'),
      await t.said('rita', topic, 'Edited'),
      await t.said('rita', topic, 'Deleted'),
      await t.said('rita', topic, 'Felt'),
    ]
    const { revision } = (await t.list('amy', topic)).body
    expect((await t.list('amy', topic, `&since=${revision}`)).body).toMatchObject({ comments: [], deleted: [], revision })
    await w.as('rita').patch(`/api/comments/${edited.id}`, { text: 'Other words' })
    await w.as('rita').delete(`/api/comments/${deleted.id}`)
    await t.react('bob', felt, '👍')
    const fresh = await t.said('bob', topic, 'New')
    const { body } = await t.list('amy', topic, `&since=${revision}`)
    expect(body.comments.map(({ id }: Comment) => id)).toEqual([edited.id, felt.id, fresh.id])
    expect([body.deleted, body.revision]).toEqual([[deleted.id], await t.revision()])
    expect(body.comments.map(({ id }: Comment) => id)).not.toContain(kept.id)
  })

  test('A placeholder goes with its last answer', async () => {
    const topic = await t.post('bob')
    const first = await t.said('rita', topic)
    const second = await t.said('bob', topic, 'Yes', { replyTo: first.id })
    await w.as('rita').delete(`/api/comments/${first.id}`)
    const { revision } = (await t.list('amy', topic)).body
    await w.as('bob').delete(`/api/comments/${second.id}`)
    const { body } = await t.list('amy', topic, `&since=${revision}`)
    expect([body.comments, body.deleted.sort()]).toEqual([[], [first.id, second.id].sort()])
  })

  test('A revision before the log is 410, as for items', async () => {
    const topic = await t.post('bob')
    await t.said('rita', topic)
    const { revision } = (await t.list('rita', topic)).body
    await w.sql`delete from changes where collection_id = ${w.collection.id} and revision <= ${revision}`
    expect((await t.list('rita', topic, `&since=${revision - 1}`)).status).toBe(410)
    expect((await t.list('rita', topic, `&since=${revision}`)).status).toBe(200)
  })
})

test('Whoever has left stays the author of what they said', async () => {
  const topic = await t.post('bob')
  const said = await t.said('rita', topic)
  await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${w.as('rita').id}`)
  expect(await t.heard('bob', topic)).toEqual([said])
  expect(await statuses('rita', topic, said)).toEqual([404])
})
