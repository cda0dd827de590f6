import { expect, test } from 'vitest'
import { ATTEMPTS } from '../../contract/attempts.ts'
import { newId } from '../../contract/ids.ts'
import { attemptKey } from '../../worker/services/accounts/limit-attempts.ts'
import { guestOf, makeLink } from '../support/guests.ts'
import { runMinutesTask } from '../support/storage.ts'
import { type World, world } from '../support/world.ts'

/** Guests of a link comment and react, where the link and the collection let them. */

async function scene() {
  const w = await world({ bob: 'read' })
  const post = async (title: string) => {
    const { body } = await w.as('ada').post('/api/post', { type: 'note', title, collectionIds: [w.collection.id] })
    return body.post.id as string
  }
  return { w, ada: w.as('ada'), bob: w.as('bob'), at: w.collection.id, snow: await post('First snow'), packing: await post('What to pack') }
}

type Caller = Pick<World['as'] extends (name: never) => infer A ? A : never, 'get' | 'post' | 'put'>
const commentsOf = async (who: Pick<Caller, 'get'>, post: string, at: string) =>
  (await who.get(`/api/post/${post}/comments?collection_id=${at}`)).body.comments
const say = (who: Pick<Caller, 'post'>, post: string, at: string, text: string, more: object = {}) =>
  who.post(`/api/post/${post}/comments`, { collection_id: at, text, ...more })

test('A guest reads and answers comments under their name, and members see who is a guest', async () => {
  const { ada, bob, at, snow } = await scene()
  const said = (await say(bob, snow, at, 'Lovely')).body.comment
  const guest = await guestOf(ada, at, { allows: 'answer' }, { name: 'Grandmother' })
  expect(guest.opened).toMatchObject({ allows: 'answer' })
  expect(await commentsOf(guest, snow, at)).toMatchObject([{ text: 'Lovely', author: { name: 'Bob Test' } }])

  const id = newId()
  expect(await say(guest, snow, at, 'Come and visit', { id, replyTo: said.id })).toMatchObject({ status: 201 })
  expect(await say(guest, snow, at, 'Come and visit', { id, replyTo: said.id })).toMatchObject({ status: 200 })
  const [, answer] = await commentsOf(bob, snow, at)
  expect(answer).toMatchObject({ id, text: 'Come and visit', author: { name: 'Grandmother (guest)', guest: true }, reply_to: said.id })
  expect((await ada.get(`/api/post/${snow}?collection_id=${at}`)).body.post.answers.comments).toBe(2)

  expect(await guest.patch(`/api/comments/${id}`, { text: 'Come soon' })).toMatchObject({
    status: 200,
    body: { comment: { text: 'Come soon' } },
  })
  expect((await guest.put(`/api/comments/${said.id}/reactions/${encodeURIComponent('❤️')}`)).body.reactions).toMatchObject([
    { count: 1, mine: true },
  ])
  expect((await guest.put(`/api/post/${snow}/reactions/${encodeURIComponent('👍')}?collection_id=${at}`)).status).toBe(200)
  const seen = (await bob.get(`/api/post/${snow}?collection_id=${at}`)).body.post.answers
  expect(seen.reactions).toMatchObject([{ emoji: '👍', mine: false, who: [{ name: 'Grandmother (guest)' }] }])
  expect((await guest.delete(`/api/post/${snow}/reactions/${encodeURIComponent('👍')}?collection_id=${at}`)).body.reactions).toEqual([])
  const { status, body } = await guest.delete(`/api/comments/${id}`)
  expect(status).toBe(200)
  expect(await commentsOf(bob, snow, at)).toHaveLength(1)

  const other = await guestOf(ada, at, { allows: 'answer' })
  expect((await other.post(`/api/undo/${body.changeId}`)).status).toBe(404)
  for (let attempt = 0; attempt < 2; attempt++)
    expect(await guest.post(`/api/undo/${body.changeId}`)).toMatchObject({ status: 200, body: { commentId: id } })
  expect(await commentsOf(bob, snow, at)).toMatchObject([{}, { id, text: 'Come soon', state: 'shown' }])
})

