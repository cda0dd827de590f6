import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { may, type Role } from '../../contract/policy.ts'
import type { Answer } from '../../dev/http-client.ts'
import { declared, jpegLike, sha256, upload } from '../support/files.ts'
import { PIXEL } from '../support/role-scene.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

type Kind = 'post' | 'asset'
const KINDS = ['post', 'asset'] as const
const [MEMBER_ROLES, COUNT] = [['read', 'write', 'admin'] as const, 3]

/** A collection that an item is in: the roles of the caller and of the item's author there, null if they are not members, and whether the author put it in. */
interface ItemPlace {
  collection: string
  role: Role | null
  authorRole: Role | null
  byAuthor: boolean
}

/** The rule of docs/decisions/039-rights-over-an-item.md for an author with an account. A removal takes the item out of `removeFrom`, or moves it to the trash. */
function itemRights(isAuthor: boolean, places: readonly ItemPlace[]) {
  const everywhere = (action: 'item.edit' | 'item.link') => isAuthor && places.every(({ role }) => may(role, action, true))
  const removeFrom = places.filter(({ role }) => may(role, 'item.remove', isAuthor))
  return {
    edit: everywhere('item.edit') || (!isAuthor && places.some(({ role, byAuthor }) => byAuthor && may(role, 'item.edit'))),
    link: everywhere('item.link'),
    removeFrom: removeFrom.map(({ collection }) => collection),
    trash:
      removeFrom.length === places.length &&
      (isAuthor || (places.length > 0 && places.every(({ byAuthor, authorRole }) => byAuthor && may(authorRole, 'item.remove', true)))),
  }
}

/** An item in some of three collections of ada; bob is the caller, and the author or not. */
const scene = fc.record({
  kind: fc.constantFrom(...KINDS),
  isAuthor: fc.boolean(),
  roles: fc.array(fc.constantFrom(null, ...MEMBER_ROLES), { minLength: COUNT, maxLength: COUNT }),
  /** Of the author, where that is another one than bob. */
  authorRoles: fc.array(fc.constantFrom(null, 'write' as const, ...MEMBER_ROLES), { minLength: COUNT, maxLength: COUNT }),
  links: fc.array(fc.constantFrom('none' as const, 'author' as const, 'other' as const), { minLength: COUNT, maxLength: COUNT }),
})

async function placed(w: World, kind: Kind, author: string): Promise<string> {
  if (kind === 'asset') return assetRow(w, author)
  return (await w.as(author).post('/api/post', { type: 'note', title: 'Hi' })).body.post.id
}

const link = (w: World, kind: Kind, { id, collection, by }: { id: string; collection: string; by: string }) =>
  kind === 'post'
    ? w.sql`insert into post_collections (collection_id, post_id, user_id) values (${collection}, ${id}, ${w.as(by).id})`
    : w.sql`insert into asset_collections (collection_id, asset_id, user_id) values (${collection}, ${id}, ${w.as(by).id})`

const isDeleted = async (w: World, kind: Kind, id: string) =>
  (
    await (kind === 'post' ? w.sql`select deleted_at from posts where id = ${id}` : w.sql`select deleted_at from assets where id = ${id}`)
  )[0]?.deleted_at !== null

const linksOf = async (w: World, kind: Kind, id: string): Promise<string[]> =>
  (
    await (kind === 'post'
      ? w.sql`select collection_id from post_collections where post_id = ${id} order by 1`
      : w.sql`select collection_id from asset_collections where asset_id = ${id} order by 1`)
  ).map(({ collection_id }) => collection_id as string)

test('The server permits what the policy does, for any roles and links', { timeout: 120_000 }, async () => {
  const w = await world({ bob: null, cy: null })
  const bob = w.as('bob')
  const own = await collectionOf(w, 'bob')
  await fc.assert(
    fc.asyncProperty(scene, async ({ kind, isAuthor, roles, authorRoles, links }) => {
      const author = isAuthor ? 'bob' : 'cy'
      const id = await placed(w, kind, author)
      const places: ItemPlace[] = []
      for (const [nth, role] of roles.entries()) {
        const authorRole = (isAuthor ? role : authorRoles[nth]) ?? null
        const collection = await collectionOf(w, 'ada', {
          ...(role && { bob: role }),
          ...(!isAuthor && authorRole && { cy: authorRole }),
        })
        const by = links[nth]
        if (by === 'none' || !by) continue
        await link(w, kind, { id, collection, by: by === 'author' ? author : 'ada' })
        places.push({ collection, role, authorRole, byAuthor: by === 'author' })
      }
      const sees = isAuthor || places.some(({ role }) => role !== null)
      const rights = itemRights(isAuthor, places)
      const expected = (allowed: boolean) => (sees ? (allowed ? 200 : 403) : 404)

      const place = await bob.post(`/api/${kind}/bulk.location`, { ids: [id], location: { lat: 1, lon: 2 } })
      expect(place.status).toBe(expected(rights.edit))
      const edit =
        kind === 'post' ? await bob.patch(`/api/post/${id}`, { title: 'New' }) : await bob.put(`/api/asset/${id}`, { alt: 'New' })
      expect(edit.status).toBe(expected(rights.edit))
      const linked = await bob.post(`/api/${kind}/${id}/collections`, { collectionIds: [own] })
      expect(linked.status).toBe(expected(rights.link))
      if (linked.status === 200) await bob.post(`/api/undo/${linked.body.changeId}`)

      const [before, removal] = [await linksOf(w, kind, id), await bob.delete(`/api/${kind}/bulk`, { ids: [id] })]
      expect(removal.status).toBe(expected(rights.trash || rights.removeFrom.length > 0))
      expect(await isDeleted(w, kind, id)).toBe(rights.trash)
      const rest = rights.trash ? before : before.filter((collection) => !rights.removeFrom.includes(collection))
      expect(await linksOf(w, kind, id)).toEqual(removal.status === 200 ? rest : before)
      if (removal.status !== 200) return
      const seen = places.filter(({ role, collection }) => role !== null && !rights.removeFrom.includes(collection))
      expect(removal.body.stillIn).toEqual(rights.trash ? [] : seen.map(({ collection }) => collection).toSorted())
      expect((await bob.post(`/api/undo/${removal.body.changeId}`)).status).toBe(200)
      expect([await isDeleted(w, kind, id), await linksOf(w, kind, id)]).toEqual([false, before])
    }),
    { numRuns: 40 },
  )
})

