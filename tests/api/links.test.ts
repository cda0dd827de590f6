import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import { LinkFilters } from '../../contract/links.ts'
import { assetTest, postTest } from '../../web/lib/filters/content.ts'
import { GuestClient, guestOf, makeLink, secretOf } from '../support/guests.ts'
import { assetRow } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

let w: World
beforeAll(async () => {
  w = await world({ amy: 'admin', wes: 'write', rita: 'read', eve: null })
})

const links = () => `/api/collections/${w.collection.id}/links`
const note = async (who: string, title: string, more: object = {}) =>
  (await w.as(who).post('/api/post', { type: 'note', title, collectionIds: [w.collection.id], ...more })).body.post.id as string
const shown = async (guest: GuestClient, kind: 'post' | 'asset'): Promise<string[]> => {
  const { status, body } = await guest.get(`/api/${kind}?collection_id=${guest.opened?.collection_id}`)
  return status === 200 ? body[`${kind}s`].map(({ id }: { id: string }) => id) : [String(status)]
}

test('A link is made with its address, which is sent once and not stored', async () => {
  const made = await w.as('ada').post(links(), { kind: 'collection', name: ' For  grandma ' })
  expect(made.status).toBe(201)
  expect(made.headers.get('cache-control')).toBe('private, no-store')
  const { url, ...link } = made.body.link
  expect(url).toMatch(new RegExp(`^${w.origin}/s/[\\w-]{22}$`))
  const usual = { kind: 'collection', location: 'hidden', download: false, askName: false, password: false, ended: false }
  expect(link).toMatchObject({ ...usual, name: 'For grandma', createdBy: { id: w.as('ada').id, name: 'Ada Test' } })
  expect((await w.as('ada').get(links())).body.links).toContainEqual(link)
  const again = await w.as('ada').post(links(), { id: link.id, kind: 'collection' })
  expect([again.status, again.body.link]).toEqual([200, link])
  const [row] = await w.sql`select to_jsonb(l)::text as text from links l where id = ${link.id}`
  expect(row?.text).not.toContain(secretOf(url))
})

test('A guest sees the collection as the link shows it, and may do nothing more', async () => {
  const [post, asset] = [await note('ada', 'First snow'), await assetRow(w, 'ada', [w.collection.id])]
  const grandma = await guestOf(w.as('ada'), w.collection.id)
  const { body } = await grandma.get(`/api/collections/${w.collection.id}`)
  expect(body).toMatchObject({ role: 'guest', collection: { name: 'Kyoto', role: 'guest', member_count: 0 } })
  expect(Object.entries(body.permissions).filter(([, may]) => may)).toEqual([['collection.see', true]])
  for (const form of ['', '&form=columns']) {
    const posts = await grandma.get(`/api/post?collection_id=${w.collection.id}${form}`)
    expect([posts.status, JSON.stringify(posts.body).includes(post)], JSON.stringify(posts.body)).toEqual([200, true])
    const assets = await grandma.get(`/api/asset?collection_id=${w.collection.id}${form}`)
    expect([assets.status, JSON.stringify(assets.body).includes(asset)], JSON.stringify(assets.body)).toEqual([200, true])
  }
  const path = `/api/collections/${w.collection.id}`
  for (const call of [`/api/post/${post}`, `/api/asset/${asset}`, `${path}/timeline`, `${path}/people`, '/api/post', '/api/asset'])
    expect((await grandma.get(call)).status, call).toBe(200)
  expect((await grandma.patch(`/api/post/${post}`, { title: 'Mine' })).status).toBe(401)
})

test.each([
  [{ kind: 'items' }, 'itemIds'],
  [{ kind: 'collection', itemIds: [newId()] }, 'itemIds'],
  [{ kind: 'filter' }, 'filters'],
  [{ kind: 'filter', filters: {} }, 'filters'],
  [{ kind: 'filter', filters: { contentTypes: ['songs'] } }, 'filters.contentTypes.0'],
  [{ kind: 'collection', password: 'short' }, 'password'],
  [{ kind: 'collection', password: 'x'.repeat(129) }, 'password'],
  [{ kind: 'collection', endsAt: '2020-01-01T00:00:00Z' }, 'endsAt'],
  [{ kind: 'collection', location: 'street' }, 'location'],
  [{ kind: 'collection', allows: { add: true } }, 'allows'],
  [{ kind: 'items', itemIds: [newId()], join: true }, 'join'],
  [{ kind: 'collection', role: 'read' }, 'role'],
])('The link %j is refused because of %s', async (link, field) => {
  const { status, body } = await w.as('ada').post(links(), link)
  expect([status, Object.keys(body.error.fields)]).toEqual([400, [field]])
})

