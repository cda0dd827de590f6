import { beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { short, type Topic, talkIn } from '../support/talk.ts'
import { register, type World, world } from '../support/world.ts'

let w: World
let t: ReturnType<typeof talkIn>
beforeAll(async () => {
  w = await world({ bob: 'write', amy: 'admin', rita: 'read', eve: null })
  t = talkIn(w)
})

/** What can be reacted to: a post, and a comment on it. */
const targets = async () => {
  const topic = await t.post('bob')
  return [topic, await t.said('bob', topic)] as const
}

test('Reactions are counted by emoji, those that came first in front, with who chose them', async () => {
  for (const target of await targets()) {
    await t.react('rita', target, '👍')
    await t.react('bob', target, '🎉')
    const { status, body } = await t.react('amy', target, '👍')
    expect(status).toBe(200)
    expect(body.reactions).toEqual([
      {
        emoji: '👍',
        count: 2,
        mine: true,
        who: [
          { id: w.as('rita').id, name: 'Rita Test' },
          { id: w.as('amy').id, name: 'Amy Test' },
        ],
      },
      { emoji: '🎉', count: 1, mine: false, who: [{ id: w.as('bob').id, name: 'Bob Test' }] },
    ])
  }
})

test('They come with the item and with the comment, for each caller', async () => {
  const [topic, said] = await targets()
  await t.react('rita', topic, '❤️')
  await t.react('rita', said, '❤️')
  for (const [who, mine] of [
    ['rita', true],
    ['bob', false],
  ] as const) {
    const expected = [{ emoji: '❤️', count: 1, mine }]
    expect(short((await t.answers(who, topic))?.reactions ?? [])).toEqual(expected)
    expect(short((await t.heard(who, topic))[0]?.reactions ?? [])).toEqual(expected)
  }
})

test('Adding and taking back twice, or both at once, leaves one or none', async () => {
  for (const target of await targets()) {
    const added = await Promise.all(Array.from({ length: 5 }, () => t.react('rita', target, '👍')))
    expect(added.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(short((await t.react('rita', target, '👍')).body.reactions)).toEqual([{ emoji: '👍', count: 1, mine: true }])
    const taken = await Promise.all(Array.from({ length: 3 }, () => t.takeBack('rita', target, '👍')))
    expect(taken.map(({ status, body }) => [status, body.reactions])).toEqual([
      [200, []],
      [200, []],
      [200, []],
    ])
    const mixed = await Promise.all([1, 2, 3, 4].map((n) => (n % 2 ? t.react('rita', target, '👍') : t.takeBack('rita', target, '👍'))))
    expect(mixed.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  }
})

describe('Exactly one emoji', () => {
  test.each(['👍', '❤️', '👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👋🏽', '🇯🇵', '1️⃣', '👩🏿‍❤️‍💋‍👩🏻'])('%s is one', async (emoji) => {
    const topic = await t.post('bob')
    expect((await t.react('rita', topic, emoji)).body.reactions[0]?.emoji).toBe(emoji)
    expect((await t.takeBack('rita', topic, emoji)).body.reactions).toEqual([])
  })

  test.each([
    ['a script', '<script>'],
    ['letters', 'ok'],
    ['a digit', '1'],
    ['two emoji', '👍👍'],
    ['an emoji and more', '👍!'],
    ['a heart as text', '❤'],
    ['a lone modifier', '\u{1f3fd}\u{1f3fd}'],
    ['half a flag', '🇯'],
    ['combining marks of 5 KB', '\u0301'.repeat(2_500)],
    ['an emoji with combining marks of 5 KB', `👍${'\u0301'.repeat(2_500)}`],
    ['a long chain of families', Array.from({ length: 200 }, () => '👨').join('\u200d')],
    ['SQL', "'; drop table reactions; --"],
    ['a path', '../../post'],
  ])('%s is none', async (_what, emoji) => {
    for (const target of await targets()) {
      const { status, body } = await t.react('rita', target, emoji)
      expect([status, body.error.fields]).toEqual([400, { emoji: 'Send one emoji' }])
      expect((await t.takeBack('rita', target, emoji)).status).toBe(400)
    }
  })

  test('A broken escape is refused, and an empty one is no call', async () => {
    const { id } = await t.post('bob')
    for (const emoji of ['%', '%ff', '%F0%9F%91']) {
      expect((await w.as('rita').put(`/api/post/${id}/reactions/${emoji}?${t.query}`)).status).toBe(400)
    }
    expect((await w.as('rita').put(`/api/post/${id}/reactions/?${t.query}`)).status).toBe(404)
  })
})

test('One person leaves at most twenty kinds under one item or comment', async () => {
  const emoji = [...'😀😃😄😁😆😅🤣😂🙂🙃😉😊😇🥰😍🤩😘😗😚😙🥲']
  for (const target of await targets()) {
    for (const one of emoji.slice(0, LIMITS.reactionsPerPerson)) expect((await t.react('rita', target, one)).status).toBe(200)
    expect((await t.react('rita', target, emoji[20] ?? '')).status).toBe(409)
    expect((await t.react('rita', target, emoji[0] ?? '')).status).toBe(200)
    expect((await t.react('bob', target, emoji[20] ?? '')).status).toBe(200)
    await t.takeBack('rita', target, emoji[0] ?? '')
    expect((await t.react('rita', target, emoji[20] ?? '')).status).toBe(200)
  }
})

test('Of many who chose an emoji the first twenty are named', async () => {
  const topic: Topic = await t.post('bob')
  const { id: first } = await register('Zed')
  for (let n = 0; n < 25; n++) {
    await w.sql`insert into users (id, email, first_name) values (${`${first}-${n}`}, ${`${first}-${n}@example.org`}, ${`No ${n}`})`
    await w.sql`insert into reactions (collection_id, post_id, user_id, emoji, created_at)
      values (${w.collection.id}, ${topic.id}, ${`${first}-${n}`}, '👍', now() + ${n} * interval '1 second')`
  }
  const [reaction] = (await t.answers('rita', topic))?.reactions ?? []
  expect(reaction).toMatchObject({ count: 25, mine: false })
  expect(reaction?.who.map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, n) => `No ${n}`))
})

test('A deleted comment takes no reactions', async () => {
  const [topic, said] = await targets()
  await t.said('rita', topic, 'Yes', { replyTo: said.id })
  await w.as('bob').delete(`/api/comments/${said.id}`)
  expect((await t.react('rita', said, '👍')).status).toBe(404)
  expect((await t.takeBack('rita', said, '👍')).status).toBe(404)
})
