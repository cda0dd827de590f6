import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { newId } from '../../contract/ids.ts'
import type { Post } from '../../contract/posts.ts'
import type { Answer } from '../../dev/http-client.ts'
import { declared, jpegLike, sha256, upload } from '../support/files.ts'
import { PIXEL } from '../support/role-scene.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { type Actor, world } from '../support/world.ts'

type Kind = 'post' | 'asset'
const KINDS = ['post', 'asset'] as const

/** Everything that an edit can say, with one word that is in all of it. */
function words(word: string, year: number) {
  return {
    title: `${word} title`,
    body: `<p>${word} body</p>`,
    name: `${word} name.jpg`,
    alt: `${word} alt`,
    when: { date: `${year}-05-01T10:00:00Z`, dateZone: year === 1977 ? 'Asia/Tokyo' : 'Europe/Vienna', datePrecision: 'day' as const },
    endsAt: `${year}-05-02T10:00:00Z`,
    location: { lat: year / 128, lon: year / 128, name: `${word} place` },
  }
}
/** Matches what is later in any spelling, and no part of a random id or of today's time. */
const LATER = /LATER|1977-?05-?0[12]|15\.4453125|Tokyo/

/** A photo and a post of bob with the word LAST, in the world's collection, and others of bob and cy beside them. */
async function stage() {
  const w = await world({ bob: 'write', cy: 'admin' })
  const [ada, bob, cy] = [w.as('ada'), w.as('bob'), w.as('cy')]
  const [collectionIds, first, last] = [[w.collection.id], words('FIRST', 2001), words('LAST', 2002)]
  const bytes = jpegLike()
  const asset = (await upload(bob, bytes, { name: first.name, alt: first.alt, collectionIds })).id
  await bob.put(`/api/asset/${asset}/renditions/thumb`, PIXEL, { type: 'image/webp' })
  const added = { type: 'note', title: first.title, collectionIds, existingAssetIds: [asset] }
  const post = (await bob.post('/api/post', added)).body.post.id
  const spare = await assetRow(w, 'bob')
  const ofCy = (await upload(cy, jpegLike(), { name: 'LATER file.jpg', collectionIds })).id
  const person = (await ada.post(`/api/collections/${w.collection.id}/people`, { name: 'LATER person' })).body.person.id
  const { name, alt, title, body, when, endsAt, location } = last
  const undo = {
    asset: (await bob.put(`/api/asset/${asset}`, { name, alt, ...when, location })).body.changeId,
    post: (await bob.patch(`/api/post/${post}`, { type: 'event', kind: 'trip', title, body, ...when, endsAt, location })).body.changeId,
  }
  return { w, bob, cy, bytes, spare, ofCy, person, undo, asset, post }
}
type Scene = Awaited<ReturnType<typeof stage>>

/** Every change that an admin can make of the words, people and files of both items. */
async function editAll({ cy, asset, post, ofCy, person }: Scene): Promise<void> {
  const { title, body, name, alt, when, endsAt, location } = words('LATER', 1977)
  const ids = { asset: [asset], post: [post] }
  const edits = [
    () => cy.post('/api/asset/bulk.location', { ids: ids.asset, location }),
    () => cy.put(`/api/asset/${asset}`, { name, alt, ...when, location, peopleIds: [person] }),
    () => cy.post('/api/post/bulk.people', { ids: ids.post, add: [person] }),
    () => cy.post('/api/post/bulk.date', { ids: ids.post, ...when }),
    () => cy.patch(`/api/post/${post}`, { existingAssetIds: [asset, ofCy] }),
    () => cy.patch(`/api/post/${post}`, { type: 'note', kind: 'recipe', title, body, ...when, endsAt, location }),
  ]
  for (const edit of edits) expect((await edit()).status).toBe(200)
}

const remove = ({ w, bob }: Scene) => w.as('ada').delete(`/api/collections/${w.collection.id}/members/${bob.id}`)

/** Ways for bob to lose the last collection in which he sees the items. */
const WAYS: Record<string, (scene: Scene) => Promise<unknown>> = {
  'was removed': remove,
  left: ({ w, bob }) => bob.delete(`/api/collections/${w.collection.id}/invites/leave`),
  'took them out of their own collection': async (scene) => {
    const { bob, asset, post } = scene
    const own = await linkToOwn(scene)
    await remove(scene)
    await bob.delete(`/api/post/${post}/collections/${own}`)
    return bob.delete(`/api/asset/${asset}/collections/${own}`)
  },
  'deleted their own collection': async (scene) => {
    const own = await linkToOwn(scene)
    await remove(scene)
    return scene.bob.delete(`/api/collections/${own}`)
  },
}