test('Items and people of elsewhere cannot be linked to', async () => {
  const foreign = (await w.as('ada').post('/api/post', { type: 'note', title: 'Private' })).body.post.id
  expect((await w.as('ada').post(links(), { kind: 'items', itemIds: [foreign] })).status).toBe(404)
  expect((await w.as('ada').post(links(), { kind: 'filter', filters: { people: [newId()] } })).status).toBe(404)
})

test('A collection has a number of links at most', async () => {
  const { body } = await w.as('ada').post('/api/collections', { name: 'Many links' })
  const id = body.collection.id
  const [link] = [await makeLink(w.as('ada'), id)]
  await w.sql`insert into links (id, collection_id, user_id, kind, hash) select gen_random_uuid(), ${id}, ${w.as('ada').id}, 'collection', gen_random_uuid()::text
    from generate_series(2, ${LIMITS.linksPerCollection})`
  expect((await w.as('ada').post(`/api/collections/${id}/links`, { kind: 'collection' })).status).toBe(409)
  await w.as('ada').delete(`/api/collections/${id}/links/${link?.id}`)
  expect((await w.as('ada').post(`/api/collections/${id}/links`, { kind: 'collection' })).status).toBe(201)
})

describe('A link to chosen items', () => {
  test('shows them, the assets of their posts, and nothing else', async () => {
    const [inPost, alone, other] = await Promise.all([1, 2, 3].map(() => assetRow(w, 'ada', [w.collection.id])))
    const post = await note('ada', 'Chosen', { existingAssetIds: [inPost] })
    await note('ada', 'Not chosen', { existingAssetIds: [other] })
    const guest = await guestOf(w.as('ada'), w.collection.id, { kind: 'items', itemIds: [post, alone ?? ''] })
    expect(await shown(guest, 'post')).toEqual([post])
    expect((await shown(guest, 'asset')).toSorted()).toEqual([inPost, alone].toSorted())
    const { body } = await guest.get(`/api/collections/${w.collection.id}`)
    expect(body.collection).toMatchObject({ post_count: 1, asset_count: 2 })
    const { buckets } = (await guest.get(`/api/collections/${w.collection.id}/timeline`)).body
    expect(buckets).toEqual([{ month: null, posts: 1, assets: 2 }])
    expect((await guest.get(`/api/asset/${other}`)).status).toBe(404)
    // A photo that comes into the post comes into the link, and one that goes is gone, for which guests load anew.
    const { revision } = (await guest.get(`/api/asset?collection_id=${w.collection.id}`)).body
    await w.as('ada').patch(`/api/post/${post}`, { existingAssetIds: [other] })
    expect((await shown(guest, 'asset')).toSorted()).toEqual([other, alone].toSorted())
    expect((await guest.get(`/api/asset/${inPost}`)).status).toBe(404)
    expect((await guest.get(`/api/asset?collection_id=${w.collection.id}&since=${revision}`)).status).toBe(410)
    const fresh = (await guest.get(`/api/asset?collection_id=${w.collection.id}`)).body
    await note('ada', 'Another')
    const delta = await guest.get(`/api/asset?collection_id=${w.collection.id}&since=${fresh.revision}`)
    expect([delta.status, delta.body.assets, delta.body.deleted]).toEqual([200, [], []])
  })

  test('shows other items after it has been changed, and guests then load anew', async () => {
    const [one, two] = [await note('ada', 'One'), await note('ada', 'Two')]
    const guest = await guestOf(w.as('ada'), w.collection.id, { kind: 'items', itemIds: [one] })
    const before = await guest.get(`/api/post?collection_id=${w.collection.id}`)
    const { status } = await w.as('ada').patch(`${links()}/${guest.link}`, { itemIds: [two] })
    expect(status).toBe(200)
    const known = { headers: { 'if-none-match': before.headers.get('etag') ?? '' } }
    const after = await guest.get(`/api/post?collection_id=${w.collection.id}`, known)
    expect([after.status, after.body.posts.map(({ id }: { id: string }) => id)]).toEqual([200, [two]])
    expect((await guest.get(`/api/post?collection_id=${w.collection.id}&since=${before.body.revision}`)).status).toBe(410)
    await note('ada', 'Three')
    const delta = await guest.get(`/api/post?collection_id=${w.collection.id}&since=${after.body.revision}`)
    expect([delta.status, delta.body.posts, delta.body.deleted]).toEqual([200, [], []])
  })

  test('can still be listed once they are gone for good', async () => {
    const post = await note('ada', 'Soon purged')
    const { id } = await makeLink(w.as('ada'), w.collection.id, { kind: 'items', itemIds: [post] })
    await w.sql`delete from posts where id = ${post}`
    const { status, body } = await w.as('ada').get(links())
    expect([status, body.links.find((link: { id: string }) => link.id === id)?.itemIds]).toEqual([200, []])
  })

  test('made by a writer shows own items alone, also those that their posts bring', async () => {
    const [theirs, own] = [await assetRow(w, 'ada', [w.collection.id]), await assetRow(w, 'wes', [w.collection.id])]
    const post = await note('wes', 'Of Wes', { existingAssetIds: [theirs, own] })
    expect((await w.as('wes').post(links(), { kind: 'items', itemIds: [post, theirs] })).status).toBe(403)
    const guest = await guestOf(w.as('wes'), w.collection.id, { kind: 'items', itemIds: [post] })
    expect(await shown(guest, 'asset')).toEqual([own])
    const { assets } = (await guest.get(`/api/post/${post}`)).body.post
    expect(assets.map(({ id }: { id: string }) => id)).toEqual([own])
    const widened = await w.as('amy').patch(`${links()}/${guest.link}`, { itemIds: [theirs] })
    expect(widened.status).toBe(403)
  })
})

