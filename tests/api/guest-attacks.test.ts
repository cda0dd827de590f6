import { beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import { LinkFilters, type NewLink } from '../../contract/links.ts'
import { type Answer, Client } from '../../dev/http-client.ts'
import { refusal } from '../party/live-socket.ts'
import { begin, jpegLike, partsOf, upload } from '../support/files.ts'
import { GuestClient, guestOf, makeLink, secretOf } from '../support/guests.ts'
import { uploadPicture } from '../support/pictures.ts'
import { placedFiles, tracesIn } from '../support/placed-files.ts'
import { objectsOf } from '../support/storage.ts'
import { type World, world } from '../support/world.ts'

/** Answers to guests who try calls that the pages and the app never make. */

let w: World
beforeEach(async () => {
  w = await world({ amy: 'admin' })
})

const at = () => `/api/collections/${w.collection.id}`
const guestWith = (link: Partial<NewLink> = {}, name?: string) => guestOf(w.as('ada'), w.collection.id, link, name ? { name } : {})
const patchLink = (guest: GuestClient, edit: object) => w.as('ada').patch(`${at()}/links/${guest.link}`, edit)
const endLink = (guest: GuestClient) => w.as('ada').delete(`${at()}/links/${guest.link}`)
const photo = (name: Parameters<typeof uploadPicture>[1] = 'bowls-of-spices') =>
  uploadPicture(w.as('ada'), name, 640, { collectionIds: [w.collection.id] })
const note = async (more: object = {}) =>
  (await w.as('ada').post('/api/post', { type: 'note', title: 'Snow', collectionIds: [w.collection.id], ...more })).body.post.id as string
const form = (fields: Record<string, string>) => {
  const filled = new FormData()
  for (const [name, value] of Object.entries(fields)) filled.set(name, value)
  return filled
}
const textOf = ({ bytes }: Answer) => Buffer.from(bytes).toString()

test('After the end of a link neither a ticket, a known entity tag, a range, HEAD nor an address of its pages shows anything', async () => {
  const post = await note()
  const { id } = await photo()
  const guest = await guestWith({ allows: 'add', location: 'exact', download: true }, 'Oma')
  const [list, file] = [`/api/post?collection_id=${w.collection.id}`, `/api/asset/${id}/file`]
  const tags = await Promise.all([list, file].map(async (path) => (await guest.get(path)).headers.get('etag') ?? ''))
  const { ticket, url } = (await guest.post('/api/live/ticket', { room: `collection:${w.collection.id}` })).body
  const page = `/s/${secretOf(guest.made.url)}`
  expect((await guest.get(`${page}/post/${post}`)).status).toBe(200)
  await endLink(guest)
  for (const [n, path] of [list, file].entries()) {
    expect((await guest.get(path, { headers: { 'if-none-match': tags[n] ?? '' } })).status).toBe(401)
    expect((await guest.get(path, { headers: { range: 'bytes=0-9', 'if-range': tags[n] ?? '' } })).status).toBe(401)
    expect((await guest.head(path)).status).toBe(401)
  }
  expect([401, 403]).toContain(await refusal(`${url}?ticket=${ticket}`))
  for (const path of [page, `${page}/picture`, `${page}/post/${post}`, `${page}/asset/${id}`, `/s/${guest.link}`]) {
    const { status, bytes } = await guest.get(path)
    expect([path, status, Buffer.from(bytes).toString().includes('Snow')]).toEqual([path, 410, false])
  }
  for (const path of [page, `${page}/post/${post}`, `${page}/add`, `${page}/take-back`, `${page}/weekly`, `${page}/join`])
    expect((await guest.post(path, form({ name: 'Oma' }))).status, path).toBe(410)
  expect(await w.sql`select from comments where collection_id = ${w.collection.id}`).toEqual([])
})

test('Pictures that a guest has just seen end within ten seconds of the link', { timeout: 30_000 }, async () => {
  const { id, version } = await photo()
  const guest = await guestWith()
  const addresses = [`/api/asset/${id}/renditions/thumb?v=${version}`, `/_image/w_320/${id}?v=${version}`]
  const statuses = () => Promise.all(addresses.map(async (path) => (await guest.get(path)).status))
  expect(await statuses()).toEqual([200, 200])
  await endLink(guest)
  const before = performance.now()
  await expect.poll(statuses, { timeout: 15_000, interval: 250 }).toEqual([401, 401])
  expect(performance.now() - before).toBeLessThan(11_000)
})

test.each([
  ['deletes it with their account', (id: string) => ({ deleteCollections: [id] }), 410],
  ['has handed it over and ends their account', () => ({ deleteCollections: [] }), 410],
])('A link shows nothing of a collection whose owner %s', async (what, items, status) => {
  const ada = w.as('ada')
  const guest = await guestWith()
  if (what.startsWith('has')) expect((await ada.post(`${at()}/transfer`, { userId: w.as('amy').id })).status).toBe(200)
  const ended = await ada.delete('/api/users/profile', { email: ada.email, items: 'leave', ...items(w.collection.id) })
  expect(ended.status, JSON.stringify(ended.body)).toBe(200)
  expect((await guest.get(at())).status).toBe(401)
  expect((await guest.enter(guest.made.url)).status).toBe(status)
})

test('A link that ends in the middle of an upload takes no further part, and nothing of it is left to see', async () => {
  const guest = await guestWith({ allows: 'add', approve: false }, 'Oma')
  const bytes = jpegLike(LIMITS.partSize + 1_000)
  const { id } = await begin(guest, bytes)
  const [first, second] = partsOf(bytes)
  expect((await guest.put(`/api/asset/${id}/parts/1`, first)).status).toBe(200)
  await endLink(guest)
  const answers = [
    await guest.put(`/api/asset/${id}/parts/2`, second),
    await guest.post(`/api/asset/${id}/complete`),
    await guest.get(`/api/asset/${id}/upload`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
  expect((await w.as('ada').get(`/api/asset?collection_id=${w.collection.id}`)).body.assets).toEqual([])
  expect((await w.as('ada').get(`${at()}/contributions`)).body.contributions).toEqual([])
  expect(await objectsOf(id)).toEqual([])
})

test('What was begun without approval waits for an admin if the link wants approval by then', async () => {
  const guest = await guestWith({ allows: 'add', approve: false }, 'Oma')
  const bytes = jpegLike()
  const { id } = await begin(guest, bytes)
  await patchLink(guest, { approve: true })
  await guest.put(`/api/asset/${id}/parts/1`, bytes)
  expect((await guest.post(`/api/asset/${id}/complete`)).status).toBe(200)
  expect((await w.as('ada').get(`/api/asset?collection_id=${w.collection.id}`)).body.assets).toEqual([])
  expect((await w.as('ada').get(`${at()}/contributions`)).body.contributions).toMatchObject([{ asset: { id } }])
})

describe('A filter', () => {
  test('shows no number, cover or page of what is outside of it', async () => {
    const ada = w.as('ada')
    const { person } = (await ada.post(`${at()}/people`, { name: 'Ann' })).body
    const [inside, outside] = [await photo(), await photo('kingfisher-on-a-branch')]
    await ada.put(`/api/asset/${inside.id}`, { peopleIds: [person.id] })
    const hidden = await note({ title: 'Secret-8', date: '2031-01-01T00:00:00Z', existingAssetIds: [outside.id] })
    const guest = await guestWith({ kind: 'filter', filters: LinkFilters.parse({ people: [person.id] }), allows: 'answer' })
    const { collection } = (await guest.get(at())).body
    expect(collection).toMatchObject({ post_count: 0, asset_count: 1, member_count: 0 })
    expect(collection.covers.map(({ id }: { id: string }) => id)).toEqual([inside.id])
    expect((await guest.get(`${at()}/timeline`)).body.buckets).toMatchObject([{ posts: 0, assets: 1 }])
    expect((await guest.get(`${at()}/people`)).body.people).toHaveLength(1)
    const page = `/s/${secretOf(guest.made.url)}`
    const said = await ada.post(`/api/post/${hidden}/comments`, { collection_id: w.collection.id, text: 'Secret-8' })
    const pages = [page, `${page}/asset/${inside.id}`, `${page}/picture`].map((path) => guest.get(path))
    for (const answer of await Promise.all(pages))
      for (const secret of [hidden, outside.id, 'Secret-8']) expect(textOf(answer)).not.toContain(secret)
    // An item outside the link is answered like one that does not exist.
    const nowhere = newId()
    const errorsOf = async (path: (id: string) => string, id: string) => {
      const { status, body, bytes } = await guest.get(path(id))
      return [status, body?.error.message ?? Buffer.from(bytes).toString().replaceAll(id, nowhere)]
    }
    for (const [path, id] of [
      [(id: string) => `/api/asset/${id}`, outside.id],
      [(id: string) => `/api/asset/${id}/file`, outside.id],
      [(id: string) => `/api/asset/${id}/renditions/thumb`, outside.id],
      [(id: string) => `/_image/w_320/${id}`, outside.id],
      [(id: string) => `/api/asset/${id}/comments?collection_id=${w.collection.id}`, outside.id],
      [(id: string) => `/api/post/${id}`, hidden],
      [(id: string) => `/api/post?collection_id=${id}`, (await ada.post('/api/collections', { name: 'Other' })).body.collection.id],
    ] as const)
      expect(await errorsOf(path, id), path('…')).toEqual(await errorsOf(path, nowhere))
    for (const id of [said.body.comment.id, nowhere])
      expect((await guest.patch(`/api/comments/${id}`, { text: 'Mine' })).body.error.message).toBe('The comment was not found')
  })
})

describe('A place that is hidden while a guest has it open', () => {
  const location = { lat: 47.123456, lon: 8.765432, name: 'Atlantis-9' }
  const where = { location, date: '2026-05-01T10:00:00Z', dateZone: 'Atlantic/Reykjavik' }
  /** The numbers are not the seconds of a moment. */
  const SECRETS = /Atlantis-9|(?<!\d:?)(47\.12|8\.76)|Reykjavik/

  test.each([
    ['by the link', (guest: GuestClient) => patchLink(guest, { location: 'hidden' })],
    ['by the collection', () => w.as('ada').put(at(), { places: 'nothing' })],
  ])('%s is in no delta, page, conditional answer or range after it', async (_what, hide) => {
    const placed = (await placedFiles()).find(({ name }) => name === 'telemetry.mp4')
    const { bytes, ...file } = placed ?? { bytes: new Uint8Array() }
    const asset = (await upload(w.as('ada'), bytes, { ...file, ...where, collectionIds: [w.collection.id] })).id
    const post = await note(where)
    const guest = await guestWith({ location: 'exact', download: true })
    const page = `/s/${secretOf(guest.made.url)}`
    const paths = [
      `/api/post?collection_id=${w.collection.id}`,
      `/api/asset?collection_id=${w.collection.id}&form=columns`,
      `/api/post/${post}`,
      `/api/asset/${asset}`,
      `${at()}/timeline`,
      `${page}/post/${post}`,
      `${page}/asset/${asset}`,
    ]
    const before = new Map<string, Answer>()
    for (const path of paths) before.set(path, await guest.get(path))
    for (const path of paths.filter((path) => !path.endsWith('timeline'))) expect(textOf(before.get(path) as Answer), path).toMatch(SECRETS)
    const original = await guest.get(`/api/asset/${asset}/file`)
    expect(tracesIn(original.bytes)).not.toEqual([])
    expect((await hide(guest)).status).toBe(200)

    for (const path of paths) {
      const after = await guest.get(path, { headers: { 'if-none-match': before.get(path)?.headers.get('etag') ?? '"none"' } })
      if (!path.endsWith('timeline')) expect([path, after.status]).toEqual([path, 200])
      expect(textOf(after)).not.toMatch(SECRETS)
    }
    for (const kind of ['post', 'asset']) {
      const { revision } = before.get(paths[kind === 'post' ? 0 : 1] ?? '')?.body ?? {}
      const delta = await guest.get(`/api/${kind}?collection_id=${w.collection.id}&since=${revision}`)
      expect([kind, delta.status]).toEqual([kind, 410])
      expect(textOf(delta)).not.toMatch(SECRETS)
    }
    const etag = original.headers.get('etag') ?? ''
    const known = await guest.get(`/api/asset/${asset}/file`, { headers: { 'if-none-match': etag } })
    expect([known.status, tracesIn(known.bytes)]).toEqual([200, []])
    // Of a range, the whole file comes, since that of before is another.
    const range = await guest.get(`/api/asset/${asset}/file`, { headers: { range: 'bytes=100-', 'if-range': etag } })
    expect([range.status, range.bytes.length, tracesIn(range.bytes)]).toEqual([200, bytes.length, []])
    expect((await guest.head(`/api/asset/${asset}/file`)).headers.get('etag')).not.toBe(etag)
  })
})

describe('The parameter of the link', () => {
  test('counts once, in one spelling', async () => {
    const [guest, other] = [await guestWith(), await guestWith({ kind: 'items', itemIds: [await note()] })]
    const both = new Client(w.origin)
    for (const [name, value] of [...guest.cookies, ...other.cookies]) both.cookies.set(name, value)
    const status = async (query: string) => (await both.get(`${at()}?${query}`)).status
    expect(await status(`link=${guest.link}`)).toBe(200)
    for (const query of [
      `link=${guest.link.toUpperCase()}`,
      `link=${guest.link}%00`,
      `link=%20${guest.link}`,
      `link=${guest.link},${other.link}`,
      'link=',
      'link[]=x',
      `LINK=${guest.link}`,
      `link=${newId()}&link=${guest.link}`,
    ])
      expect(await status(query), query).toBe(401)
  })

  test('with the cookie of another link of the browser, or one that was moved, opens nothing', async () => {
    const [guest, { id }] = [await guestWith(), await makeLink(w.as('ada'), w.collection.id)]
    const [name = '', value = ''] = [...guest.cookies][0] ?? []
    for (const [cookie, sealed] of [
      [name.replace(guest.link, id), value],
      [name.replace(guest.link, id), value.slice(0, -2)],
      [name.replace(guest.link, id), `${value.slice(0, 20)}A${value.slice(21)}`],
      ['session', value],
      [`__Host-${name}`, value],
    ] as const) {
      const thief = new Client(w.origin)
      thief.cookies.set(cookie, sealed)
      expect((await thief.get(`${at()}?link=${cookie.includes(guest.link) ? guest.link : id}`)).status, cookie).toBe(401)
      expect((await thief.get('/api/collections')).status, cookie).toBe(401)
    }
  })
})

test('The address of a link takes no other verbs, and HEAD tells what GET tells', async () => {
  const { url } = await makeLink(w.as('ada'), w.collection.id, { password: 'first snow' })
  const page = `/s/${secretOf(url)}`
  const head = await w.anonymous.head(page)
  expect([head.status, head.headers.get('x-robots-tag'), head.headers.get('referrer-policy')]).toEqual([
    200,
    'noindex, nofollow',
    'same-origin',
  ])
  for (const verb of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const { status, bytes } = await w.anonymous.call(verb, page)
    expect([verb, [404, 405].includes(status), Buffer.from(bytes).toString().includes('Kyoto')]).toEqual([verb, true, false])
  }
  for (const origin of ['https://evil.example', 'null'])
    expect((await w.anonymous.post(page, form({ password: 'first snow' }), { headers: { origin } })).status).toBe(403)
  for (const field of ['__proto__', 'constructor']) {
    const { status } = await w.anonymous.post(`/api/links/${secretOf(url)}/enter`, `{"password":"first snow","${field}":{"name":"x"}}`, {
      type: 'application/json',
    })
    expect(status, field).toBe(400)
  }
  expect((await w.anonymous.post(`/api/links/${secretOf(url)}/enter`, { password: 'first snow', role: 'owner' })).status).toBe(400)
})

test('Many who enter a link at once while it ends are all in before it, or not at all', async () => {
  const made = await makeLink(w.as('ada'), w.collection.id, { allows: 'answer' })
  const post = await note()
  const guests = await Promise.all(Array.from({ length: 10 }, () => guestOf(w.as('ada'), w.collection.id, {}, {}, made)))
  const say = (guest: GuestClient) => guest.post(`/api/post/${post}/comments`, { collection_id: w.collection.id, text: 'Hello' })
  const [ended, ...answers] = await Promise.all([
    w.as('ada').delete(`${at()}/links/${made.id}`),
    ...guests.map(say),
    ...Array.from({ length: 10 }, () => new GuestClient(w.origin).enter(made.url)),
  ])
  expect(ended.status).toBe(200)
  for (const { status } of answers) expect([200, 201, 401, 410]).toContain(status)
  const [row] = await w.sql`select count(*)::int as count from comments where collection_id = ${w.collection.id}`
  expect(row?.count).toBe(answers.filter(({ status }) => status === 201).length)
  expect((await Promise.all(guests.map(say))).map(({ status }) => status)).toEqual(guests.map(() => 401))
})

describe('The name of a guest', () => {
  test('that they have already writes and locks nothing', async () => {
    const guest = await guestWith({ allows: 'answer' }, 'Oma')
    await guest.post(`/api/post/${await note()}/comments`, { collection_id: w.collection.id, text: 'Hello' })
    // A lock shows in xmax.
    const rows = () =>
      w.sql`select c.xmin as collection, c.xmax as locked, g.xmin as guest, u.xmin as author from collections c, guests g, users u
        where c.id = ${w.collection.id} and g.id = ${guest.guest.id} and u.id = ${`guest:${guest.guest.id}`}`
    const before = await rows()
    expect((await guest.put('/api/guest', { name: ' Oma' })).body.guest.name).toBe('Oma')
    expect((await guest.enter(guest.made.url, { name: 'Oma' })).body.guest.name).toBe('Oma')
    expect(await rows()).toEqual(before)
  })

  test('reaches what they wrote when it is sent again after a failure in between', async () => {
    const guest = await guestWith({ allows: 'answer' }, 'Oma')
    await guest.post(`/api/post/${await note()}/comments`, { collection_id: w.collection.id, text: 'Hello' })
    const author = () => w.sql`select first_name from users where id = ${`guest:${guest.guest.id}`}`
    for (const repeat of [(name: string) => guest.put('/api/guest', { name }), (name: string) => guest.enter(guest.made.url, { name })]) {
      const name = `Oma ${newId()}`.slice(0, 20)
      await w.sql`update guests set name = ${name} where id = ${guest.guest.id}`
      expect((await repeat(name)).status).toBeLessThan(300)
      expect(await author()).toEqual([{ first_name: name }])
    }
  })

  test.each([
    ['Ada Test\u202e', 'Ada Test (guest)'],
    ['\u2067Ada\u2069 \u200fTest', 'Ada Test (guest)'],
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)> (guest)'],
    ['شهرزاد', 'شهرزاد (guest)'],
    ['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦 (guest)'],
  ])('%j is shown as %j', async (name, shown) => {
    const post = await note()
    const guest = await guestWith({ allows: 'answer' }, name)
    await guest.post(`/api/post/${post}/comments`, { collection_id: w.collection.id, text: 'Hello' })
    const { comments } = (await w.as('ada').get(`/api/post/${post}/comments?collection_id=${w.collection.id}`)).body
    expect(comments[0].author).toMatchObject({ name: shown, guest: true })
    expect(textOf(await guest.get(`/s/${secretOf(guest.made.url)}/post/${post}`))).not.toContain('<img src=x')
  })

  test.each([
    '\u202e',
    '\u200b\u200d',
    '\u3164',
    ' \u00ad ',
    '\u0301',
    'a\u0000b',
    'a'.repeat(LIMITS.guestName + 1),
    `e${'\u0301'.repeat(3_000)}`,
  ])('%j is refused', async (name) => {
    const { url } = await makeLink(w.as('ada'), w.collection.id)
    const { status, body } = await new GuestClient(w.origin).enter(url, { name })
    expect([status, Object.keys(body.error.fields)]).toEqual([400, ['name']])
  })
})

describe('The form for a comment', () => {
  test('refuses what the call refuses, and keeps the text of the guest', async () => {
    const [post, other] = [await note(), await note()]
    const guest = await guestWith({ kind: 'items', itemIds: [post], allows: 'answer' })
    const page = `/s/${secretOf(guest.made.url)}`
    const send = (fields: Record<string, string>, id = post) => guest.post(`${page}/post/${id}`, form(fields))
    const long = await send({ text: 'a'.repeat(LIMITS.comment + 1) })
    expect([long.status, textOf(long).includes('A comment may have at most 2000 characters'), textOf(long).includes('aaaa')]).toEqual([
      400,
      true,
      true,
    ])
    for (const emoji of ['<script>', 'ok', `👍${'\u0301'.repeat(2_500)}`]) expect((await send({ emoji })).status).toBe(400)
    expect((await send({ text: 'Hi', id: 'x' })).status).toBe(400)
    expect((await send({ text: '<script>alert(1)</script>' })).status).toBe(303)
    expect((await send({ text: 'Hi' }, other)).status).toBe(404)
    expect((await send({ emoji: '👍' }, other)).status).toBe(404)
    const shown = textOf(await guest.get(`${page}/post/${post}`))
    expect(shown).toContain('&lt;script&gt;alert(1)')
    expect(shown).not.toContain('<script>alert')
    const rows = await w.sql`select text from comments where collection_id = ${w.collection.id}`
    expect(rows.map(({ text }) => text)).toEqual(['<script>alert(1)</script>'])
  })

  test('of another guest, of another site or of nobody writes nothing', async () => {
    const post = await note()
    const guest = await guestWith({ allows: 'answer' })
    const page = `/s/${secretOf(guest.made.url)}/post/${post}`
    const stranger = await new Client(w.origin).post(page, form({ text: 'Hi' }))
    expect([stranger.status, stranger.headers.get('location')]).toEqual([303, `/s/${secretOf(guest.made.url)}`])
    expect((await guest.post(page, form({ text: 'Hi' }), { headers: { origin: 'https://evil.example' } })).status).toBe(403)
    expect(await w.sql`select from comments where collection_id = ${w.collection.id}`).toEqual([])
  })
})
