import { beforeAll, describe, expect, test } from 'vitest'
import { Archive } from '../../contract/archive.ts'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Unzipped } from '../support/archives.ts'
import { guestOf } from '../support/guests.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { short, type Topic, talkIn } from '../support/talk.ts'
import { type World, world } from '../support/world.ts'

let w: World
let t: ReturnType<typeof talkIn>
beforeAll(async () => {
  w = await world({ bob: 'write', amy: 'admin', rita: 'read', eve: null })
  t = talkIn(w)
})

const YEAR = '2019-05-01T10:00:00+00:00'
const comment = (more: object = {}) => ({ id: newId(), originalAuthor: 'Oma', text: 'Lovely', createdAt: YEAR, ...more })
const send = (who: string, topic: Topic, given: object, more: object = {}) =>
  w.as(who).post(`${t.pathOf(topic)}/imported-answers`, { collection_id: w.collection.id, comments: [], reactions: [], ...given, ...more })
const done = (comments: number, reactions: number) => ({ status: 200, body: { success: true, comments, reactions } })

describe.each(['post', 'asset'] as const)('Comments of an archive on a %s', (kind) => {
  const own = async (): Promise<Topic> => (kind === 'post' ? t.post('bob') : { kind, id: await assetRow(w, 'bob', [w.collection.id]) })

  test('They are by who imports them, with the names and times of who wrote them, in their order, and once', async () => {
    const topic = await own()
    const later = await t.said('rita', topic, 'Later')
    const first = comment({ text: 'First', editedAt: '2019-05-02T10:00:00+00:00' })
    const answer = comment({ originalAuthor: 'Opa', text: 'Yes', replyTo: first.id, createdAt: '2019-05-03T10:00:00+00:00' })
    const given = {
      comments: [first, answer],
      reactions: [
        { originalAuthor: 'Oma', emoji: '🎉' },
        { originalAuthor: 'Opa', emoji: '🎉' },
        { originalAuthor: 'Oma', emoji: '👍', commentId: answer.id },
      ],
    }
    const before = await t.revision()
    expect(await send('bob', topic, given)).toMatchObject(done(2, 3))
    expect(await send('bob', topic, given)).toMatchObject(done(0, 0))
    const bob = { id: w.as('bob').id, name: 'Bob Test' }
    const heard = await t.heard('rita', topic)
    expect(heard).toEqual([
      expect.objectContaining({
        id: first.id,
        author: { ...bob, original_author: 'Oma' },
        text: 'First',
        created_at: YEAR,
        state: 'shown',
        version: 1,
      }),
      expect.objectContaining({ id: answer.id, author: { ...bob, original_author: 'Opa' }, reply_to: first.id, edited_at: null }),
      later,
    ])
    expect(heard[0]?.edited_at).toBe('2019-05-02T10:00:00+00:00')
    expect(heard[1]?.reactions).toEqual([{ emoji: '👍', count: 1, mine: false, who: [{ ...bob, original_author: 'Oma' }] }])
    const { body } = await t.list('rita', topic, `&since=${before}`)
    expect(body.comments.map(({ id }: { id: string }) => id)).toEqual([first.id, answer.id])
    const answers = await t.answers('bob', topic)
    expect(answers).toMatchObject({ comments: 3, reactions: [{ emoji: '🎉', count: 2, mine: false }] })
    expect(answers?.reactions[0]?.who.map(({ original_author }) => original_author)).toEqual(['Oma', 'Opa'])
  })

  test('Nobody imports them to an item of another, as a reader, or where they may not comment', async () => {
    const [topic, amys] = [await own(), await t.post('amy')]
    const given = { comments: [comment()] }
    expect((await send('bob', amys, given)).status).toBe(403)
    expect((await send('amy', topic, given)).status).toBe(403)
    expect((await send('rita', topic, given)).status).toBe(403)
    expect((await send('eve', topic, given)).status).toBe(404)
    expect(
      (await w.anonymous.post(`${t.pathOf(topic)}/imported-answers`, { collection_id: w.collection.id, comments: [], reactions: [] }))
        .status,
    ).toBe(401)
    const elsewhere = await collectionOf(w, 'bob')
    expect((await send('bob', topic, given, { collection_id: elsewhere })).status).toBe(404)
    await t.setAnswers('admin')
    expect((await send('bob', topic, given)).status).toBe(403)
    await t.setAnswers(null)
    expect((await send('bob', topic, given)).status).toBe(403)
    await t.setAnswers('read')
    expect(await t.heard('bob', topic)).toEqual([])
  })
})

