import { beforeAll, describe, expect, test } from 'vitest'
import type { Comment } from '../../contract/comments.ts'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import { collectionOf } from '../support/rows.ts'
import { talkIn } from '../support/talk.ts'
import { type World, world } from '../support/world.ts'

let w: World
let t: ReturnType<typeof talkIn>
beforeAll(async () => {
  w = await world({ bob: 'write', amy: 'admin', rita: 'read', eve: null })
  t = talkIn(w)
})

const remove = (who: string, { id }: Comment) => w.as(who).delete(`/api/comments/${id}`)

describe('Texts', () => {
  test('2,000 characters as people count them fit, one more does not', async () => {
    const topic = await t.post('bob')
    const family = '👨‍👩‍👧‍👦'
    expect((await t.said('rita', topic, family.repeat(LIMITS.comment))).text).toBe(family.repeat(LIMITS.comment))
    const { status, body } = await t.say('rita', topic, 'a'.repeat(LIMITS.comment + 1))
    expect([status, body.error.fields]).toEqual([400, { text: 'A comment may have at most 2000 characters' }])
    const said = await t.said('rita', topic)
    expect((await w.as('rita').patch(`/api/comments/${said.id}`, { text: 'a'.repeat(LIMITS.comment + 1) })).status).toBe(400)
    expect((await t.say('rita', topic, `e${'\u0301'.repeat(70_000)}`)).status).toBe(400)
  })

  test.each([
    ['right to left', 'שלום עולם، مرحبا'],
    ['with 4-byte characters', '𝒢𝓇ℯ𝒶𝓉 🏔️ 𠮷野家'],
    ['with a direction override', 'abc\u202edef\u2066'],
    ['that is markup', '<script>alert(1)</script> &amp; <b>bold</b>'],
    ['that is SQL', "'); drop table comments; --"],
    ['with a null byte in words', '\\u0000 %00'],
  ])('A text %s stays as it is', async (_what, text) => {
    const topic = await t.post('bob')
    await t.said('rita', topic, text)
    expect((await t.heard('bob', topic))[0]?.text).toBe(text.normalize('NFC'))
  })

  test.each(['a\u0000b', 'a\u0007b', '\ud800'])('A text that cannot be stored is refused: %j', async (text) => {
    expect((await t.say('rita', await t.post('bob'), text)).status).toBe(400)
  })
})

describe('Answers to a comment', () => {
  test('A comment on another item, in another collection or of nobody cannot be answered', async () => {
    const topic = await t.post('bob')
    const elsewhere = talkIn(w, await collectionOf(w, 'bob'))
    const both = await t.post('bob', [w.collection.id, elsewhere.query.split('=')[1] ?? ''])
    for (const replyTo of [(await t.said('bob', await t.post('bob'))).id, (await elsewhere.said('bob', both)).id, newId()]) {
      const { status, body } = await t.say('rita', replyTo === both.id ? both : topic, 'Yes', { replyTo })
      expect([status, Object.keys(body.error.fields)]).toEqual([400, ['replyTo']])
    }
    const other = await elsewhere.said('bob', both, 'Only there')
    expect((await t.say('bob', both, 'Yes', { replyTo: other.id })).status).toBe(400)
  })

  test('A deleted comment cannot be answered, also one that others have answered', async () => {
    const topic = await t.post('bob')
    const first = await t.said('rita', topic)
    await t.said('bob', topic, 'Yes', { replyTo: first.id })
    const second = await t.said('rita', topic)
    for (const comment of [first, second]) {
      await remove('rita', comment)
      const { status, body } = await t.say('bob', topic, 'No', { replyTo: comment.id })
      expect([status, body.error.message]).toEqual([409, 'The comment that you answer has been deleted'])
    }
  })

  test('Answering and deleting at once leaves no answer to nothing', async () => {
    for (let round = 0; round < 5; round++) {
      const topic = await t.post('bob')
      const first = await t.said('rita', topic)
      const [answer] = await Promise.all([t.say('bob', topic, 'Yes', { replyTo: first.id }), remove('rita', first)])
      expect([201, 409]).toContain(answer.status)
      const states = (await t.heard('bob', topic)).map(({ state }) => state)
      expect(states).toEqual(answer.status === 201 ? ['deleted', 'shown'] : [])
    }
  })
})