test('A filter shows what the views show with it, and follows every change', async () => {
  const { body } = await w.as('ada').post('/api/collections', { name: 'Filtered' })
  const id = body.collection.id as string
  const ada = w.as('ada')
  const person = async (name: string) => (await ada.post(`/api/collections/${id}/people`, { name })).body.person.id as string
  const [ana, bob] = [await person('Ana'), await person('Bob')]
  for (const [type, kind] of [
    ['event', 'trip'],
    ['event', null],
    ['note', 'idea'],
    ['note', 'recipe'],
  ])
    for (const peopleIds of [[], [ana], [ana, bob]])
      await ada.post('/api/post', { type, ...(kind && { kind }), title: `${type} ${kind}`, collectionIds: [id], peopleIds })
  for (const type of ['image/jpeg', 'image/svg+xml', 'video/mp4', 'audio/mpeg', 'application/pdf'])
    for (const tags of [[], [bob]]) {
      const asset = await assetRow(w, 'ada', [id])
      await w.sql`update assets set type = ${type} where id = ${asset}`
      for (const tag of tags) await w.sql`insert into asset_people (asset_id, person_id) values (${asset}, ${tag})`
    }
  const { posts } = (await ada.get(`/api/post?collection_id=${id}`)).body
  const { assets } = (await ada.get(`/api/asset?collection_id=${id}`)).body
  const some = [
    { contentTypes: ['photo'] },
    { contentTypes: ['video', 'post'] },
    { contentTypes: ['file', 'audio'], people: [bob] },
    { postTypes: ['note'] },
    { eventTypes: ['trip'] },
    { eventTypes: ['trip'], noteTypes: ['idea'] },
    { postTypes: ['event'], noteTypes: ['idea'] },
    { postTypes: ['event', 'note'], eventTypes: ['trip'] },
    { contentTypes: ['photo'], postTypes: ['note'] },
    { people: [ana] },
    { people: [ana, bob], noteTypes: ['recipe'] },
  ]
  const ids = (list: { id: string }[]) => list.map((item) => item.id).toSorted()
  for (const filters of some) {
    const whole = LinkFilters.parse(filters)
    const guest = await guestOf(ada, id, { kind: 'filter', filters: whole })
    expect((await shown(guest, 'post')).toSorted(), JSON.stringify(filters)).toEqual(ids(posts.filter(postTest(whole) ?? (() => true))))
    expect((await shown(guest, 'asset')).toSorted(), JSON.stringify(filters)).toEqual(ids(assets.filter(assetTest(whole) ?? (() => true))))
  }

  const guest = await guestOf(ada, id, { kind: 'filter', filters: LinkFilters.parse({ people: [ana] }) })
  const first = (await guest.get(`/api/post?collection_id=${id}`)).body
  const [joins] = posts.filter(({ people }: { people: string[] }) => people.length === 0)
  const [leaves] = posts.filter(({ people }: { people: string[] }) => people.includes(ana))
  await ada.patch(`/api/post/${joins.id}`, { peopleIds: [ana] })
  await ada.patch(`/api/post/${leaves.id}`, { peopleIds: [] })
  const other = (await ada.post('/api/post', { type: 'note', title: 'Elsewhere', collectionIds: [id] })).body.post.id
  await ada.delete(`/api/post/${other}`)
  const delta = (await guest.get(`/api/post?collection_id=${id}&since=${first.revision}`)).body
  expect([ids(delta.posts), delta.deleted]).toEqual([[joins.id], [leaves.id]])
  // What has left is told of once, and no later change of it.
  await ada.patch(`/api/post/${leaves.id}`, { title: 'Not for guests' })
  const later = (await guest.get(`/api/post?collection_id=${id}&since=${delta.revision}`)).body
  expect([later.posts, later.deleted]).toEqual([[], []])
  expect((await guest.get(`/api/post?collection_id=${id}&since=${first.revision}`)).body.deleted).toEqual([leaves.id])
  await ada.patch(`/api/post/${leaves.id}`, { peopleIds: [ana] })
  const back = (await guest.get(`/api/post?collection_id=${id}&since=${later.revision}`)).body
  expect([ids(back.posts), back.deleted]).toEqual([[leaves.id], []])
  // Only people on what the guest sees.
  await ada.put(`/api/collections/${id}/people/${bob}`, { name: 'Bobby' })
  expect((await guest.get(`/api/collections/${id}/people`)).body.people.map(({ name }: { name: string }) => name)).toContain('Ana')
  // The filter of a removed person shows nothing.
  await ada.delete(`/api/collections/${id}/people/${ana}`)
  expect([await shown(guest, 'post'), await shown(guest, 'asset')]).toEqual([[], []])
})