async function linkToOwn({ w, bob, asset, post }: Scene): Promise<string> {
  const own = await collectionOf(w, 'bob')
  for (const path of [`/api/post/${post}`, `/api/asset/${asset}`]) {
    expect((await bob.post(`${path}/collections`, { collectionIds: [own] })).status).toBe(200)
  }
  return own
}

/** Every call in which an author may meet their item again. The copies come last. */
function calls({ bob, asset, post, undo, bytes, spare }: Scene): [name: string, go: () => Promise<Answer>][] {
  const both = (go: (path: string, kind: Kind, id: string) => [string, () => Promise<Answer>][]) =>
    KINDS.flatMap((kind) => go(`/api/${kind}`, kind, kind === 'post' ? post : asset))
  return [
    ...both((path, kind, id) => [
      [`GET ${path}/{id}`, () => bob.get(`${path}/${id}`)],
      [`GET ${path}`, () => bob.get(path)],
      [`GET ${path}?limit=1`, () => bob.get(`${path}?limit=1`)],
      [`POST ${path}/bulk.location`, () => bob.post(`${path}/bulk.location`, { ids: [id], location: null })],
      [`POST ${path}/bulk.date`, () => bob.post(`${path}/bulk.date`, { ids: [id], shift: { days: 4_000_000 } })],
      [`POST ${path}/bulk.people`, () => bob.post(`${path}/bulk.people`, { ids: [id], add: [newId()] })],
      [`POST ${path}/{id}/collections`, () => bob.post(`${path}/${id}/collections`, { collectionIds: [newId()] })],
      [`PUT ${path}/bulk.collections.add`, () => bob.put(`${path}/bulk.collections.add`, { ids: [id], collectionIds: [newId()] })],
      [`DELETE ${path}/bulk`, () => bob.delete(`${path}/bulk`, { ids: [id] })],
      [`DELETE ${path}/{id}`, () => bob.delete(`${path}/${id}`)],
      [`POST /api/undo of the ${kind}`, () => bob.post(`/api/undo/${undo[kind]}`)],
      [`POST /api/trash/restore of the ${kind}`, () => bob.post('/api/trash/restore', { [`${kind}Ids`]: [id] })],
    ]),
    ['PUT /api/asset/{id}', () => bob.put(`/api/asset/${asset}`, {}, { headers: { 'if-match': '1' } })],
    ['PATCH /api/post/{id}', () => bob.patch(`/api/post/${post}`, { title: 'Mine' }, { headers: { 'if-match': '1' } })],
    ['PUT /api/post/{id}', () => bob.put(`/api/post/${post}`, { type: 'note', title: 'Mine' }, { headers: { 'if-match': '1' } })],
    ['POST /api/post with its id', () => bob.post('/api/post', { id: post, type: 'note', title: 'Mine' })],
    ['POST /api/post with the photo', () => bob.post('/api/post', { type: 'note', title: 'Mine', existingAssetIds: [asset, spare] })],
    ['POST /api/asset with its id', () => bob.post('/api/asset', declared(bytes, { id: asset }))],
    ['POST /api/asset/{id}/complete', () => bob.post(`/api/asset/${asset}/complete`)],
    ['GET /api/asset/{id}/upload', () => bob.get(`/api/asset/${asset}/upload`)],
    ['GET /api/asset/{id}/file', () => bob.get(`/api/asset/${asset}/file?download=1`)],
    ['GET /api/asset/{id}/renditions/thumb', () => bob.get(`/api/asset/${asset}/renditions/thumb`)],
    ['GET /_image', () => bob.get(`/_image/w_320/${asset}`)],
    ...['trash', 'feed', 'collections', 'access'].map((noun): [string, () => Promise<Answer>] => [
      `GET /api/${noun}`,
      () => bob.get(`/api/${noun}`),
    ]),
    ['POST /api/post/{id}/copy', () => bob.post(`/api/post/${post}/copy`, {})],
    ['POST /api/asset/{id}/copy', () => bob.post(`/api/asset/${asset}/copy`, {})],
    ['POST /api/asset with its bytes', () => bob.post('/api/asset', declared(bytes))],
  ]
}

/** An answer as text, with its headers and the position in its cursor. */
function textOf({ body, headers }: Answer): string {
  const cursor = Buffer.from(body?.nextCursor ?? '', 'base64url').toString('latin1')
  return [JSON.stringify(body), [...headers].join('\n'), cursor].join('\n')
}

const read = async (who: Actor, kind: Kind, id: string) => (await who.get(`/api/${kind}/${id}`)).body[kind]

/** The part of an item that its author still sees: no collections, and no files of others. */
const kept = (seen: object) => ({
  ...seen,
  collections: [],
  people: [],
  version: expect.any(Number),
  updated_at: expect.any(String),
})

