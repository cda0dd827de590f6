import { beforeAll, describe, expect, test } from 'vitest'
import type { Comment } from '../../contract/comments.ts'
import { newId } from '../../contract/ids.ts'
import { assetRow } from '../support/rows.ts'
import { type Topic, talkIn } from '../support/talk.ts'
import { type World, world } from '../support/world.ts'

let w: World
let t: ReturnType<typeof talkIn>
beforeAll(async () => {
  w = await world({ bob: 'write', amy: 'admin', rita: 'read', eve: null })
  t = talkIn(w)
})

const change = (who: string, { id }: Comment, edit: object, version?: number) =>
  w.as(who).patch(`/api/comments/${id}`, edit, version === undefined ? {} : { headers: { 'if-match': `"${version}"` } })
const remove = (who: string, { id }: Comment) => w.as(who).delete(`/api/comments/${id}`)
const undo = (who: string, changeId: string) => w.as(who).post(`/api/undo/${changeId}`)
const idsOf = (comments: Comment[]) => comments.map(({ id }) => id)

describe.each(['post', 'asset'] as const)('A comment on a %s', (kind) => {
  test('Every reader may comment, and everybody reads it', async () => {
    const topic: Topic = kind === 'post' ? await t.post('bob') : { kind, id: await assetRow(w, 'bob', [w.collection.id]) }
    const said = await t.said('rita', topic, 'What a day')
    expect(said).toEqual({
      id: expect.any(String),
      item: topic,
      collection_id: w.collection.id,
      author: { id: w.as('rita').id, name: 'Rita Test' },
      state: 'shown',
      text: 'What a day',
      mentions: [],
      reply_to: null,
      reactions: [],
      created_at: expect.any(String),
      edited_at: null,
      version: 1,
    })
    expect(await t.heard('bob', topic)).toEqual([said])
    expect(await t.answers('amy', topic)).toEqual({ comments: 1, reactions: [] })
    const one = await w.as('amy').get(`${t.pathOf(topic)}?${t.query}`)
    expect(one.body[kind].answers).toEqual({ comments: 1, reactions: [] })
    expect((await w.as('amy').get(t.pathOf(topic))).body[kind]).not.toHaveProperty('answers')
  })
})

test('An item about which nobody has said anything has null answers', async () => {
  expect(await t.answers('ada', await t.post('bob'))).toBeNull()
})

