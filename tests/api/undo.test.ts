import { describe, expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { undoChange } from '../../contract/undo.ts'
import { jpegLike, upload } from '../support/files.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { runMinutesTask } from '../support/storage.ts'
import { type World, world } from '../support/world.ts'

const post = async (w: World, who: string, more: object = {}): Promise<string> => {
  const { status, body } = await w.as(who).post('/api/post', { type: 'note', title: 'T', collectionIds: [w.collection.id], ...more })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.post.id
}
const person = async (w: World, name = 'P', at = w.collection.id): Promise<string> =>
  (await w.as('ada').post(`/api/collections/${at}/people`, { name })).body.person.id
/** All fields of an item except its counters of changes. */
const look = async (w: World, who: string, path: string) => {
  const [kind = '', id] = path.split('/')
  const { version, updated_at, assets, ...rest } = (await w.as(who).get(`/api/${kind}/${id}`)).body[kind]
  return assets ? { ...rest, assets: assets.map(({ id }: { id: string }) => id) } : rest
}
const undo = (w: World, who: string, changeId: string) => w.as(who).post(`/api/undo/${changeId}`)
const revision = async (w: World) => (await w.sql`select revision::int from collections where id = ${w.collection.id}`)[0]?.revision

describe('undoing', () => {
  test('Undoing an edit of a post restores fields, people, photos and their order, as one change', async () => {
    const w = await world({ bob: 'write' })
    const people = [await person(w), await person(w)]
    const photos = [await assetRow(w, 'bob'), await assetRow(w, 'bob'), await assetRow(w, 'bob')].toReversed()
    const [fresh] = [await assetRow(w, 'bob')]
    const id = await post(w, 'bob', {
      type: 'event',
      kind: 'trip',
      body: '<p>By train</p>',
      date: '2026-05-01T10:30:00.123Z',
      dateZone: 'Europe/Vienna',
      datePrecision: 'day',
      endsAt: '2026-05-03T00:00:00Z',
      location: { lat: 47.123456789, lon: -0.1, name: 'Lake' },
      peopleIds: people.slice(0, 1),
      existingAssetIds: photos,
    })
    const before = await look(w, 'bob', `post/${id}`)
    const put = await w
      .as('bob')
      .put(`/api/post/${id}`, { type: 'note', title: 'Bare', peopleIds: people.slice(1), existingAssetIds: [fresh, photos[0]] })
    expect(await look(w, 'ada', `asset/${fresh}`)).toMatchObject({ collections: [{ collection_id: w.collection.id }] })
    const at = await revision(w)
    const { status, body } = await undo(w, 'bob', put.body.changeId)
    expect([status, undoChange.response.parse(body)]).toEqual([
      200,
      { success: true, changeId: put.body.changeId, postIds: [id], assetIds: expect.any(Array) },
    ])
    expect(await look(w, 'bob', `post/${id}`)).toEqual(before)
    // A photo added by the edit leaves the collection with it.
    expect((await w.as('ada').get(`/api/asset/${fresh}`)).status).toBe(404)
    expect((await w.as('bob').get(`/api/post/${id}`)).body.post.version).toBe(put.body.post.version + 1)
    expect(((await revision(w)) ?? 0) - (at ?? 0)).toBe(2)
  })

  test('Undoing an edit of an asset restores name, description, date, location and people', async () => {
    const w = await world({ bob: 'write' })
    const id = await assetRow(w, 'bob', [w.collection.id])
    const tagged = await person(w)
    await w.as('bob').put(`/api/asset/${id}`, { alt: 'A', date: '2026-05-01T10:00:00Z', location: { lat: 1, lon: 2 }, peopleIds: [tagged] })
    const before = await look(w, 'bob', `asset/${id}`)
    const { changeId } = (await w.as('ada').put(`/api/asset/${id}`, { name: 'b.jpg' })).body
    expect((await undo(w, 'ada', changeId)).status).toBe(200)
    expect(await look(w, 'bob', `asset/${id}`)).toEqual(before)
  })

  test('Undoing a bulk edit restores each item', async () => {
    const w = await world({ bob: 'write' })
    const [tagged, other] = [await person(w), await collectionOf(w, 'bob')]
    for (const kind of ['post', 'asset'] as const) {
      const ids =
        kind === 'post'
          ? [await post(w, 'bob', { date: '2026-05-01T10:00:00Z', body: '<p>x</p>' }), await post(w, 'bob')]
          : [await assetRow(w, 'bob', [w.collection.id]), await assetRow(w, 'bob', [w.collection.id])]
      await w.as('bob').post(`/api/${kind}/bulk.people`, { ids: ids.slice(1), add: [tagged] })
      const rows = () => Promise.all(ids.map((id) => look(w, 'bob', `${kind}/${id}`)))
      const before = await rows()
      for (const [method, name, payload] of [
        ['POST', '.date', { date: '2027-01-01T00:00:00Z', dateZone: 'UTC' }],
        ['POST', '.date', { shift: { days: 3 } }],
        ['POST', '.location', { location: { lat: 1, lon: 2 } }],
        ['POST', '.people', { add: [tagged] }],
        ['POST', '.people', { remove: [tagged] }],
        ['PUT', '.collections.add', { collectionIds: [other, w.collection.id] }],
        ['PUT', '.collections.remove', { collectionId: w.collection.id }],
        ['DELETE', '', {}],
      ] as const) {
        const done = await w.as('bob').call(method, `/api/${kind}/bulk${name}`, { ids, ...payload })
        expect(done.status).toBe(200)
        const { status, body } = await undo(w, 'bob', done.body.changeId)
        expect([status, body[`${kind}Ids`]?.toSorted()]).toEqual([200, ids.toSorted()])
        expect(await rows()).toEqual(before)
      }
    }
  })

  test('Undoing links and unlinks restores the author and time of the link', async () => {
    const w = await world({ bob: 'write' })
    const other = await collectionOf(w, 'bob')
    const photo = await assetRow(w, 'bob', [w.collection.id])
    const id = await post(w, 'bob', { existingAssetIds: [photo] })
    const before = await look(w, 'bob', `post/${id}`)
    const linked = (await w.as('bob').post(`/api/post/${id}/collections`, { collectionIds: [other] })).body
    expect((await look(w, 'bob', `asset/${photo}`)).collections).toHaveLength(2)
    expect((await undo(w, 'bob', linked.changeId)).status).toBe(200)
    expect((await look(w, 'bob', `asset/${photo}`)).collections).toHaveLength(1)
    const unlinked = (await w.as('ada').delete(`/api/post/${id}/collections/${w.collection.id}`)).body
    expect((await w.as('ada').get(`/api/post/${id}`)).status).toBe(404)
    expect((await undo(w, 'ada', unlinked.changeId)).status).toBe(200)
    expect(await look(w, 'bob', `post/${id}`)).toEqual(before)
  })

  test.each(['post', 'asset'] as const)(
    'Undoing an unlink does not show what the author of the %s has written for themselves since',
    async (kind) => {
      const w = await world({ bob: 'write', cy: 'read' })
      const [ada, bob] = [w.as('ada'), w.as('bob')]
      const id = kind === 'post' ? await post(w, 'bob', {}) : await assetRow(w, 'bob', [w.collection.id])
      const unlink = () => ada.delete(`/api/${kind}/${id}/collections/${w.collection.id}`)
      const first = (await unlink()).body.changeId
      expect((await undo(w, 'ada', first)).status).toBe(200)
      const second = (await unlink()).body.changeId
      const written =
        kind === 'post' ? await bob.patch(`/api/post/${id}`, { title: 'For me' }) : await bob.put(`/api/asset/${id}`, { alt: 'For me' })
      expect(written.status).toBe(200)
      expect((await undo(w, 'ada', second)).status).toBe(409)
      for (const who of ['ada', 'cy']) expect((await w.as(who).get(`/api/${kind}/${id}`)).status).toBe(404)
      // Its author may put it back.
      expect((await bob.post(`/api/${kind}/${id}/collections`, { collectionIds: [w.collection.id] })).status).toBe(200)
    },
  )

  /** Each case changes bob's post and calls `unlink`, by which ada takes it out of the collection. */
  test.each<[string, (w: World, id: string, unlink: () => Promise<unknown>) => Promise<unknown>]>([
    [
      'brought back by undoing their own edit',
      async (w, id, unlink) => {
        const bob = w.as('bob')
        const { changeId } = (await bob.patch(`/api/post/${id}`, { title: 'Public' })).body
        await bob.post(`/api/post/${id}/collections`, { collectionIds: [w.collection.id] })
        await unlink()
        expect((await undo(w, 'bob', changeId)).status).toBe(200)
      },
    ],
    [
      'deleted with their account',
      async (w, id, unlink) => {
        const bob = w.as('bob')
        await bob.post(`/api/post/${id}/collections`, { collectionIds: [w.collection.id] })
        await unlink()
        await bob.patch(`/api/post/${id}`, { title: 'For me' })
        expect((await bob.delete('/api/users/profile', { email: bob.email, items: 'leave', deleteCollections: [] })).status).toBe(200)
      },
    ],
    [
      'let an admin of another collection write there',
      async (w, id, unlink) => {
        const elsewhere = await collectionOf(w, 'dora', { bob: 'write' })
        await w.as('bob').post(`/api/post/${id}/collections`, { collectionIds: [w.collection.id, elsewhere] })
        await unlink()
        expect((await w.as('dora').patch(`/api/post/${id}`, { title: 'For us' })).status).toBe(200)
      },
    ],
  ])('Undoing an unlink does not show what the author has %s since', async (_what, change) => {
    const w = await world({ bob: 'write', dora: null })
    const id = await post(w, 'bob', { title: 'Secret', collectionIds: [] })
    let unlinked = ''
    await change(w, id, async () => {
      unlinked = (await w.as('ada').delete(`/api/post/${id}/collections/${w.collection.id}`)).body.changeId
    })
    const { status, body } = await undo(w, 'ada', unlinked)
    expect([status, body.error?.fields]).toEqual([409, { [`posts.${id}`]: expect.stringContaining('collections') }])
    expect((await w.as('ada').get(`/api/post/${id}`)).status).toBe(404)
  })

  test.each(['post', 'asset'] as const)(
    'Undoing an unlink does not show an author what others have written into their %s since they were removed',
    async (kind) => {
      const w = await world({ bob: 'write' })
      const [ada, bob] = [w.as('ada'), w.as('bob')]
      const own = await collectionOf(w, 'bob')
      const id =
        kind === 'post' ? await post(w, 'bob', { collectionIds: [w.collection.id, own] }) : await assetRow(w, 'bob', [w.collection.id, own])
      const unlink = async () => (await bob.put(`/api/${kind}/bulk.collections.remove`, { ids: [id], collectionId: own })).body.changeId
      const first = await unlink()
      expect((await ada.delete(`/api/collections/${w.collection.id}/members/${bob.id}`)).status).toBe(200)
      // Ada has written nothing yet.
      expect((await undo(w, 'bob', first)).status).toBe(200)
      const second = await unlink()
      const said =
        kind === 'post' ? await ada.patch(`/api/post/${id}`, { title: 'Later' }) : await ada.put(`/api/asset/${id}`, { alt: 'Later' })
      expect(said.status).toBe(200)
      const { status, body } = await undo(w, 'bob', second)
      expect([status, body.error?.fields]).toEqual([409, { [`${kind}s.${id}`]: expect.stringContaining('collections') }])
      expect((await bob.get(`/api/${kind}?collection_id=${own}`)).body[`${kind}s`]).toEqual([])
      expect(JSON.stringify((await bob.get(`/api/${kind}/${id}`)).body)).not.toContain('Later')
      // When an account is deleted its edits go too, but what it wrote stays.
      await w.sql`delete from edits where user_id = ${ada.id}`
      expect((await undo(w, 'bob', second)).status).toBe(409)
    },
  )

  test('An edit of a title keeps no copies of the text', async () => {
    const w = await world()
    const id = await post(w, 'ada', { body: '<p>A long story about a lake</p>' })
    const { changeId } = (await w.as('ada').patch(`/api/post/${id}`, { title: 'Another' })).body
    const [edit] = await w.sql`select before::text || after::text as kept from edits where id = ${changeId}`
    expect(edit?.kept).toContain('Another')
    expect(edit?.kept).not.toContain('lake')
    expect((await undo(w, 'ada', changeId)).status).toBe(200)
    expect((await look(w, 'ada', `post/${id}`)).body).toContain('lake')
  })

  test('Undo leaves a photo linked that another post shows by now', async () => {
    const w = await world({ bob: 'write', eve: null })
    const other = await collectionOf(w, 'bob', { eve: 'read' })
    const photo = await assetRow(w, 'bob', [w.collection.id])
    const [first, second] = [await post(w, 'bob', { existingAssetIds: [photo] }), await post(w, 'bob', { existingAssetIds: [photo] })]
    const { changeId } = (await w.as('bob').post(`/api/post/${first}/collections`, { collectionIds: [other] })).body
    await w.as('bob').post(`/api/post/${second}/collections`, { collectionIds: [other] })
    expect((await undo(w, 'bob', changeId)).status).toBe(200)
    expect((await w.as('eve').get(`/api/post/${first}`)).status).toBe(404)
    expect((await w.as('eve').get(`/api/post/${second}`)).body.post.assets).toMatchObject([{ id: photo }])
  })

  test('Undo restores a trashed post and asset completely, but not a file that was uploaded again', async () => {
    const w = await world()
    const bytes = jpegLike()
    const asset = await upload(w.as('ada'), bytes, { collectionIds: [w.collection.id] })
    const id = await post(w, 'ada', { existingAssetIds: [asset.id], peopleIds: [await person(w)] })
    const before = [await look(w, 'ada', `post/${id}`), await look(w, 'ada', `asset/${asset.id}`)]
    const changes = [await w.as('ada').delete(`/api/asset/${asset.id}`), await w.as('ada').delete(`/api/post/${id}`)].map(
      ({ body }) => body.changeId,
    )
    for (const changeId of changes) expect((await undo(w, 'ada', changeId)).status).toBe(200)
    expect([await look(w, 'ada', `post/${id}`), await look(w, 'ada', `asset/${asset.id}`)]).toEqual(before)
    const { changeId } = (await w.as('ada').delete(`/api/asset/${asset.id}`)).body
    await upload(w.as('ada'), bytes)
    const refused = await undo(w, 'ada', changeId)
    expect([refused.status, refused.body.error.fields]).toEqual([409, { [`assets.${asset.id}`]: expect.stringContaining('file') }])
  })

  test('Undo restores a removed person with tags, account and invitation', async () => {
    const w = await world({ bob: 'write', cleo: 'read' })
    const path = `/api/collections/${w.collection.id}`
    const tagged = await person(w, 'Grandma')
    const id = await post(w, 'bob', { peopleIds: [tagged] })
    const asset = await assetRow(w, 'bob', [w.collection.id])
    await w.as('bob').post('/api/asset/bulk.people', { ids: [asset], add: [tagged] })
    const { invite } = (
      await w.as('ada').post(`${path}/invites/invite`, { email: `x-${newId()}@example.org`, role: 'read', personId: tagged })
    ).body
    const removed = (await w.as('bob').delete(`${path}/people/${tagged}`)).body
    expect(await look(w, 'bob', `post/${id}`)).toMatchObject({ people: [] })
    const { status, body } = await undo(w, 'bob', removed.changeId)
    expect([status, body]).toEqual([200, { success: true, changeId: removed.changeId, postIds: [], assetIds: [], personId: tagged }])
    for (const item of [`post/${id}`, `asset/${asset}`]) expect(await look(w, 'bob', item)).toMatchObject({ people: [tagged] })
    expect((await w.as('bob').get(`${path}/people`)).body.people).toMatchObject([{ id: tagged, name: 'Grandma', user_id: null }])
    expect(await w.sql`select person_id from invites where id = ${invite.id}`).toEqual([{ person_id: tagged }])

    await w.as('bob').put(`${path}/people/${tagged}`, { userId: w.as('cleo').id })
    const again = (await w.as('bob').delete(`${path}/people/${tagged}`)).body.changeId
    await w.as('bob').put(`${path}/people/${await person(w, 'Other')}`, { userId: w.as('cleo').id })
    expect((await undo(w, 'bob', again)).status).toBe(409)
    await w.sql`update members set role = 'read' where collection_id = ${w.collection.id} and user_id = ${w.as('bob').id}`
    expect((await undo(w, 'bob', again)).status).toBe(403)
  })
})

describe('undo after an account has left', () => {
  const leave = (w: World) => w.as('cleo').delete(`/api/collections/${w.collection.id}/invites/leave`)
  const linkOf = async (w: World, id: string) =>
    (await w.as('ada').get(`/api/collections/${w.collection.id}/people`)).body.people.find((one: { id: string }) => one.id === id)?.user_id

  test.each([
    [
      'removing a person',
      async (w: World, id: string) => (await w.as('bob').delete(`/api/collections/${w.collection.id}/people/${id}`)).body.changeId,
    ],
    [
      'merging a person',
      async (w: World, id: string) =>
        (await w.as('bob').post(`/api/collections/${w.collection.id}/people/${id}/merge`, { intoId: await person(w, 'Other') })).body
          .changeId,
    ],
  ])('Undoing %s restores the person, and links no account that left since', async (_, change) => {
    for (const left of [false, true]) {
      const w = await world({ bob: 'write', cleo: 'read' })
      const id = await person(w, 'Cleo')
      expect((await w.as('ada').put(`/api/collections/${w.collection.id}/people/${id}`, { userId: w.as('cleo').id })).status).toBe(200)
      const changeId = await change(w, id)
      if (left) expect((await leave(w)).status).toBe(200)
      expect((await undo(w, 'bob', changeId)).status).toBe(200)
      expect(await linkOf(w, id)).toBe(left ? null : w.as('cleo').id)
    }
  })
})

describe('refused undos', () => {
  test('Undo after another user’s change is refused with the differences, and changes nothing', async () => {
    const w = await world({ bob: 'write' })
    const [id, other] = [await post(w, 'bob'), await post(w, 'bob')]
    const { changeId } = (await w.as('bob').patch(`/api/post/${id}`, { title: 'Bob' })).body
    const bulk = (await w.as('bob').post('/api/post/bulk.location', { ids: [id, other], location: { lat: 1, lon: 2 } })).body
    const adas = (await w.as('ada').patch(`/api/post/${id}`, { title: 'Ada', date: '2026-05-01T00:00:00Z' })).body
    const before = [await look(w, 'bob', `post/${id}`), await look(w, 'bob', `post/${other}`), await revision(w)]
    for (const change of [changeId, bulk.changeId]) {
      const { status, body } = await undo(w, 'bob', change)
      expect([status, body.error.code, Object.keys(body.error.fields)]).toEqual([409, 'conflict', [`posts.${id}`]])
      for (const field of ['title', 'date']) expect(body.error.fields[`posts.${id}`]).toContain(field)
    }
    expect([await look(w, 'bob', `post/${id}`), await look(w, 'bob', `post/${other}`), await revision(w)]).toEqual(before)

    // After ada's undo, bob's change stays as he left it.
    expect((await undo(w, 'ada', adas.changeId)).status).toBe(200)
    for (const change of [bulk.changeId, changeId]) expect((await undo(w, 'bob', change)).status).toBe(200)
    expect(await look(w, 'bob', `post/${id}`)).toMatchObject({ title: 'T', location: null })
  })

  test('Undo is refused if a removed item is deleted for good or the item was trashed', async () => {
    const w = await world()
    const tagged = await person(w)
    const id = await post(w, 'ada', { peopleIds: [tagged] })
    const { changeId } = (await w.as('ada').patch(`/api/post/${id}`, { peopleIds: [] })).body
    await w.as('ada').delete(`/api/collections/${w.collection.id}/people/${tagged}`)
    expect((await undo(w, 'ada', changeId)).body.error.fields).toEqual({ [`posts.${id}`]: expect.stringContaining('people') })
    const titled = (await w.as('ada').patch(`/api/post/${id}`, { title: 'New' })).body
    await w.as('ada').delete(`/api/post/${id}`)
    expect((await undo(w, 'ada', titled.changeId)).body.error.fields).toEqual({ [`posts.${id}`]: expect.stringContaining('deleted_at') })
    await w.sql`delete from posts where id = ${id}`
    expect((await undo(w, 'ada', titled.changeId)).body.error.fields).toEqual({ [`posts.${id}`]: expect.stringContaining('gone') })
  })

  test('Undo is refused to other users, for unknown ids and after thirty days; undoing twice has no further effect', async () => {
    const w = await world({ bob: 'write', eve: null })
    const id = await post(w, 'bob')
    const { changeId } = (await w.as('bob').patch(`/api/post/${id}`, { title: 'Bob' })).body
    for (const who of ['ada', 'eve']) expect((await undo(w, who, changeId)).status).toBe(404)
    for (const nothing of [newId(), 'x']) expect((await undo(w, 'bob', nothing)).status).toBe(404)
    const both = await Promise.all([undo(w, 'bob', changeId), undo(w, 'bob', changeId)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const { version } = (await w.as('bob').get(`/api/post/${id}`)).body.post
    await w.as('ada').patch(`/api/post/${id}`, { title: 'Ada' })
    expect((await undo(w, 'bob', changeId)).body).toEqual(both[0]?.body)
    expect((await w.as('bob').get(`/api/post/${id}`)).body.post).toMatchObject({ title: 'Ada', version: version + 1 })

    const [old, young] = [
      await w.as('bob').patch(`/api/post/${id}`, { title: 'A' }),
      await w.as('bob').patch(`/api/post/${id}`, { title: 'B' }),
    ].map(({ body }) => body.changeId)
    await w.sql`update edits set created_at = now() - interval '30 days 1 minute' where id = ${old}`
    expect([(await undo(w, 'bob', old)).status, (await undo(w, 'bob', old)).body.error.code]).toEqual([410, 'gone'])
    await runMinutesTask()
    await expect.poll(async () => (await undo(w, 'bob', old)).status).toBe(404)
    expect((await undo(w, 'bob', young)).status).toBe(200)
  })

  test('Undo is refused to a user who lost the role or the collection', async () => {
    const w = await world({ bob: 'write', cleo: 'admin' })
    const other = await collectionOf(w, 'ada', { bob: 'write' })
    const id = await post(w, 'bob')
    const edited = (await w.as('bob').patch(`/api/post/${id}`, { title: 'Bob' })).body.changeId
    const byCleo = (await w.as('cleo').patch(`/api/post/${id}`, { title: 'Cleo' })).body.changeId
    const linked = (await w.as('bob').post(`/api/post/${id}/collections`, { collectionIds: [other] })).body.changeId
    const role = (who: string, at: string, to: string) =>
      w.sql`update members set role = ${to} where collection_id = ${at} and user_id = ${w.as(who).id}`
    await role('cleo', w.collection.id, 'read')
    expect((await undo(w, 'cleo', byCleo)).status).toBe(403)
    await w.sql`delete from members where collection_id = ${w.collection.id} and user_id = ${w.as('cleo').id}`
    expect((await undo(w, 'cleo', byCleo)).status).toBe(404)
    await role('bob', other, 'read')
    expect((await undo(w, 'bob', linked)).status).toBe(403)
    await role('bob', w.collection.id, 'read')
    expect((await undo(w, 'bob', edited)).status).toBe(403)
    expect(await look(w, 'ada', `post/${id}`)).toMatchObject({ title: 'Cleo', collections: { length: 2 } })
  })
})

test('A refused edit leaves nothing to undo', async () => {
  const w = await world({ bob: 'read' })
  const id = await post(w, 'ada')
  const { version } = (await w.as('ada').get(`/api/post/${id}`)).body.post
  await w.as('bob').patch(`/api/post/${id}`, { title: 'No' })
  await w.as('bob').delete(`/api/post/${id}`)
  await w.as('ada').patch(`/api/post/${id}`, { title: 'No' }, { headers: { 'if-match': `"${version + 1}"` } })
  await w.as('ada').patch(`/api/post/${id}`, { kind: 'trip' })
  expect(await w.sql`select id from edits where user_id in (${w.as('ada').id}, ${w.as('bob').id})`).toEqual([])
})