test('What a guest writes below a long thread is on the page that follows the form', async () => {
  const { w, ada, at, snow } = await scene()
  await w.sql`insert into comments (id, collection_id, post_id, user_id, text, mentions, created_at)
    select gen_random_uuid(), ${at}, ${snow}, ${ada.id}, 'Number ' || n, '[]', now() - make_interval(mins => 300 - n) from generate_series(1, 205) n`
  const guest = await guestOf(ada, at, { allows: 'answer' }, { name: 'Oma' })
  const cookie = [...guest.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const form = new FormData()
  form.set('text', 'So white')
  const page = `${guest.made.url}/post/${snow}`
  const answer = await fetch(page, { method: 'POST', headers: { cookie, origin: w.origin }, body: form })
  const html = await answer.text()
  expect(html).toContain('So white')
  expect(html).toContain('Number 205')
  expect(html).not.toContain('Number 6<')
  expect(html).toContain('<a href="?#answers">First comments</a>')
  expect(await (await fetch(page, { headers: { cookie } })).text()).toContain('Number 6<')
})

test('A guest changes and hides nothing of others, and others change nothing of theirs', async () => {
  const { ada, bob, at, snow } = await scene()
  const said = (await say(bob, snow, at, 'Lovely')).body.comment.id
  const [one, other] = [await guestOf(ada, at, { allows: 'answer' }), await guestOf(ada, at, { allows: 'answer' })]
  const theirs = (await say(one, snow, at, 'From one')).body.comment.id
  for (const id of [said, theirs]) {
    expect(await other.patch(`/api/comments/${id}`, { text: 'Mine now' })).toMatchObject({ status: 403 })
    expect(await other.patch(`/api/comments/${id}`, { hidden: true })).toMatchObject({ status: 403 })
    expect(await other.delete(`/api/comments/${id}`)).toMatchObject({ status: 403 })
  }
  await ada.patch(`/api/comments/${said}`, { hidden: true })
  expect(await commentsOf(other, snow, at)).toMatchObject([{ state: 'hidden', text: '' }, { author: { name: 'Someone (guest)' } }])
})

test('A guest answers only what the link shows', async () => {
  const { ada, bob, at, snow, packing } = await scene()
  const hidden = (await say(bob, packing, at, 'Not for guests')).body.comment.id
  const guest = await guestOf(ada, at, { allows: 'answer', kind: 'items', itemIds: [snow] })
  expect((await say(guest, snow, at, 'Hello')).status).toBe(201)
  expect((await say(guest, packing, at, 'Hello')).status).toBe(404)
  expect((await guest.get(`/api/post/${packing}/comments?collection_id=${at}`)).status).toBe(404)
  expect((await guest.put(`/api/comments/${hidden}/reactions/${encodeURIComponent('👍')}`)).status).toBe(404)
  expect((await guest.put(`/api/post/${packing}/reactions/${encodeURIComponent('👍')}?collection_id=${at}`)).status).toBe(404)
  expect((await say(guest, snow, at, 'Again', { replyTo: hidden })).status).toBe(400)
})

test('Without leave of the link, or of the collection, a guest looks; with its end, they do not even that', async () => {
  const { ada, bob, at, snow } = await scene()
  await say(bob, snow, at, 'Among us')
  const looking = await guestOf(ada, at)
  expect(await commentsOf(looking, snow, at)).toEqual([])
  expect((await looking.get(`/api/post/${snow}?collection_id=${at}`)).body.post.answers ?? null).toBeNull()
  expect(await say(looking, snow, at, 'Hello')).toMatchObject({
    status: 403,
    body: { error: { message: 'This link lets you view, but not comment' } },
  })

  const answering = await guestOf(ada, at, { allows: 'answer' })
  for (const answers of ['write', null]) {
    await ada.put(`/api/collections/${at}`, { answers })
    expect((await say(answering, snow, at, 'Hello')).status).toBe(403)
    expect(await commentsOf(answering, snow, at)).toEqual([])
  }
  await ada.put(`/api/collections/${at}`, { answers: 'read' })
  expect((await say(answering, snow, at, 'Hello')).status).toBe(201)
  await ada.patch(`/api/collections/${at}/links/${answering.made.id}`, { allows: 'look' })
  expect((await say(answering, snow, at, 'Hello')).status).toBe(403)
  expect(await commentsOf(answering, snow, at)).toEqual([])
  await ada.delete(`/api/collections/${at}/links/${answering.made.id}`)
  expect((await say(answering, snow, at, 'Hello')).status).toBe(401)
})

test('A guest who said nothing is forgotten with the link; the name of one who did stays beside it', async () => {
  const { w, ada, at, snow } = await scene()
  const made = await makeLink(ada, at, { allows: 'answer' })
  const [silent, talking] = [await guestOf(ada, at, {}, { name: 'Silent' }, made), await guestOf(ada, at, {}, { name: 'Talking' }, made)]
  const taken = (await say(silent, snow, at, 'Never mind')).body.comment.id
  await say(talking, snow, at, 'Hello')
  await w.sql`delete from comments where id = ${taken}`
  await w.sql`delete from edits where user_id = ${`guest:${silent.guest.id}`}`
  await w.sql`delete from links where id = ${made.id}`
  await runMinutesTask()
  const left = await w.sql`select first_name from users where id in (${`guest:${silent.guest.id}`}, ${`guest:${talking.guest.id}`})`
  expect(left).toEqual([{ first_name: 'Talking' }])
  expect(await commentsOf(ada, snow, at)).toMatchObject([{ text: 'Hello', author: { name: 'Talking (guest)', guest: true } }])
})

test.each(['comment', 'reaction'] as const)('New guests of a link do not evade how often a %s may come from it', async (what) => {
  const { w, ada, bob, at, snow } = await scene()
  const made = await makeLink(ada, at, { allows: 'answer' })
  const enter = () => guestOf(ada, at, {}, {}, made)
  const answer = (who: Pick<Caller, 'post' | 'put'>) =>
    what === 'comment' ? say(who, snow, at, 'Hi') : who.put(`/api/post/${snow}/reactions/${encodeURIComponent('❤️')}?collection_id=${at}`)
  expect((await answer(await enter())).status).toBeLessThan(300)
  await w.sql`update rate_limits set tries = ${ATTEMPTS[what].perLink * 1000} where key = ${await attemptKey(what, `link:${made.id}`)}`
  expect((await answer(await enter())).status).toBe(429)
  expect((await answer(bob)).status).toBeLessThan(300)
})

test('A name that a guest gives or corrects is on what they said before, and open pages learn it', async () => {
  const { w, ada, bob, at, snow } = await scene()
  const guest = await guestOf(ada, at, { allows: 'answer' })
  await say(guest, snow, at, 'So white')
  const author = async () => (await commentsOf(bob, snow, at))[0].author.name
  expect(await author()).toBe('Someone (guest)')
  const before = (await w.changes()).length
  expect((await guest.put('/api/guest', { name: 'Oma' })).status).toBe(200)
  expect(await author()).toBe('Oma (guest)')
  expect((await w.changes()).length).toBeGreaterThan(before)
  expect((await guest.enter(guest.made.url, { name: 'Grandma' })).status).toBe(200)
  expect(await author()).toBe('Grandma (guest)')
})

test('The address of a later page, which another guest has passed on, leads to the first page', async () => {
  const { w, ada, at, snow } = await scene()
  for (let n = 0; n < 50; n++) await ada.post('/api/post', { type: 'note', title: `Note ${n}`, collectionIds: [at] })
  await w.sql`insert into comments (id, collection_id, post_id, user_id, text, mentions, created_at)
    select gen_random_uuid(), ${at}, ${snow}, ${ada.id}, 'Number ' || n, '[]', now() - make_interval(mins => 300 - n) from generate_series(1, 205) n`
  const guest = await guestOf(ada, at, { allows: 'answer' })
  const other = await guestOf(ada, at, {}, {}, guest.made)
  const open = async (who: { cookies: Map<string, string> } | null, url: string) => {
    const cookie = [...(who?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { headers: cookie ? { cookie } : {} })
    return { status: answer.status, html: await answer.text() }
  }
  const all = guest.made.url
  const item = `${all}/post/${snow}`
  const linked = ({ html }: { html: string }, base: string, pattern: RegExp) =>
    new URL((pattern.exec(html)?.[1] ?? '').replaceAll('&amp;', '&'), base).href
  const laterItems = linked(await open(guest, all), all, /href="([^"]+[?&]posts=[^"]+)"/)
  const laterComments = linked(await open(guest, item), item, /href="(\?cursor=[^"]+)"/)
  expect((await open(guest, laterItems)).html).not.toContain('Note 49')
  expect((await open(guest, laterComments)).html).not.toContain('Number 6<')
  expect(await open(other, laterItems)).toMatchObject({ status: 200, html: expect.stringContaining('Note 49') })
  expect(await open(other, laterComments)).toMatchObject({ status: 200, html: expect.stringContaining('Number 6<') })
  const newcomer = await fetch(laterItems, { redirect: 'manual' })
  expect(newcomer.headers.get('location')).toBe(new URL(all).pathname)
  expect(await open({ cookies: cookiesOf(newcomer) }, all)).toMatchObject({ status: 200, html: expect.stringContaining('Note 49') })
})

const cookiesOf = (answer: Response) =>
  new Map(answer.headers.getSetCookie().map((cookie) => /^([^=]+)=([^;]*)/.exec(cookie)?.slice(1, 3) as [string, string]))