test.each(KINDS)(
  'The author of a %s who lost a collection changes nothing that is seen there, by no call and from no other collection',
  async (kind) => {
    const w = await world({ bob: 'write', cy: 'read' })
    const [ada, bob] = [w.as('ada'), w.as('bob')]
    const other = await collectionOf(w, 'bob')
    const id =
      kind === 'asset' ? (await upload(bob, jpegLike(), { collectionIds: [w.collection.id, other] })).id : await placed(w, kind, 'bob')
    if (kind === 'post') await bob.post(`/api/post/${id}/collections`, { collectionIds: [w.collection.id, other] })
    const fields = () => (kind === 'post' ? { title: newId() } : { alt: newId() })
    const edit = () => (kind === 'post' ? bob.patch(`/api/post/${id}`, fields()) : bob.put(`/api/asset/${id}`, fields()))
    const changeId = (await edit()).body.changeId
    const trashed = kind === 'post' ? await placed(w, kind, 'bob') : await assetRow(w, 'bob')
    await link(w, kind, { id: trashed, collection: w.collection.id, by: 'bob' })
    await bob.delete(`/api/${kind}/${trashed}`)

    await ada.delete(`/api/collections/${w.collection.id}/members/${bob.id}`)
    const content = async () => {
      const { body } = await w.as('cy').get(`/api/${kind}?collection_id=${w.collection.id}`)
      return JSON.stringify(body[`${kind}s`])
    }
    const before = await content()
    const frozen: (() => Promise<Answer>)[] = [
      edit,
      () => bob.post(`/api/${kind}/bulk.location`, { ids: [id], location: { lat: 1, lon: 2 } }),
      () => bob.post(`/api/${kind}/bulk.date`, { ids: [id], date: '2026-05-01T10:00:00Z' }),
      () => bob.post(`/api/${kind}/${id}/collections`, { collectionIds: [other] }),
      () => bob.put(`/api/${kind}/bulk.collections.add`, { ids: [id], collectionIds: [other] }),
      () => bob.post(`/api/undo/${changeId}`),
      () => bob.post('/api/trash/restore', { [`${kind}Ids`]: [trashed] }),
      ...(kind === 'asset' ? [() => bob.put(`/api/asset/${id}/renditions/thumb`, PIXEL, { type: 'image/webp' })] : []),
    ]
    for (const call of frozen) expect((await call()).status).toBe(403)
    // From their own collection they may still take it.
    expect((await bob.delete(`/api/${kind}/${id}`)).body.stillIn).toEqual([])
    expect(await linksOf(w, kind, id)).toEqual([w.collection.id])
    expect((await bob.delete(`/api/${kind}/${id}`)).status).toBe(403)
    expect(await content()).toBe(before)
  },
)

test('A picture whose last bytes come after its sender has lost their role is not stored', async () => {
  const w = await world({ bob: 'write' })
  const [ada, bob] = [w.as('ada'), w.as('bob')]
  const { id } = await upload(bob, jpegLike(), { collectionIds: [w.collection.id] })
  const path = `/api/asset/${id}/renditions/thumb`
  expect((await bob.put(path, PIXEL, { type: 'image/webp' })).status).toBe(200)
  const stored = (await ada.get(path)).bytes
  const rest = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(PIXEL.slice(0, 10))
      await rest.promise
      controller.enqueue(PIXEL.slice(10))
      controller.close()
    },
  })
  const headers = { origin: bob.origin, cookie: bob.cookieHeader(), 'content-type': 'image/webp' }
  const late = fetch(`${bob.origin}${path}`, { method: 'PUT', headers, body, duplex: 'half' } as RequestInit)
  await ada.delete(`/api/collections/${w.collection.id}/members/${bob.id}`)
  rest.resolve()
  expect((await late).status).toBe(403)
  expect((await ada.get(path)).bytes).toEqual(stored)
})