test('A link with a password and names lets in those who give both', async () => {
  const { url } = await makeLink(w.as('ada'), w.collection.id, { password: 'first snow', askName: true })
  const guest = new GuestClient(w.origin)
  const refused = async (entry: object) => {
    const { status, body } = await guest.enter(url, entry)
    return [status, Object.keys(body.error.fields ?? {})]
  }
  expect(await refused({})).toEqual([403, ['password']])
  expect(await refused({ password: 'last snow' })).toEqual([403, ['password']])
  expect(await refused({ password: 'first snow' })).toEqual([400, ['name']])
  const { status, body } = await guest.enter(url, { password: 'first snow', name: ' Oma ' })
  expect([status, body.guest.name, body.link.collectionName]).toEqual([200, 'Oma', 'Kyoto'])
  const again = await guest.enter(url, { password: 'first snow', name: 'Oma Else' })
  expect(again.body.guest).toEqual({ id: body.guest.id, name: 'Oma Else' })
  // Who has said their name is not asked again.
  expect((await guest.enter(url, { password: 'first snow' })).body.guest).toEqual(again.body.guest)
})

test('The list of links counts each guest once a day, and says when a link was last used', async () => {
  const made = await makeLink(w.as('amy'), w.collection.id)
  expect([made.views, made.lastUsedAt]).toEqual([[], null])
  for (let n = 0; n < 2; n++) {
    const guest = new GuestClient(w.origin)
    await guest.enter(made.url)
    for (let m = 0; m < 3; m++) await guest.get(`/api/collections/${w.collection.id}`)
  }
  const find = async () => (await w.as('ada').get(links())).body.links.find(({ id }: { id: string }) => id === made.id)
  expect(await find()).toMatchObject({ views: [{ views: 2 }], lastUsedAt: expect.any(String), createdBy: { id: w.as('amy').id } })
})