/** The fields of the item that a copy of it has. */
function copied({ title, body, type, kind, name, alt, date, date_zone, date_precision, ends_at, location, assets }: Post & Asset) {
  const words = { title, body, type, kind, name, alt, date, date_zone, date_precision, ends_at, location }
  const photos = assets?.map((photo) => ({ name: photo.name, alt: photo.alt }))
  return Object.fromEntries(Object.entries({ ...words, assets: photos }).filter(([, value]) => value !== undefined))
}

describe.each(Object.entries(WAYS))('an author who %s', (_way, goOutside) => {
  test('sees what they saw last, and no later word of others in any answer', async () => {
    const scene = await stage()
    const { bob, asset, post, ofCy, person, bytes } = scene
    const seen = { asset: await read(bob, 'asset', asset), post: await read(bob, 'post', post) }
    await goOutside(scene)
    await editAll(scene)

    const expected = {
      asset: kept(seen.asset),
      post: kept({ ...seen.post, assets: [{ ...seen.post.assets[0], version: expect.any(Number) }] }),
    }
    expect(await read(bob, 'asset', asset)).toEqual(expected.asset)
    expect(await read(bob, 'post', post)).toEqual(expected.post)
    for (const [name, go] of calls(scene)) {
      const answer = await go()
      expect(answer.status, name).toBeLessThan(500)
      expect(textOf(answer), name).not.toMatch(LATER)
      for (const id of [ofCy, person]) expect(textOf(answer), name).not.toContain(id)
      if (name.endsWith('file')) expect(sha256(answer.bytes)).toBe(sha256(bytes))
      if (name.endsWith('its bytes')) expect(answer.body.asset.id).not.toBe(asset)
      if (name.endsWith('post/{id}/copy')) expect(answer.body.post).toMatchObject(copied(seen.post))
      if (name.endsWith('asset/{id}/copy')) expect(answer.body.asset).toMatchObject(copied(seen.asset))
    }
  })
})

test('Whoever becomes a member again sees the present words, and keeps these when they leave again', async () => {
  const scene = await stage()
  const { w, bob, cy, asset, post } = scene
  await remove(scene)
  await editAll(scene)
  await w.sql`insert into members (collection_id, user_id, role) values (${w.collection.id}, ${bob.id}, 'read')`
  const seen = { asset: await read(bob, 'asset', asset), post: await read(bob, 'post', post) }
  expect(seen).toEqual({ asset: await read(cy, 'asset', asset), post: await read(cy, 'post', post) })
  await remove(scene)
  await cy.put(`/api/asset/${asset}`, { alt: 'Third' })
  await cy.patch(`/api/post/${post}`, { title: 'Third' })
  expect(await read(bob, 'asset', asset)).toEqual(kept(seen.asset))
  expect(await read(bob, 'post', post)).toMatchObject({ title: 'LATER title', assets: [{ id: asset, alt: 'LATER alt' }] })
})

describe('an item that is in no collection any more', () => {
  test.each([
    [
      'taken out of its collection',
      ({ w, asset, post }: Scene) =>
        Promise.all([
          w.as('ada').delete(`/api/asset/${asset}/collections/${w.collection.id}`),
          w.as('ada').delete(`/api/post/${post}/collections/${w.collection.id}`),
        ]),
    ],
    ['in a deleted collection', ({ w }: Scene) => w.as('ada').delete(`/api/collections/${w.collection.id}`)],
  ])('is its author’s as it is: %s', async (_way, end) => {
    const scene = await stage()
    const { bob, asset, post } = scene
    await remove(scene)
    await editAll(scene)
    await end(scene)
    expect(await read(bob, 'asset', asset)).toMatchObject({ name: 'LATER name.jpg', alt: 'LATER alt' })
    expect(await read(bob, 'post', post)).toMatchObject({ title: 'LATER title', type: 'note', kind: 'recipe' })
    expect((await bob.patch(`/api/post/${post}`, { title: 'Mine' })).body.post).toMatchObject({ title: 'Mine' })
    expect((await bob.put(`/api/asset/${asset}`, { alt: 'Mine' })).body.asset).toMatchObject({ alt: 'Mine' })
  })
})

test('An author sees a photo in a post of their own as they last saw the photo, if they have lost only the photo’s collection', async () => {
  const scene = await stage()
  const { w, bob, cy, asset } = scene
  const other = await collectionOf(w, 'bob')
  const post = (await bob.post('/api/post', { type: 'note', title: 'Mine', existingAssetIds: [asset] })).body.post.id
  await remove(scene)
  await bob.post(`/api/post/${post}/collections`, { collectionIds: [other] })
  await cy.put(`/api/asset/${asset}`, { name: 'LATER', alt: 'LATER' })
  expect((await read(bob, 'post', post)).assets).toMatchObject([{ id: asset, alt: 'LAST alt' }])
  const { body } = await bob.get(`/api/post?collection_id=${other}`)
  expect(body.posts[0].assets).toMatchObject([{ id: asset, name: 'LAST name.jpg', alt: 'LAST alt' }])
})