describe('Bad input', () => {
  test('A comment that answers itself, a later one, one that is nowhere or one that was not imported is refused with all others', async () => {
    const topic = await t.post('bob')
    const live = await t.said('bob', topic)
    const elsewhere = comment()
    await send('bob', await t.post('bob'), { comments: [elsewhere] })
    const [a, b] = [comment(), comment()]
    for (const comments of [
      [{ ...a, replyTo: a.id }],
      [{ ...a, replyTo: b.id }, b],
      [
        { ...a, replyTo: b.id },
        { ...b, replyTo: a.id },
      ],
      [a, a],
      [b, { ...a, replyTo: newId() }],
      [b, { ...a, replyTo: live.id }],
      [b, { ...a, replyTo: elsewhere.id }],
    ])
      expect((await send('bob', topic, { comments })).status).toBe(400)
    for (const commentId of [live.id, elsewhere.id, newId()])
      expect((await send('bob', topic, { comments: [b], reactions: [{ originalAuthor: 'Oma', emoji: '🎉', commentId }] })).status).toBe(400)
    for (const taken of [live.id, elsewhere.id]) expect((await send('bob', topic, { comments: [{ ...a, id: taken }] })).status).toBe(409)
    expect(await t.heard('bob', topic)).toEqual([live])
  })

  test.each([
    ['a text over the limit', { text: 'a'.repeat(LIMITS.comment + 1) }],
    ['no text', { text: '  ' }],
    ['no author', { originalAuthor: ' ' }],
    ['a name over the limit', { originalAuthor: 'a'.repeat(LIMITS.personName + 1) }],
    ['no time', { createdAt: 'yesterday' }],
    ['a user', { user_id: 'someone' }],
    ['a state', { state: 'hidden' }],
  ])('A comment with %s is refused', async (_what, more) => {
    expect((await send('bob', await t.post('bob'), { comments: [comment(more)] })).status).toBe(400)
  })

  test('What is no emoji is refused, and so are more than fit one call', async () => {
    const topic = await t.post('bob')
    expect((await send('bob', topic, { reactions: [{ originalAuthor: 'Oma', emoji: '<script>' }] })).status).toBe(400)
    const many = Array.from({ length: LIMITS.importedAnswers + 1 }, () => comment())
    expect((await send('bob', topic, { comments: many })).status).toBe(400)
    expect(await send('bob', topic, { comments: many.slice(1) })).toMatchObject(done(LIMITS.importedAnswers, 0))
  })

  test('A comment of the future is of now, and one of the year 1 stays', async () => {
    const topic = await t.post('bob')
    const [late, early] = [
      comment({ createdAt: '2999-01-01T00:00:00Z', editedAt: '2999-01-02T00:00:00Z' }),
      comment({ createdAt: '0001-01-01T00:00:00Z' }),
    ]
    await send('bob', topic, { comments: [late, early] })
    const [first, second] = await t.heard('bob', topic)
    expect(first?.created_at).toMatch(/^0001-01-01/)
    for (const moment of [second?.created_at, second?.edited_at]) expect(Date.parse(moment ?? '')).toBeLessThanOrEqual(Date.now())
  })

  test('Text right to left and of 4 bytes stays, and mentions only people of the collection', async () => {
    const topic = await t.post('bob')
    const text = 'שלום @𠮷野家 🏔️ and @Stranger'
    const [here, stranger] = [await t.person('𠮷野家'), newId()]
    await send('bob', topic, { comments: [comment({ text, mentions: [here, stranger], originalAuthor: 'مريم 👨‍👩‍👧‍👦' })] })
    expect(await t.heard('bob', topic)).toMatchObject([
      { text, author: { original_author: 'مريم 👨‍👩‍👧‍👦' }, mentions: [{ person_id: here, name: '𠮷野家' }] },
    ])
  })
})