describe('Writing', () => {
  test('A repeated call with the same id makes one comment', async () => {
    const topic = await t.post('bob')
    const id = newId()
    const answers = await Promise.all([1, 2, 3].map(() => t.say('rita', topic, 'Once', { id })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect(idsOf(await t.heard('rita', topic))).toEqual([id])
  })

  test.each([
    ['of somebody else', 'amy', null],
    ['on another item', 'rita', 'another'],
  ])('The id of a comment %s is taken', async (_what, who, where) => {
    const topic = await t.post('bob')
    const { id } = await t.said('rita', topic)
    const { status, body } = await t.say(who, where ? await t.post('bob') : topic, 'Mine', { id })
    expect([status, body.error.code]).toEqual([409, 'conflict'])
  })

  test('Who sends it again, and no longer sees the item, hears that', async () => {
    const topic = await t.post('bob')
    const { id } = await t.said('rita', topic)
    await w.as('bob').delete(t.pathOf(topic))
    const { status, body } = await t.say('rita', topic, 'Lovely', { id })
    expect([status, body.error.message]).toEqual([404, 'The post was not found'])
  })

  test('White space around the text goes, and a text of nothing else is refused', async () => {
    const topic = await t.post('bob')
    expect((await t.said('rita', topic, '  Ah\n')).text).toBe('Ah')
    expect((await t.say('rita', topic, ' \n\t ')).body.error.fields).toEqual({ text: 'Write something' })
  })

  test('Comments are listed oldest first, page by page', async () => {
    const topic = await t.post('bob')
    for (const n of [1, 2, 3, 4, 5]) await t.said('rita', topic, `No. ${n}`)
    const texts: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await t.list('bob', topic, `&limit=2${cursor && `&cursor=${cursor}`}`)
      texts.push(...body.comments.map(({ text }: Comment) => text))
      if (!body.nextCursor) break
      cursor = body.nextCursor
    }
    expect(texts).toEqual(['No. 1', 'No. 2', 'No. 3', 'No. 4', 'No. 5'])
    const { body } = await t.list('bob', topic, '&limit=2')
    expect((await t.list('bob', await t.post('bob'), `&cursor=${body.nextCursor}`)).status).toBe(400)
  })
})

describe('Changing', () => {
  test('The author changes the text, which is marked as edited', async () => {
    const said = await t.said('rita', await t.post('bob'), 'Tpyo')
    const { status, body } = await change('rita', said, { text: 'Typo' }, 1)
    expect([status, body.comment]).toEqual([200, { ...said, text: 'Typo', edited_at: expect.any(String), version: 2 }])
  })

  test('Two edits of one version: the second gets the text of the first', async () => {
    const said = await t.said('rita', await t.post('bob'))
    const answers = await Promise.all(['One', 'Two'].map((text) => change('rita', said, { text }, 1)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const [done, refused] = answers.toSorted((a, b) => a.status - b.status)
    expect(refused?.body.comment).toEqual(done?.body.comment)
  })

  test('An edit that is sent again is one edit, unless the comment has other words or mentions by then', async () => {
    const mentions = [await t.person('Mum')]
    const said = await t.said('rita', await t.post('bob'), 'Tpyo @Mum')
    const first = await change('rita', said, { text: 'Typo @Mum', mentions }, 1)
    const again = await change('rita', said, { text: 'Typo @Mum', mentions }, 1)
    expect([again.status, again.body.comment]).toEqual([200, first.body.comment])
    expect(again.body.comment.version).toBe(2)
    expect((await change('rita', said, { text: 'Typo @Mum', mentions: [] }, 1)).status).toBe(409)
    expect((await change('rita', said, { text: 'Other @Mum', mentions }, 1)).status).toBe(409)
  })

  test('Without mentions, those stay that the new text still contains', async () => {
    const mentions = [await t.person('Mum'), await t.person('Uncle')]
    const said = await t.said('rita', await t.post('bob'), 'With @Mum and @Uncle', { mentions })
    const { body } = await change('rita', said, { text: 'Only with @Mum' })
    expect(body.comment.mentions).toEqual([{ person_id: mentions[0], name: 'Mum' }])
    expect((await change('rita', said, { mentions })).body.error.fields).toEqual({ mentions: 'Send the text that names them as well' })
  })

  test('An edit does not collide with an admin who hides the comment meanwhile', async () => {
    const said = await t.said('rita', await t.post('bob'))
    await change('amy', said, { hidden: true })
    const { status, body } = await change('rita', said, { text: 'Sorry' }, said.version)
    expect([status, body.comment]).toMatchObject([200, { text: 'Sorry', state: 'hidden', version: 2 }])
  })

  test('The same text again is no edit', async () => {
    const said = await t.said('rita', await t.post('bob'), 'Same')
    expect((await change('rita', said, { text: 'Same' })).body.comment).toEqual(said)
    expect((await change('rita', said, {})).body.comment).toEqual(said)
  })

  test('Nobody changes or deletes the comment of another, not even the owner', async () => {
    const said = await t.said('rita', await t.post('bob'))
    for (const who of ['bob', 'amy', 'ada']) {
      expect((await change(who, said, { text: 'Never said' })).status).toBe(403)
      expect((await remove(who, said)).status).toBe(403)
    }
    expect(await t.heard('rita', said.item)).toEqual([said])
  })
})

describe('Hiding', () => {
  test('Of a hidden comment only admins and its author get the text', async () => {
    const topic = await t.post('bob')
    const said = await t.said('rita', topic, 'Rude')
    await t.react('bob', said, '😠')
    expect((await change('amy', said, { hidden: true })).body.comment).toMatchObject({ state: 'hidden', text: 'Rude', version: 1 })
    for (const who of ['amy', 'ada', 'rita']) expect(await t.heard(who, topic)).toMatchObject([{ state: 'hidden', text: 'Rude' }])
    expect(await t.heard('bob', topic)).toMatchObject([{ state: 'hidden', text: '', mentions: [], reactions: [] }])
    expect(await t.answers('bob', topic)).toBeNull()
    expect((await t.react('bob', said, '😠')).status).toBe(404)
    expect((await change('amy', said, { hidden: false })).body.comment).toMatchObject({ state: 'shown', version: 1 })
    expect(await t.answers('bob', topic)).toEqual({ comments: 1, reactions: [] })
  })

  test('Neither writers nor the author may hide or show', async () => {
    const said = await t.said('bob', await t.post('bob'))
    for (const who of ['bob', 'rita']) expect((await change(who, said, { hidden: true })).status).toBe(403)
  })
})

describe('Deleting', () => {
  test('A deleted comment disappears, and undoing brings it back', async () => {
    const topic = await t.post('bob')
    const said = await t.said('rita', topic, 'Oops')
    const { changeId } = (await remove('rita', said)).body
    expect([await t.heard('rita', topic), await t.answers('rita', topic)]).toEqual([[], null])
    expect((await remove('rita', said)).body).toEqual({ success: true, changeId })
    expect((await remove('bob', said)).status).toBe(404)
    expect((await change('rita', said, { text: 'Still here' })).status).toBe(404)
    expect((await undo('bob', changeId)).status).toBe(404)
    expect((await undo('rita', changeId)).body).toEqual({ success: true, changeId, postIds: [], assetIds: [], commentId: said.id })
    expect(await t.heard('rita', topic)).toMatchObject([{ id: said.id, text: 'Oops', state: 'shown' }])
    expect((await undo('rita', changeId)).status).toBe(200)
  })

  test('Undoing an older deletion again does not undo a newer one', async () => {
    const topic = await t.post('bob')
    const said = await t.said('rita', topic)
    const { changeId } = (await remove('rita', said)).body
    await Promise.all([undo('rita', changeId), undo('rita', changeId)])
    await remove('rita', said)
    expect((await undo('rita', changeId)).status).toBe(200)
    expect(await t.heard('rita', topic)).toEqual([])
  })

  test('It cannot be undone after thirty days', async () => {
    const said = await t.said('rita', await t.post('bob'))
    const { changeId } = (await remove('rita', said)).body
    await w.sql`update edits set created_at = created_at - interval '31 days' where id = ${changeId}`
    expect((await undo('rita', changeId)).status).toBe(410)
  })

  test('A comment that is answered stays without its text, as long as its answers do', async () => {
    const topic = await t.post('bob')
    const first = await t.said('rita', topic, 'A secret', {})
    const second = await t.said('bob', topic, 'An answer', { replyTo: first.id })
    const third = await t.said('amy', topic, 'An answer to the answer', { replyTo: second.id })
    await remove('rita', first)
    await remove('bob', second)
    expect(await t.heard('bob', topic)).toMatchObject([
      { id: first.id, state: 'deleted', text: '', reply_to: null },
      { id: second.id, state: 'deleted', text: '', reply_to: first.id },
      { id: third.id, state: 'shown', reply_to: second.id },
    ])
    expect(await t.answers('bob', topic)).toEqual({ comments: 1, reactions: [] })
    const { changeId } = (await remove('amy', third)).body
    expect(await t.heard('bob', topic)).toEqual([])
    await undo('amy', changeId)
    expect(idsOf(await t.heard('bob', topic))).toEqual(idsOf([first, second, third]))
  })
})

describe('Who may answer', () => {
  test.each([
    ['read', [201, 201, 201, 201]],
    ['write', [403, 201, 201, 201]],
    ['admin', [403, 403, 201, 201]],
    [null, [403, 403, 403, 403]],
  ])('With %j rita, bob, amy and ada get %j', async (answers, expected) => {
    const topic = await t.post('bob')
    const said = await t.said('rita', topic)
    await t.react('rita', topic, '👍')
    await t.setAnswers(answers)
    const names = ['rita', 'bob', 'amy', 'ada']
    expect(await Promise.all(names.map(async (who) => (await t.say(who, topic)).status))).toEqual(expected)
    const reacted = expected.map((status) => (status === 201 ? 200 : 403))
    expect(await Promise.all(names.map(async (who) => (await t.react(who, topic, '🎉')).status))).toEqual(reacted)
    expect(await Promise.all(names.map(async (who) => (await t.react(who, said, '🎉')).status))).toEqual(reacted)
    // Everyone still reads, and takes back what is their own.
    expect((await t.list('rita', topic)).status).toBe(200)
    expect((await change('rita', said, { text: 'Other words' })).status).toBe(answers === 'read' ? 200 : 403)
    expect((await change('amy', said, { hidden: true })).status).toBe(200)
    expect((await t.takeBack('rita', topic, '👍')).status).toBe(200)
    expect((await remove('rita', said)).status).toBe(200)
    await t.setAnswers('read')
  })

  test.each(['owner', 'guest'])('A collection cannot be set to %s', async (answers) => {
    const { status, body } = await w.as('ada').put(`/api/collections/${w.collection.id}`, { answers })
    expect([status, Object.keys(body.error.fields)]).toEqual([400, ['answers']])
  })

  test('The refusal says why, and the setting is told to members', async () => {
    const topic = await t.post('bob')
    const before = await t.revision()
    await t.setAnswers(null)
    expect(await t.revision()).toBe(before + 1)
    expect((await t.say('ada', topic)).body.error.message).toBe('Comments and reactions are turned off in “Kyoto”')
    await t.setAnswers('write')
    expect((await t.say('rita', topic)).body.error.message).toBe('Your role does not let you comment in “Kyoto”')
    expect((await w.as('rita').get(`/api/collections/${w.collection.id}`)).body.collection.answers).toBe('write')
    expect((await w.as('bob').put(`/api/collections/${w.collection.id}`, { answers: 'read' })).status).toBe(403)
    await t.setAnswers('read')
  })
})
