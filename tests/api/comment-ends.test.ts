import { expect, test } from 'vitest'
import { ATTEMPTS } from '../../contract/attempts.ts'
import { attemptKey } from '../../worker/services/accounts/limit-attempts.ts'
import { runMinutesTask } from '../support/storage.ts'
import { talkIn } from '../support/talk.ts'
import { type Actor, world } from '../support/world.ts'

const end = (who: Actor, items: 'leave' | 'remove') => who.delete('/api/users/profile', { email: who.email, items, deleteCollections: [] })

test('With the account goes what its person said, where they want that', async () => {
  const w = await world({ bob: 'write', rita: 'read' })
  const t = talkIn(w)
  const topic = await t.post('bob')
  const first = await t.said('rita', topic, 'My secret')
  await t.said('bob', topic, 'Yes', { replyTo: first.id })
  const alone = await t.said('rita', topic, 'Another secret')
  const gone = await t.said('rita', topic, 'A deleted secret')
  await w.as('rita').delete(`/api/comments/${gone.id}`)
  await t.react('rita', topic, '👍')
  await t.react('rita', first, '🎉')
  const start = await t.revision()
  const { revision } = (await t.list('bob', topic)).body
  expect((await end(w.as('rita'), 'remove')).status).toBe(200)
  expect(await t.heard('bob', topic)).toMatchObject([
    { id: first.id, state: 'deleted', text: '', author: { name: 'Former member' } },
    { text: 'Yes', state: 'shown' },
  ])
  expect(await t.answers('bob', topic)).toEqual({ comments: 1, reactions: [] })
  expect(await w.sql`select text from comments where user_id = ${w.as('rita').id} and text <> ''`).toEqual([])
  expect(await w.sql`select from reactions where user_id = ${w.as('rita').id}`).toEqual([])
  // Whoever asks what has changed hears of it.
  expect([...(await t.page('bob', 'post', `&since=${start}`)).items.keys()]).toEqual([topic.id])
  expect((await t.list('bob', topic, `&since=${revision}`)).body.deleted).toContain(alone.id)
})

test('What stays is by a former member', async () => {
  const w = await world({ bob: 'write', rita: 'read' })
  const t = talkIn(w)
  const topic = await t.post('bob')
  await t.said('rita', topic, 'Lovely')
  await t.react('rita', topic, '👍')
  const [start, { revision }] = [await t.revision(), (await t.list('bob', topic)).body]
  expect((await end(w.as('rita'), 'leave')).status).toBe(200)
  expect([...(await t.page('bob', 'post', `&since=${start}`)).items.keys()]).toEqual([topic.id])
  expect((await t.list('bob', topic, `&since=${revision}`)).body.comments).toMatchObject([{ author: { name: 'Former member' } }])
  expect(await t.heard('bob', topic)).toMatchObject([{ text: 'Lovely', author: { name: 'Former member' } }])
  expect((await t.answers('bob', topic))?.reactions).toMatchObject([{ emoji: '👍', who: [{ name: 'Former member' }] }])
})

test('A new name is told for what its person said', async () => {
  const w = await world({ bob: 'write', rita: 'read' })
  const t = talkIn(w)
  const [felt, said, both, other] = [await t.post('bob'), await t.post('bob'), await t.post('bob'), await t.post('bob')]
  await t.react('rita', felt, '👍')
  await t.said('rita', said)
  await t.react('rita', await t.said('bob', both), '🎉')
  await t.said('bob', other)
  const [start, { revision }] = [await t.revision(), (await t.list('bob', both)).body]
  expect((await w.as('rita').put('/api/users/profile', { firstName: 'Rosa' })).status).toBe(200)
  const { items } = await t.page('bob', 'post', `&since=${start}`)
  expect([...items.keys()].sort()).toEqual([felt.id, said.id, both.id].sort())
  expect(items.get(felt.id)?.answers?.reactions).toMatchObject([{ who: [{ name: 'Rosa Test' }] }])
  expect((await t.list('bob', said, `&since=${revision}`)).body.comments).toMatchObject([{ author: { name: 'Rosa Test' } }])
  expect((await t.list('bob', both, `&since=${revision}`)).body.comments).toMatchObject([{ reactions: [{ who: [{ name: 'Rosa Test' }] }] }])
  expect((await t.list('bob', other, `&since=${revision}`)).body.comments).toEqual([])
})

test('An account that ends while its person comments leaves nothing behind', async () => {
  for (let round = 0; round < 3; round++) {
    const w = await world({ bob: 'write', rita: 'read' })
    const t = talkIn(w)
    const topic = await t.post('bob')
    const [ended, ...answers] = await Promise.all([
      end(w.as('rita'), 'remove'),
      ...[1, 2, 3].map(() => t.say('rita', topic)),
      t.react('rita', topic, '👍'),
      t.say('bob', topic),
    ])
    expect(ended.status).toBe(200)
    for (const { status } of answers) expect([200, 201, 401, 404]).toContain(status)
    const left = (await t.heard('bob', topic)).filter(({ author }) => author.id === w.as('rita').id)
    expect(left).toEqual([])
  }
})

test('A deleted comment is erased once nobody can undo that', async () => {
  const w = await world({ bob: 'write', rita: 'read' })
  const t = talkIn(w)
  const topic = await t.post('bob')
  const [old, answered, young] = [await t.said('rita', topic), await t.said('rita', topic), await t.said('rita', topic)]
  await t.said('bob', topic, 'Yes', { replyTo: answered.id })
  for (const { id } of [old, answered, young]) await w.as('rita').delete(`/api/comments/${id}`)
  await w.sql`update comments set deleted_at = now() - interval '30 days 1 minute' where id = any(${[old.id, answered.id]})`
  await w.sql`update comments set deleted_at = now() - interval '29 days 23 hours' where id = ${young.id}`
  const revision = await t.revision()
  await runMinutesTask()
  const rows = () => w.sql`select id, text from comments where post_id = ${topic.id} and deleted_at is not null order by id`
  await expect.poll(rows).toEqual([
    { id: answered.id, text: '' },
    { id: young.id, text: 'Lovely' },
  ])
  expect(await t.revision()).toBe(revision)
  expect((await t.heard('bob', topic)).map(({ state }) => state)).toEqual(['deleted', 'shown'])
})

test('Too many comments in a short time get 429', async () => {
  const w = await world({ rita: 'read' })
  const t = talkIn(w)
  const topic = await t.post('ada')
  const said = await t.said('rita', topic)
  const allowed = ATTEMPTS.comment.perUser * 1000
  await w.sql`update rate_limits set tries = ${allowed} where key = ${await attemptKey('comment', `user:${w.as('rita').id}`)}`
  const refused = await t.say('rita', topic)
  expect([refused.status, refused.body.error.message]).toEqual([429, expect.stringMatching(/^Too many comments for now\. Try again in /)])
  expect((await w.as('rita').patch(`/api/comments/${said.id}`, { text: 'Other words' })).status).toBe(429)
  expect((await t.say('ada', topic)).status).toBe(201)
})