test('A program that fetches a link for a preview or a scan is no visit, and a browser is one', async () => {
  const made = await makeLink(w.as('amy'), w.collection.id)
  const page = new URL(made.url).pathname
  const visits = async () => {
    const { views } = (await w.as('ada').get(links())).body.links.find(({ id }: { id: string }) => id === made.id)
    return views.reduce((sum: number, day: { views: number }) => sum + day.views, 0)
  }
  for (const method of ['GET', 'HEAD']) expect((await new GuestClient(w.origin).call(method, page)).status).toBe(200)
  expect(await visits()).toBe(0)
  expect((await new GuestClient(w.origin).get(page, { headers: { 'sec-fetch-dest': 'document' } })).status).toBe(200)
  expect(await visits()).toBe(1)
  // A browser that says nothing has the cookie when it comes back.
  const old = new GuestClient(w.origin)
  await old.get(page)
  await old.get(page)
  expect(await visits()).toBe(2)
})

test('Guests who come while the link is changed wait for nobody, and nobody for them', async () => {
  const made = await makeLink(w.as('ada'), w.collection.id)
  const path = `/api/collections/${w.collection.id}`
  const guests = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const guest = new GuestClient(w.origin)
      await guest.enter(made.url)
      return guest
    }),
  )
  const answers = await Promise.all([
    ...guests.map((guest) => guest.get(path)),
    ...guests.map((guest) => guest.enter(made.url, { name: 'Oma' })),
    ...guests.map((_, n) => w.as('ada').patch(`${links()}/${made.id}`, { name: `Name ${n}` })),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
})

test('Writers see their own links alone, readers and strangers none', async () => {
  const post = await note('wes', 'Mine')
  const [own, others] = [
    await makeLink(w.as('wes'), w.collection.id, { kind: 'items', itemIds: [post] }),
    await makeLink(w.as('ada'), w.collection.id),
  ]
  const ids = async (name: string) => (await w.as(name).get(links())).body.links.map(({ id }: { id: string }) => id)
  expect(await ids('wes')).toContain(own.id)
  expect(await ids('wes')).not.toContain(others.id)
  expect(await ids('ada')).toEqual(expect.arrayContaining([own.id, others.id]))
  expect((await w.as('rita').get(links())).status).toBe(403)
  expect((await w.as('eve').get(links())).status).toBe(404)
  expect((await w.as('wes').delete(`${links()}/${others.id}`)).status).toBe(404)
})

describe('A guest', () => {
  test('learns who they are and what the link allows, and says what they are called', async () => {
    const w = await world()
    const guest = await guestOf(w.as('ada'), w.collection.id, { name: 'For grandma', allows: 'answer', download: true })
    const { body } = await guest.get('/api/guest')
    expect(body.guest).toEqual({
      user_id: `guest:${guest.guest.id}`,
      name: null,
      link: { id: guest.link, collection_id: w.collection.id, title: 'For grandma', allows: 'answer', download: true },
    })
    expect(await guest.put('/api/guest', { name: ' Oma  Maria ' })).toMatchObject({ status: 200, body: { guest: { name: 'Oma Maria' } } })
    expect((await guest.get('/api/guest')).body.guest.name).toBe('Oma Maria')
    for (const name of ['', ' ', 'a'.repeat(61), 'a\u0000b'])
      expect(await guest.put('/api/guest', { name })).toMatchObject({
        status: 400,
        body: { error: { fields: { name: expect.any(String) } } },
      })
    expect((await guest.get('/api/guest')).body.guest.name).toBe('Oma Maria')
  })

  test('is nobody by the link of another, without a link, or once it has ended', async () => {
    const w = await world()
    const ada = w.as('ada')
    const guest = await guestOf(ada, w.collection.id)
    const other = await makeLink(ada, w.collection.id)
    const stranger = Object.assign(new GuestClient(w.origin), { link: guest.link })
    expect(await stranger.get('/api/guest')).toMatchObject({ status: 401 })
    expect(await stranger.put('/api/guest', { name: 'Mallory' })).toMatchObject({ status: 401 })
    guest.link = other.id
    expect(await guest.put('/api/guest', { name: 'Mallory' })).toMatchObject({ status: 401 })
    guest.link = ''
    expect(await guest.get('/api/guest')).toMatchObject({ status: 401 })
    expect(await ada.get('/api/guest')).toMatchObject({ status: 404 })
    guest.link = guest.made.id
    await ada.delete(`/api/collections/${w.collection.id}/links/${guest.made.id}`)
    expect(await guest.put('/api/guest', { name: 'Oma' })).toMatchObject({
      status: 401,
      body: { error: { message: expect.stringContaining('has ended') } },
    })
  })
})