describe('Mentions', () => {
  test('People of the collection whom the text names are mentioned, with the name as in the text', async () => {
    const topic = await t.post('bob')
    const [bob, granny] = [await t.person('Bob', w.as('bob').id), await t.person('Großmutter Ånn')]
    const said = await t.said('rita', topic, 'With @Bob and @Großmutter Ånn', { mentions: [bob, granny] })
    expect(said.mentions).toEqual([
      { person_id: bob, name: 'Bob' },
      { person_id: granny, name: 'Großmutter Ånn' },
    ])
    await w.sql`update people set name = 'Robert' where id = ${bob}`
    expect((await t.heard('rita', topic))[0]?.mentions).toEqual(said.mentions)
    const { body } = await w.as('rita').patch(`/api/comments/${said.id}`, { text: 'With @Robert', mentions: [bob, granny] })
    expect(body.comment.mentions).toEqual([{ person_id: bob, name: 'Robert' }])
  })

  test('A stranger, somebody of another collection and a name that is not in the text are no mentions', async () => {
    const topic = await t.post('bob')
    const elsewhere = talkIn(w, await collectionOf(w, 'bob'))
    const mentions = [newId(), await elsewhere.person('Zoe'), await t.person('Yann')]
    expect((await t.said('rita', topic, 'Hi @Zoe and Yann', { mentions })).mentions).toEqual([])
  })

  test('Somebody who is removed is mentioned no more, and again once that is undone', async () => {
    const topic = await t.post('bob')
    const id = await t.person('Cleo')
    const said = await t.said('rita', topic, 'Hi @Cleo', { mentions: [id] })
    const { changeId } = (await w.as('bob').delete(`/api/collections/${w.collection.id}/people/${id}`)).body
    expect(await t.heard('rita', topic)).toMatchObject([{ text: 'Hi @Cleo', mentions: [] }])
    expect((await t.said('rita', topic, 'Hi @Cleo', { mentions: [id] })).mentions).toEqual([])
    await w.as('bob').post(`/api/undo/${changeId}`)
    expect((await t.heard('rita', topic))[0]?.mentions).toEqual(said.mentions)
  })

  test('A member who hides where they are can be mentioned, which does not say where they are', async () => {
    const topic = await t.post('bob')
    await w.sql`update users set shares_presence = false where id = ${w.as('amy').id}`
    const id = await t.person('Amy', w.as('amy').id)
    const said = await t.said('rita', topic, '@Amy', { mentions: [id] })
    expect(said.mentions).toEqual([{ person_id: id, name: 'Amy' }])
    expect(JSON.stringify(said)).not.toContain(w.as('amy').email)
  })

  test('At most 50 can be named', async () => {
    const mentions = Array.from({ length: LIMITS.mentionsPerComment + 1 }, () => newId())
    expect((await t.say('rita', await t.post('bob'), 'Hi', { mentions })).status).toBe(400)
  })
})

test('Comments on one item at the same time are all there, in one order for everyone', async () => {
  const topic = await t.post('bob')
  const names = ['rita', 'bob', 'amy', 'ada']
  await Promise.all(names.flatMap((who) => [1, 2, 3].map((n) => t.said(who, topic, `${who} ${n}`))))
  const [first, ...others] = await Promise.all(names.map((who) => t.heard(who, topic)))
  expect(first).toHaveLength(12)
  for (const list of others) expect(list.map(({ id }) => id)).toEqual(first?.map(({ id }) => id))
})

test('Commenting, trashing and unlinking at once neither waits for ever nor leaves what nobody may see', async () => {
  for (let round = 0; round < 6; round++) {
    const topic = await t.post('bob')
    const place = { ids: [topic.id], collectionId: w.collection.id }
    const answers = await Promise.all([
      t.say('rita', topic),
      round % 2 ? w.as('bob').delete(t.pathOf(topic)) : w.as('bob').put('/api/post/bulk.collections.remove', place),
      t.react('amy', topic, '🎉'),
      t.say('amy', topic),
    ])
    for (const { status } of answers) expect([200, 201, 404]).toContain(status)
    expect((await t.list('rita', topic)).status).toBe(404)
  }
})

test('10,000 comments on one photo stay quick to list, page and count', async () => {
  const topic = await t.post('bob')
  await w.sql.transaction([
    w.sql.query('set local session_replication_role = replica'),
    w.sql.query(
      `insert into comments (id, collection_id, post_id, user_id, text, revision, created_at)
       select gen_random_uuid(), $1::uuid, $2::uuid, $3, 'No. ' || n, 1, now() + n * interval '1 millisecond' from generate_series(1, 10000) n`,
      [w.collection.id, topic.id, w.as('rita').id],
    ),
  ])
  await w.sql.query('vacuum analyze comments')
  const begin = performance.now()
  const page = await t.list('bob', topic)
  expect(page.body.comments).toHaveLength(LIMITS.commentsPage)
  expect((await t.list('bob', topic, `&cursor=${page.body.nextCursor}`)).body.comments[0].text).toBe('No. 201')
  expect(await t.answers('bob', topic)).toEqual({ comments: 10_000, reactions: [] })
  const said = await t.said('rita', topic, 'One more')
  const changed = await t.list('bob', topic, `&since=${page.body.revision}`)
  expect(changed.body.comments.map(({ id }: Comment) => id)).toEqual([said.id])
  // Five calls. One that looked at each comment for each comment would take minutes.
  expect(performance.now() - begin).toBeLessThan(5_000)
})