test('Who imported reactions has none of them, may leave the same, and takes back only that', async () => {
  const topic = await t.post('bob')
  await send('bob', topic, {
    reactions: [...'😀😃😄😁😆😅🤣😂🙂🙃🫠😉😊😇🥰😍🤩😘😗😚😙'].map((emoji) => ({ originalAuthor: 'Oma', emoji })),
  })
  const before = await t.answers('bob', topic)
  expect(before?.reactions).toHaveLength(21)
  await t.react('bob', topic, '😀')
  expect(short((await t.answers('bob', topic))?.reactions ?? [])[0]).toEqual({ emoji: '😀', count: 2, mine: true })
  await t.takeBack('bob', topic, '😀')
  await t.takeBack('bob', topic, '😃')
  expect(await t.answers('bob', topic)).toEqual(before)
})

test('Who imported a comment may delete it, and it does not come back with another import', async () => {
  const topic = await t.post('bob')
  const said = comment()
  await send('bob', topic, { comments: [said] })
  expect((await w.as('rita').delete(`/api/comments/${said.id}`)).status).toBe(403)
  expect((await w.as('bob').delete(`/api/comments/${said.id}`)).status).toBe(200)
  expect(await send('bob', topic, { comments: [said] })).toMatchObject(done(0, 0))
  expect(await t.heard('bob', topic)).toEqual([])
})

test('2,000 comments on one post are read in pages in the order of their times', async () => {
  const topic = await t.post('bob')
  const at = (i: number) => new Date(Date.parse(YEAR) + ((i * 7919) % 2_000) * 1000).toISOString()
  const all = Array.from({ length: 2_000 }, (_, i) => comment({ text: `${i}`, createdAt: at(i) }))
  for (let i = 0; i < all.length; i += LIMITS.importedAnswers)
    expect((await send('bob', topic, { comments: all.slice(i, i + LIMITS.importedAnswers) })).status).toBe(200)
  const read: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await t.list('rita', topic, cursor && `&cursor=${encodeURIComponent(cursor)}`)
    read.push(...body.comments.map(({ id }: { id: string }) => id))
    if (!body.nextCursor) break
    cursor = body.nextCursor
  }
  const expected = all.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.id < b.id ? -1 : 1))
  expect(read).toEqual(expected.map(({ id }) => id))
})

test('The next export names who wrote them first, and the people whom they mention', async () => {
  const other = await world({ bob: 'write' })
  const talk = talkIn(other)
  const topic = await talk.post('bob')
  const mum = await talk.person('Mum')
  const said = comment({ text: 'Hi @Mum', mentions: [mum] })
  const given = {
    collection_id: other.collection.id,
    comments: [said],
    reactions: [{ originalAuthor: 'Opa', emoji: '🎉', commentId: said.id }],
  }
  expect((await other.as('bob').post(`${talk.pathOf(topic)}/imported-answers`, given)).status).toBe(200)
  const { bytes } = await other.as('ada').get(`/api/collections/${other.collection.id}/export`)
  const [post] = Archive.parse(new Unzipped(bytes).archive).posts
  expect(post?.comments).toEqual([
    expect.objectContaining({
      author: 'Oma',
      text: 'Hi @Mum',
      mentions: [mum],
      created_at: YEAR,
      reactions: [{ emoji: '🎉', who: ['Opa'] }],
    }),
  ])
})

test('A guest reads on the page of a link who wrote a comment and who imported it', async () => {
  const topic = await t.post('bob')
  await send('bob', topic, { comments: [comment()], reactions: [{ originalAuthor: 'Opa', emoji: '🎉' }] })
  const guest = await guestOf(w.as('ada'), w.collection.id, { allows: 'answer' })
  const path = `${new URL(guest.made.url).pathname}/post/${topic.id}`
  guest.link = ''
  const text = new TextDecoder().decode((await guest.get(path)).bytes)
  expect(text).toContain('<strong>Oma</strong> · imported by Bob Test · 1 May 2019')
  expect(text).toContain('title="Opa"')
})
