import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import { newId } from '../../contract/ids.ts'
import { userRoom } from '../../contract/live.ts'
import { ENDPOINTS } from '../../contract/routes.ts'
import { enter } from '../party/live-socket.ts'
import { begin, declared, jpegLike, sendParts, upload } from '../support/files.ts'
import { type Cast, gather, type Scene, stage } from '../support/role-scene.ts'
import { endpointsOf, TABLE } from '../support/role-table.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { scriptOf, scriptRow, type TokenClient } from '../support/tokens.ts'
import { register, type World, world } from '../support/world.ts'

/** Whether a token for one collection suffices for the call. */
function isInOneCollection({ method, path, sessionOnly }: Endpoint): boolean {
  if (sessionOnly || /\/(copy|invites\/(accept|decline))$/.test(path)) return false
  if (path === '/api/collections') return method === 'GET'
  return /^(\/api\/(collections\/\{|post|asset|comments|undo|live)|\/_image)/.test(path)
}

describe('a token for one collection', () => {
  let cast: Cast
  let w: World
  beforeAll(async () => {
    cast = await gather()
    w = cast.w
  })

  /** Everything that a call with a scene's ids could change. */
  /** Without what the minute's task marks as read or looked at. */
  async function rowsOf(scene: Scene): Promise<unknown> {
    const ids = `{${Object.values(scene).filter((value) => /^[\da-f-]{36}$/.test(value))}}`
    const rows = await w.sql`select to_jsonb(c) - 'updated_at' as row from collections c where id = ${scene.collection}
      union all select to_jsonb(m) from members m where collection_id = ${scene.collection}
      union all select to_jsonb(p) from people p where collection_id = ${scene.collection}
      union all select to_jsonb(i) from invites i where collection_id = ${scene.collection}
      union all select to_jsonb(p) from posts p where id = any(${ids}::uuid[])
      union all select to_jsonb(a) - 'metadata_read' from assets a where id = any(${ids}::uuid[])
      union all select to_jsonb(u) from uploads u where asset_id = any(${ids}::uuid[])
      union all select to_jsonb(l) from post_collections l where post_id = any(${ids}::uuid[])
      union all select to_jsonb(l) - 'parts_sought' from asset_collections l where asset_id = any(${ids}::uuid[])
      union all select to_jsonb(e) from edits e where id = any(${ids}::uuid[]) order by 1`
    return rows
  }

  /** For calls that are refused and change nothing, which is checked each time. */
  let unchanged: Promise<Scene> | undefined

  /** Calls about items that are in no collection. */
  const UNATTACHED = ['link an own post', 'link an own asset', 'link own posts in bulk', 'link own assets in bulk']

  describe.each(TABLE)('%s', (what, expected, call) => {
    test('gets what its owner gets in the collection, unless the call reaches beyond it', async () => {
      const scene = await stage(cast, 'ada')
      const inside = (await endpointsOf(call)).every(isInOneCollection)
      const answer = await call(await scriptRow(w, 'ada', scene.collection), scene)
      expect(answer.status, JSON.stringify(answer.body)).toBe(inside ? (UNATTACHED.includes(what) ? 404 : expected[3]) : 403)
    })

    test('is refused for another collection of its owner, and changes nothing', async () => {
      unchanged ??= stage(cast, 'ada')
      const scene = await unchanged
      const script = await scriptRow(w, 'ada', w.collection.id)
      const before = await rowsOf(scene)
      const { status, body } = await call(script, scene)
      if (what === 'see own collections') expect(body.collections).toEqual([expect.objectContaining({ id: w.collection.id })])
      else if (what === 'see which own assets a device has to read') expect(body.assets).toEqual([])
      else expect([403, 404], JSON.stringify(body)).toContain(status)
      expect(await rowsOf(scene)).toEqual(before)
    })
  })

  test.each(
    ENDPOINTS.filter((endpoint) => !endpoint.public && !isInOneCollection(endpoint)).map(({ method, path }) => [
      `${method} ${path}`,
      method,
      path,
    ]),
  )('%s refuses it', async (_name, method, path) => {
    const script = await scriptRow(w, 'ada', w.collection.id)
    const body = method === 'GET' || method === 'DELETE' ? undefined : {}
    const answer = await script.call(method, path.replaceAll(/\{\w+\}/g, w.collection.id), body)
    expect([answer.status, answer.body.error?.code]).toEqual([403, 'forbidden'])
  })
})

test('A token names its collection, which must be one that its maker sees', async () => {
  const w = await world({ bob: 'read', eve: null })
  const { id, name } = w.collection
  const make = (who: string, collectionId: unknown) => w.as(who).post('/api/users/tokens', { name: 'T', scope: 'read', collectionId })
  const { status, body } = await make('bob', id.toUpperCase())
  expect([status, body.token.collection]).toEqual([201, { id, name }])
  expect((await make('bob', null)).body.token.collection).toBeNull()
  const { tokens } = (await w.as('bob').get('/api/access')).body
  expect(tokens.map(({ collection }: { collection: unknown }) => collection)).toEqual([null, { id, name }])

  const refused = await make('eve', id)
  expect([refused.status, Object.keys(refused.body.error.fields)]).toEqual([404, ['collectionId']])
  expect((await make('bob', 'Kyoto')).status).toBe(400)
  expect((await w.as('eve').get('/api/access')).body.tokens).toEqual([])
})

describe('the items that a token for one collection shows', () => {
  let w: World
  let other: string
  let unattached: string
  let elsewhere: string
  let inside: string
  let inBoth: string
  let script: TokenClient
  beforeAll(async () => {
    w = await world({ bob: 'write' })
    other = await collectionOf(w, 'bob')
    unattached = await assetRow(w, 'bob')
    elsewhere = await assetRow(w, 'bob', [other])
    inside = await assetRow(w, 'bob', [w.collection.id])
    inBoth = await assetRow(w, 'bob', [w.collection.id, other])
    script = await scriptOf(w.as('bob'), 'write', w.collection.id)
  })
  const ids = (list: { id: string }[]) => list.map(({ id }) => id).toSorted()

  test('Lists without a collection have only its items, and name no other collection', async () => {
    const { assets } = (await script.get('/api/asset')).body
    expect(ids(assets)).toEqual([inside, inBoth].toSorted())
    for (const asset of assets)
      expect(asset.collections.map((link: { collection_id: string }) => link.collection_id)).toEqual([w.collection.id])
    expect(ids((await w.as('bob').get('/api/asset')).body.assets)).toEqual([inside, inBoth, elsewhere, unattached].toSorted())
    expect((await script.get(`/api/asset?collection_id=${other}`)).status).toBe(404)
  })

  test('Own items outside the collection are not found, and cannot be put into it', async () => {
    for (const id of [unattached, elsewhere]) {
      const answers = [
        await script.get(`/api/asset/${id}`),
        await script.get(`/api/asset/${id}/file`),
        await script.put(`/api/asset/${id}`, { alt: 'New' }),
        await script.delete(`/api/asset/${id}`),
        await script.post(`/api/asset/${id}/collections`, { collectionIds: [w.collection.id] }),
        await script.post('/api/post', { type: 'note', title: 'T', collectionIds: [w.collection.id], existingAssetIds: [id] }),
      ]
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    }
  })

  test('An item that is also elsewhere is frozen, but can be removed from the collection', async () => {
    const id = await assetRow(w, 'bob', [w.collection.id, other])
    expect((await script.put(`/api/asset/${id}`, { alt: 'New' })).status).toBe(403)
    expect((await script.put(`/api/asset/${inside}`, { alt: 'New' })).status).toBe(200)
    expect((await script.delete(`/api/asset/${id}/collections/${other}`)).status).toBe(404)
    expect((await script.delete(`/api/asset/${id}/collections/${w.collection.id}`)).status).toBe(200)
    expect((await script.get(`/api/asset/${id}`)).status).toBe(404)
    expect((await w.as('bob').get(`/api/asset/${id}`)).body.asset.collections).toEqual([expect.objectContaining({ collection_id: other })])
  })

  test('An edit that reached beyond the collection cannot be undone', async () => {
    const asset = await assetRow(w, 'bob', [w.collection.id])
    const { changeId } = (await w.as('bob').post(`/api/asset/${asset}/collections`, { collectionIds: [other] })).body
    expect((await script.post(`/api/undo/${changeId}`)).status).toBe(404)
    expect((await w.as('bob').post(`/api/undo/${changeId}`)).status).toBe(200)
  })

  test('New items go into the collection only', async () => {
    const file = () => ({ name: 'a.jpg', type: 'image/jpeg', size: 1, checksum: (newId() + newId()).replaceAll('-', '') })
    for (const [path, input] of [
      ['/api/post', () => ({ type: 'note', title: 'T' })],
      ['/api/asset', file],
    ] as const) {
      for (const none of [{}, { collectionIds: [] }]) {
        const { status, body } = await script.post(path, { ...input(), ...none })
        expect([status, body.error.fields.collectionIds]).toEqual([403, expect.stringContaining(w.collection.id)])
      }
      for (const collectionIds of [[other], [w.collection.id, other]])
        expect((await script.post(path, { ...input(), collectionIds })).status).toBe(404)
      expect((await script.post(path, { ...input(), collectionIds: [w.collection.id] })).status).toBe(201)
    }
  })

  test('An id of an own item outside the collection is taken', async () => {
    const post = (await w.as('bob').post('/api/post', { type: 'note', title: 'Secret' })).body.post
    const again = await script.post('/api/post', { id: post.id, type: 'note', title: 'T', collectionIds: [w.collection.id] })
    expect([again.status, JSON.stringify(again.body)]).toEqual([409, expect.not.stringContaining('Secret')])
    const { status } = await script.post('/api/asset', {
      ...declared(jpegLike(), { collectionIds: [w.collection.id] }),
      id: unattached,
    })
    expect(status).toBe(409)
  })

  test('A file that its owner has elsewhere is uploaded anew, and the other copy stays as it is', async () => {
    const bytes = jpegLike()
    const first = await begin(w.as('bob'), bytes)
    await sendParts(w.as('bob'), first.id, bytes)
    expect((await w.as('bob').post(`/api/asset/${first.id}/complete`)).status).toBe(200)
    const before = (await w.as('bob').get(`/api/asset/${first.id}`)).body

    const second = await begin(script, bytes, { collectionIds: [w.collection.id] })
    expect(second.id).not.toBe(first.id)
    await sendParts(script, second.id, bytes)
    expect((await script.post(`/api/asset/${second.id}/complete`)).body.asset.id).toBe(second.id)
    expect((await w.as('bob').get(`/api/asset/${first.id}`)).body).toEqual(before)
    const again = await script.post('/api/asset', declared(bytes, { collectionIds: [w.collection.id] }))
    expect([again.status, again.body.asset.id]).toEqual([200, second.id])
  })

  test('An own unfinished upload into the collection is visible, others are not', async () => {
    const [within, without] = [
      await begin(w.as('bob'), jpegLike(), { collectionIds: [w.collection.id] }),
      await begin(w.as('bob'), jpegLike(), { collectionIds: [other] }),
    ]
    expect((await script.get(`/api/asset/${within.id}/upload`)).status).toBe(200)
    expect((await script.get(`/api/asset/${without.id}/upload`)).status).toBe(404)
  })

  test('Completing an upload into two collections keeps it in both', async () => {
    const bytes = jpegLike()
    const { id } = await begin(w.as('bob'), bytes, { collectionIds: [w.collection.id, other] })
    await sendParts(script, id, bytes)
    expect((await script.post(`/api/asset/${id}/complete`)).status).toBe(200)
    expect((await w.as('bob').get(`/api/asset/${id}`)).body.asset.collections).toHaveLength(2)
  })
})

test('A token for one collection joins the room of that collection only', async () => {
  const w = await world()
  const script = await scriptOf(w.as('ada'), 'write', w.collection.id)
  const ticket = async (room: string) => (await script.post('/api/live/ticket', { room })).status
  expect(await ticket(`collection:${await collectionOf(w, 'ada')}`)).toBe(404)
  expect(await ticket(userRoom(w.as('ada').id))).toBe(403)
  await enter(script, `collection:${w.collection.id}`)
})

test.each([
  ['its owner deletes the collection', (w: World) => w.as('ada').delete(`/api/collections/${w.collection.id}`)],
  [
    'the owner of the collection deletes the account',
    (w: World) =>
      w.as('ada').delete('/api/users/profile', { email: w.as('ada').email, items: 'leave', deleteCollections: [w.collection.id] }),
  ],
])('A token ends with its collection when %s', async (_what, end) => {
  const w = await world({ bob: 'write' })
  const script = await scriptOf(w.as('bob'), 'write', w.collection.id)
  const all = await scriptOf(w.as('bob'), 'write')
  const socket = await enter(script, `collection:${w.collection.id}`)
  expect((await end(w)).status).toBe(200)
  await socket.untilClosed()
  expect((await script.get('/api/collections')).status).toBe(401)
  expect((await all.get('/api/collections')).status).toBe(200)
  expect((await w.as('bob').get('/api/access')).body.tokens).toEqual([expect.objectContaining({ collection: null })])
})

test.each(['leaves', 'is removed'])('A token ends when its owner %s, and does not come back with them', async (how) => {
  const w = await world({ bob: 'write' })
  const script = await scriptOf(w.as('bob'), 'write', w.collection.id)
  const path = `/api/collections/${w.collection.id}`
  const left =
    how === 'leaves' ? await w.as('bob').delete(`${path}/invites/leave`) : await w.as('ada').delete(`${path}/members/${w.as('bob').id}`)
  expect(left.status).toBe(200)
  await w.sql`insert into members (collection_id, user_id, role) values (${w.collection.id}, ${w.as('bob').id}, 'write')`
  expect((await script.get('/api/collections')).status).toBe(401)
  expect((await w.as('bob').get('/api/access')).body.tokens).toEqual([])
})

test('A token discards no upload that also goes into another collection', async () => {
  const w = await world()
  const other = await collectionOf(w, 'ada')
  const script = await scriptOf(w.as('ada'), 'write', w.collection.id)
  const [both, one] = [
    await begin(w.as('ada'), jpegLike(), { collectionIds: [w.collection.id, other] }),
    await begin(w.as('ada'), jpegLike(), { collectionIds: [w.collection.id] }),
  ]
  expect([(await script.delete(`/api/asset/${both.id}`)).status, (await script.delete(`/api/asset/${one.id}`)).status]).toEqual([403, 200])
  expect((await w.as('ada').get(`/api/asset/${both.id}/upload`)).status).toBe(200)
})

test('An upload completes although its owner has added the same file elsewhere meanwhile', async () => {
  const w = await world()
  const script = await scriptOf(w.as('ada'), 'write', w.collection.id)
  const bytes = jpegLike()
  const { id } = await begin(script, bytes, { collectionIds: [w.collection.id] })
  await sendParts(script, id, bytes)
  await upload(w.as('ada'), bytes, { collectionIds: [await collectionOf(w, 'ada')] })
  const { status, body } = await script.post(`/api/asset/${id}/complete`)
  expect([status, body.asset?.id, body.duplicate]).toEqual([200, id, undefined])
})

test('A token with the id of a session is limited all the same', async () => {
  const w = await world()
  await collectionOf(w, 'ada')
  const [session] = (await w.as('ada').get('/api/access')).body.sessions
  const script = await scriptOf(w.as('ada'), 'read', w.collection.id, session.id)
  expect((await script.get('/api/collections')).body.collections).toHaveLength(1)
})

test('The limit of one request does not reach the next', async () => {
  const ada = await register('ada')
  const { id } = (await ada.post('/api/collections', { name: 'A' })).body.collection
  await ada.post('/api/collections', { name: 'B' })
  const script = await scriptOf(ada, 'read', id)
  const counts = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => (await (n % 2 ? ada : script).get('/api/collections')).body.collections.length),
  )
  expect(counts).toEqual(counts.map((_, n) => (n % 2 ? 2 : 1)))
})