describe('what is frozen for its author', () => {
  test('Its author copies it with its file, and the copy is theirs alone', async () => {
    const w = await world({ bob: 'write' })
    const bob = w.as('bob')
    const bytes = jpegLike()
    const { id } = await upload(bob, bytes, { collectionIds: [w.collection.id], alt: 'A gate' })
    await bob.put(`/api/asset/${id}/renditions/thumb`, PIXEL, { type: 'image/webp' })
    const note = { type: 'note', title: 'Hi', body: '<p>There</p>', collectionIds: [w.collection.id], existingAssetIds: [id] }
    const post = (await bob.post('/api/post', note)).body.post.id
    await w.as('ada').delete(`/api/collections/${w.collection.id}/members/${bob.id}`)
    const own = await collectionOf(w, 'bob')

    const copied = await bob.post(`/api/post/${post}/copy`, { collectionIds: [own] })
    expect(copied.status, JSON.stringify(copied.body)).toBe(201)
    const copy = copied.body.post
    expect(copy).toMatchObject({ title: 'Hi', body: '<p>There</p>', collections: [{ collection_id: own }] })
    const [photo] = copy.assets
    expect([copy.id, photo.id]).not.toContain(id)
    expect(photo).toMatchObject({ alt: 'A gate', renditions: ['thumb'] })
    expect(sha256((await bob.get(`/api/asset/${photo.id}/file`)).bytes)).toBe(sha256(bytes))
    expect((await bob.get(`/api/asset/${photo.id}/renditions/thumb`)).status).toBe(200)
    expect((await bob.patch(`/api/post/${copy.id}`, { title: 'Mine' })).status).toBe(200)
    expect((await bob.put(`/api/asset/${photo.id}`, { alt: 'Mine' })).status).toBe(200)
    expect((await w.as('ada').get(`/api/asset/${photo.id}`)).status).toBe(404)
  })

  test('The same file uploaded again is no duplicate of it, but of its copy', async () => {
    const w = await world({ bob: 'write' })
    const bob = w.as('bob')
    const bytes = jpegLike()
    const { id } = await upload(bob, bytes, { collectionIds: [w.collection.id] })
    const declaredAgain = async () => (await bob.post('/api/asset', declared(bytes))).body.asset.id
    expect(await declaredAgain()).toBe(id)
    await w.sql`update members set role = 'read' where collection_id = ${w.collection.id} and user_id = ${bob.id}`
    const again = await upload(bob, bytes)
    expect(again.id).not.toBe(id)
    expect(await declaredAgain()).toBe(again.id)
    expect((await bob.post(`/api/asset/${id}/copy`, {})).body.asset.id).toBe(again.id)
  })

  test('The same file uploaded again, of which its author may change two copies, answers with the one that it links', async () => {
    const w = await world({ bob: 'write' })
    const bob = w.as('bob')
    const bytes = jpegLike()
    const { id } = await upload(bob, bytes, { collectionIds: [w.collection.id] })
    const setRole = (role: string) =>
      w.sql`update members set role = ${role} where collection_id = ${w.collection.id} and user_id = ${bob.id}`
    await setRole('read')
    expect((await upload(bob, bytes)).id).not.toBe(id)
    await setRole('write')
    // Its row is now stored after that of its copy.
    expect((await bob.put(`/api/asset/${id}`, { alt: 'A gate' })).status).toBe(200)
    const own = await collectionOf(w, 'bob')
    const { duplicate, linked, asset } = (await bob.post('/api/asset', declared(bytes, { collectionIds: [own] }))).body
    expect({ duplicate, linked, id: asset.id }).toEqual({ duplicate: true, linked: [own], id })
    expect(await linksOf(w, 'asset', id)).toContain(own)
  })

  test('Only its author may copy an item', async () => {
    const w = await world({ bob: 'write', eve: null })
    const [post, photo] = [await placed(w, 'post', 'bob'), await assetRow(w, 'bob', [w.collection.id])]
    await link(w, 'post', { id: post, collection: w.collection.id, by: 'bob' })
    for (const path of [`/api/post/${post}/copy`, `/api/asset/${photo}/copy`]) {
      expect([(await w.as('ada').post(path, {})).status, (await w.as('eve').post(path, {})).status]).toEqual([403, 404])
    }
  })
})

test('What an admin removes stays in other collections, and goes to the trash from its last', async () => {
  const w = await world({ bob: 'write' })
  const [ada, bob] = [w.as('ada'), w.as('bob')]
  const other = await collectionOf(w, 'bob', { ada: 'read' })
  const id = await placed(w, 'post', 'bob')
  await bob.post(`/api/post/${id}/collections`, { collectionIds: [w.collection.id, other] })
  const removal = await ada.delete(`/api/post/${id}`)
  expect(removal.body).toEqual({ success: true, changeId: expect.any(String), stillIn: [other] })
  expect(await linksOf(w, 'post', id)).toEqual([other])
  expect((await bob.delete(`/api/post/${id}`)).body.stillIn).toEqual([])
  expect(await isDeleted(w, 'post', id)).toBe(true)
})
