import { beforeAll, describe, expect, test } from 'vitest'
import type { Comment } from '../../contract/comments.ts'
import { newId } from '../../contract/ids.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { type Topic, talkIn } from '../support/talk.ts'
import { type World, world } from '../support/world.ts'

let w: World
let t: ReturnType<typeof talkIn>
let photo: Topic
let note: Topic
beforeAll(async () => {
  w = await world({ bob: 'write', amy: 'admin', rita: 'read', eve: null })
  t = talkIn(w)
  photo = { kind: 'asset', id: await assetRow(w, 'bob', [w.collection.id]) }
  note = await t.post('bob')
})

const change = (who: string, { id }: Comment, edit: object, version?: number) =>
  w.as(who).patch(`/api/comments/${id}`, edit, { headers: version === undefined ? {} : { 'if-match': `"${version}"` } })
const remove = (who: string, { id }: Comment) => w.as(who).delete(`/api/comments/${id}`)
const undo = (who: string, changeId: string) => w.as(who).post(`/api/undo/${changeId}`)
const idsOf = (comments: Comment[]) => comments.map(({ id }) => id)

describe.each(['post', 'asset'] as const)('A comment on a %s', (kind) => {
  test('Every reader may comment, and everybody reads it', async () => {
    const topic = kind === 'post' ? await t.post('bob') : { kind, id: await assetRow(w, 'bob', [w.collection.id]) }
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