test('An author who is outside sees no photo of others in their post, even one that they see elsewhere', async () => {
  const scene = await stage()
  const { w, bob, cy, asset, post, ofCy } = scene
  const other = await collectionOf(w, 'cy', { bob: 'read' })
  await cy.post(`/api/asset/${ofCy}/collections`, { collectionIds: [other] })
  await remove(scene)
  expect((await cy.patch(`/api/post/${post}`, { existingAssetIds: [ofCy, asset] })).status).toBe(200)
  expect((await bob.get(`/api/asset/${ofCy}`)).status).toBe(200)
  expect((await read(bob, 'post', post)).assets).toMatchObject([{ id: asset }])
})

test('An author’s list keeps the place of what they see, page by page', async () => {
  const w = await world({ bob: 'write', cy: 'admin' })
  const [bob, cy, collectionIds] = [w.as('bob'), w.as('cy'), [w.collection.id]]
  const titles = ['2005', '2004', '2003', '2002', '2001']
  const ids: string[] = []
  for (const [nth, title] of titles.entries()) {
    const shared = nth % 2 === 1 ? { collectionIds } : {}
    ids.push((await bob.post('/api/post', { type: 'note', title, date: `${title}-01-01T00:00:00Z`, ...shared })).body.post.id)
  }
  await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${bob.id}`)
  await cy.patch(`/api/post/${ids[1]}`, { title: 'LATER', date: '1990-01-01T00:00:00Z' })
  await cy.patch(`/api/post/${ids[3]}`, { title: 'LATER', date: '2020-01-01T00:00:00Z' })
  const listed: string[] = []
  let cursor: string | undefined
  do {
    const { body } = await bob.get(`/api/post?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
    listed.push(...body.posts.map(({ title }: { title: string }) => title))
    cursor = body.nextCursor ?? undefined
  } while (cursor)
  expect(listed).toEqual(titles)
})

/** `at` is one of two collections of ada. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('edit by bob' as const, 'edit by ada' as const), at: fc.nat(1) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('remove' as const, 'add' as const), at: fc.nat(1) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('link' as const, 'unlink by bob' as const, 'unlink by ada' as const), at: fc.nat(1) }),
  },
)

test('Its author sees what they saw when they were last in one of its collections, in any order of events', {
  timeout: 120_000,
}, async () => {
  const w = await world({ bob: null })
  const [ada, bob] = [w.as('ada'), w.as('bob')]
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...KINDS), fc.array(step, { minLength: 6, maxLength: 16, size: 'max' }), async (kind, steps) => {
      const collections = [await collectionOf(w, 'ada', { bob: 'write' }), await collectionOf(w, 'ada', { bob: 'write' })]
      const id = kind === 'asset' ? await assetRow(w, 'bob') : (await bob.post('/api/post', { type: 'note', title: 'Hi' })).body.post.id
      const path = `/api/${kind}/${id}`
      const field = kind === 'asset' ? 'name' : 'title'
      await bob.post(`${path}/collections`, { collectionIds: [collections[0]] })
      const links = new Set([0])
      const inside = new Set([0, 1])
      let present = (await read(bob, kind, id))[field]
      let seen = present
      for (const { do: what, at } of steps) {
        const collection = collections[at]
        const edit = { [field]: newId() }
        const go = {
          'edit by bob': () => (kind === 'asset' ? bob.put(path, edit) : bob.patch(path, edit)),
          'edit by ada': () => (kind === 'asset' ? ada.put(path, edit) : ada.patch(path, edit)),
          remove: () => ada.delete(`/api/collections/${collection}/members/${bob.id}`),
          add: () =>
            w.sql`insert into members (collection_id, user_id, role) values (${collection}, ${bob.id}, 'write') on conflict do nothing`,
          link: () => bob.post(`${path}/collections`, { collectionIds: [collection] }),
          'unlink by bob': () => bob.delete(`${path}/collections/${collection}`),
          'unlink by ada': () => ada.delete(`${path}/collections/${collection}`),
        }[what]
        const answer = await go()
        const done = !('status' in answer) || answer.status === 200
        if (done && what.startsWith('edit')) present = edit[field]
        if (what === 'remove') inside.delete(at)
        if (what === 'add') inside.add(at)
        if (done && what === 'link') links.add(at)
        if (done && what.startsWith('unlink')) links.delete(at)
        if (links.size === 0 || [...links].some((link) => inside.has(link))) seen = present
        expect((await read(bob, kind, id))[field], what).toBe(seen)
      }
    }),
    { numRuns: 20 },
  )
})
