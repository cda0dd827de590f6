import { describe, expect, test } from 'vitest'
import { type Asset, getAsset, listAssets, replaceAsset } from '../../contract/assets.ts'
import { newId } from '../../contract/ids.ts'
import type { Client } from '../../dev/http-client.ts'
import { begin, jpegLike, upload } from '../support/files.ts'
import { objectsOf } from '../support/storage.ts'
import { type World, world } from '../support/world.ts'

async function list(actor: Client, query = '', headers: Record<string, string> = {}) {
  const answer = await actor.get(`/api/asset${query}`, { headers })
  return { ...answer, ids: (answer.body?.assets ?? []).map(({ id }: Asset) => id) as string[] }
}

const person = async (w: World, collectionId: string, name: string): Promise<string> => {
  const id = newId()
  await w.sql`insert into people (id, collection_id, name) values (${id}, ${collectionId}, ${name})`
  return id
}

describe('the list of assets', () => {
  test('The list is newest first, with unknown dates last, and its pages have no gaps', async () => {
    const w = await world({ bob: 'read', eve: null })
    const collectionIds = [w.collection.id]
    const dates = ['2024-05-01T10:00:00+02:00', null, '2026-01-01T00:00:00Z', '2024-05-01T08:00:00Z', null, '1950-06-01T00:00:00Z']
    const made: Asset[] = []
    for (const date of dates) made.push(await upload(w.as('ada'), jpegLike(), { collectionIds, date }))
    const expected = [...made].sort((a, b) => (b.date ?? '').localeCompare(a.date ?? '') || b.id.localeCompare(a.id)).map(({ id }) => id)

    const whole = await list(w.as('bob'), `?collection_id=${w.collection.id}`)
    expect(whole.ids).toEqual(expected)
    expect(listAssets.response.parse(whole.body)).toMatchObject({ nextCursor: null, revision: expect.any(Number) })
    const paged: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await list(w.as('bob'), `?collection_id=${w.collection.id}&limit=2${cursor && `&cursor=${cursor}`}`)
      paged.push(...page.ids)
      cursor = page.body.nextCursor
    }
    expect(paged).toEqual(expected)
    expect((await list(w.as('bob'))).ids).toEqual(expected)
    expect((await list(w.as('eve'))).ids).toEqual([])
    expect((await list(w.as('eve'), `?collection_id=${w.collection.id}`)).status).toBe(404)
    expect((await list(w.anonymous)).status).toBe(401)
  })

  test('The list leaves out unfinished uploads', async () => {
    const w = await world({ bob: 'write' })
    const asset = await begin(w.as('bob'), jpegLike(), { collectionIds: [w.collection.id] })
    for (const name of ['ada', 'bob']) expect((await list(w.as(name), `?collection_id=${w.collection.id}`)).ids).toEqual([])
    expect((await w.as('bob').get(`/api/asset/${asset.id}`)).status).toBe(200)
    expect((await w.as('ada').get(`/api/asset/${asset.id}`)).status).toBe(404)
  })

  test('The list returns changed and deleted assets since a revision', async () => {
    const w = await world({ bob: 'read' })
    const collectionIds = [w.collection.id]
    const query = `?collection_id=${w.collection.id}`
    const [stays, goes] = [
      await upload(w.as('ada'), jpegLike(), { collectionIds }),
      await upload(w.as('ada'), jpegLike(), { collectionIds }),
    ]
    const before = await list(w.as('bob'), query)
    const etag = before.headers.get('etag') ?? ''
    expect((await list(w.as('bob'), query, { 'if-none-match': etag })).status).toBe(304)

    const added = await upload(w.as('ada'), jpegLike(), { collectionIds })
    await w.as('ada').put(`/api/asset/${stays.id}`, { alt: 'A gate' })
    await w.as('ada').delete(`/api/asset/${goes.id}`)
    expect((await list(w.as('bob'), query, { 'if-none-match': etag })).status).toBe(200)
    const delta = await list(w.as('bob'), `${query}&since=${before.body.revision}`)
    expect(delta.ids.toSorted()).toEqual([stays.id, added.id].sort())
    expect(delta.body.deleted).toEqual([goes.id])
    const after = await list(w.as('bob'), `${query}&since=${delta.body.revision}`)
    expect([after.ids, after.body.deleted]).toEqual([[], []])
  })
})

describe('one asset', () => {
  test('An asset shows only collections and people that the caller can see', async () => {
    const w = await world({ bob: 'read' })
    const secret = (await w.as('ada').post('/api/collections', { name: 'Secret' })).body.collection
    const known = await person(w, w.collection.id, 'Mia')
    const hidden = await person(w, secret.id, 'Max')
    const { id } = await upload(w.as('ada'), jpegLike(), { collectionIds: [w.collection.id, secret.id], peopleIds: [known, hidden] })
    const seenBy = async (name: string) => getAsset.response.parse((await w.as(name).get(`/api/asset/${id}`)).body).asset
    const ada = await seenBy('ada')
    expect([ada.collections.length, ada.people.toSorted()]).toEqual([2, [known, hidden].sort()])
    const bob = await seenBy('bob')
    expect(bob.collections.map(({ collection_id }) => collection_id)).toEqual([w.collection.id])
    expect(bob.people).toEqual([known])
  })

  test('An asset shows no people of a collection that it has left or that is deleted', async () => {
    const w = await world({ bob: 'read' })
    const collections = [w.collection.id]
    for (const name of ['Left', 'Deleted']) {
      const { collection } = (await w.as('ada').post('/api/collections', { name })).body
      await w.sql`insert into members (collection_id, user_id, role) values (${collection.id}, ${w.as('bob').id}, 'read')`
      collections.push(collection.id)
    }
    const [known = '', left = '', deleted = ''] = await Promise.all(collections.map((id, n) => person(w, id, `P${n}`)))
    const { id } = await upload(w.as('ada'), jpegLike(), { collectionIds: collections, peopleIds: [known, left, deleted] })
    const seen = async (who: string) => (await w.as(who).get(`/api/asset/${id}`)).body.asset.people
    expect(await seen('bob')).toEqual([known, left, deleted].toSorted())
    await w.sql`delete from asset_collections where asset_id = ${id} and collection_id = ${collections[1]}`
    expect((await w.as('ada').delete(`/api/collections/${collections[2]}`)).status).toBe(200)
    for (const who of ['ada', 'bob']) expect(await seen(who)).toEqual([known])
  })
})

describe('PUT of an asset', () => {
  test('PUT replaces all editable fields, and clears missing ones', async () => {
    const w = await world()
    const mia = await person(w, w.collection.id, 'Mia')
    const asset = await upload(w.as('ada'), jpegLike(), { collectionIds: [w.collection.id], date: '2024-05-01T10:00:00Z' })
    const put = async (edit: unknown) => replaceAsset.response.parse((await w.as('ada').put(`/api/asset/${asset.id}`, edit)).body).asset
    const full = await put({
      name: 'Gate.jpg',
      alt: 'A gate',
      date: '2025-07-01T00:00:00+09:00',
      dateZone: 'Asia/Tokyo',
      datePrecision: 'day',
      location: { lat: 34.967, lon: 135.7727, name: 'Fushimi Inari' },
      peopleIds: [mia],
    })
    expect(full).toMatchObject({
      name: 'Gate.jpg',
      alt: 'A gate',
      date_zone: 'Asia/Tokyo',
      date_precision: 'day',
      location: { lat: 34.967, lon: 135.7727, name: 'Fushimi Inari' },
      people: [mia],
      version: asset.version + 1,
    })
    expect(Date.parse(full.date ?? '')).toBe(Date.parse('2025-07-01T00:00:00+09:00'))
    expect(await put({})).toMatchObject({
      name: 'Gate.jpg',
      alt: null,
      date: null,
      date_precision: 'unknown',
      location: null,
      people: [],
    })
  })

  test('PUT with an old version gets 409 and the current row; of two concurrent ones one wins', async () => {
    const w = await world({ bob: 'admin' })
    const asset = await upload(w.as('ada'), jpegLike(), { collectionIds: [w.collection.id] })
    const put = (name: string, version: number) =>
      w.as(name).put(`/api/asset/${asset.id}`, { alt: `by ${name}` }, { headers: { 'if-match': `"${version}"` } })
    const both = await Promise.all([put('ada', asset.version), put('bob', asset.version)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const winner = both.find(({ status }) => status === 200)?.body.asset
    const loser = both.find(({ status }) => status === 409)?.body
    expect(loser).toMatchObject({ success: false, error: { code: 'conflict' }, asset: { version: asset.version + 1, alt: winner.alt } })
    expect((await w.as('ada').put(`/api/asset/${asset.id}`, {}, { headers: { 'if-match': 'new' } })).status).toBe(400)
  })

  test('PUT is allowed for the author, admins and the owner', async () => {
    const w = await world({ max: 'admin', wendy: 'write', rob: 'read', eve: null })
    const asset = await upload(w.as('wendy'), jpegLike(), { collectionIds: [w.collection.id] })
    const statusFor = async (name: string) => (await w.as(name).put(`/api/asset/${asset.id}`, { alt: name })).status
    expect(await Promise.all(['ada', 'max', 'wendy', 'rob', 'eve'].map(statusFor))).toEqual([200, 200, 200, 403, 404])
    const other = await upload(w.as('ada'), jpegLike(), { collectionIds: [w.collection.id] })
    expect((await w.as('wendy').put(`/api/asset/${other.id}`, { alt: 'x' })).status).toBe(403)
    expect((await w.anonymous.put(`/api/asset/${asset.id}`, {})).status).toBe(401)
  })

  test('PUT keeps tags of people hidden from the editor, and refuses people of other collections', async () => {
    const w = await world({ bob: 'admin' })
    const secret = (await w.as('ada').post('/api/collections', { name: 'Secret' })).body.collection
    const hidden = await person(w, secret.id, 'Max')
    const asset = await upload(w.as('ada'), jpegLike(), { collectionIds: [w.collection.id, secret.id], peopleIds: [hidden] })
    expect((await w.as('bob').put(`/api/asset/${asset.id}`, { peopleIds: [hidden] })).status).toBe(404)
    expect((await w.as('bob').put(`/api/asset/${asset.id}`, { peopleIds: [] })).status).toBe(200)
    expect((await w.as('ada').get(`/api/asset/${asset.id}`)).body.asset.people).toEqual([hidden])
    const elsewhere = (await w.as('ada').post('/api/collections', { name: 'Other' })).body.collection
    const foreign = await person(w, elsewhere.id, 'Uma')
    const refused = await w.as('ada').put(`/api/asset/${asset.id}`, { peopleIds: [foreign] })
    expect(refused.status).toBe(404)
    expect(refused.body.error.fields.peopleIds).toContain(foreign)
  })

  test.each([
    { user_id: 'eve' },
    { status: 'ready' },
    { name: '' },
    { location: { lat: '1', lon: 2 } },
    { location: { lat: 1 } },
    { date: '2026-02-30T00:00:00Z' },
    { date: 'yesterday' },
    { dateZone: 'Mars/Olympus' },
    { peopleIds: ['x'] },
  ])('PUT refuses %j', async (edit) => {
    const w = await world()
    const { id, version } = await upload(w.as('ada'), jpegLike())
    expect((await w.as('ada').put(`/api/asset/${id}`, edit)).status).toBe(400)
    expect((await w.as('ada').get(`/api/asset/${id}`)).body.asset.version).toBe(version)
  })
})

describe('DELETE of an asset', () => {
  test('DELETE moves the asset to the trash for everyone, keeps the object, and happens once', async () => {
    const w = await world({ bob: 'read' })
    const asset = await upload(w.as('ada'), jpegLike(), { collectionIds: [w.collection.id] })
    expect((await w.as('ada').delete(`/api/asset/${asset.id}`)).body).toEqual({ success: true, changeId: expect.any(String), stillIn: [] })
    for (const name of ['ada', 'bob']) {
      expect((await w.as(name).get(`/api/asset/${asset.id}`)).status).toBe(404)
      expect((await w.as(name).get(`/api/asset/${asset.id}/file`)).status).toBe(404)
    }
    expect((await w.as('ada').delete(`/api/asset/${asset.id}`)).status).toBe(404)
    expect(await objectsOf(asset.id)).toHaveLength(1)
    expect(await w.changes()).toMatchObject([{ event: 'INSERT' }, { event: 'DELETE', ids: [asset.id] }])
  })

  test('DELETE is allowed for the author, admins and the owner', async () => {
    const w = await world({ max: 'admin', wendy: 'write', walt: 'write', rob: 'read', eve: null })
    const make = () => upload(w.as('wendy'), jpegLike(), { collectionIds: [w.collection.id] })
    const asset = await make()
    const remove = async (name: string, id: string) => (await w.as(name).delete(`/api/asset/${id}`)).status
    expect([await remove('eve', asset.id), await remove('rob', asset.id), await remove('walt', asset.id)]).toEqual([404, 403, 403])
    expect(await remove('wendy', asset.id)).toBe(200)
    expect(await remove('max', (await make()).id)).toBe(200)
    expect(await remove('ada', (await make()).id)).toBe(200)
  })
})

describe('POST …/collections', () => {
  test('An own asset is linked once, to collections where the caller may write', async () => {
    const w = await world({ bob: 'write' })
    const asset = await upload(w.as('bob'), jpegLike())
    const link = () => w.as('bob').post(`/api/asset/${asset.id}/collections`, { collectionIds: [w.collection.id, w.collection.id] })
    expect((await w.as('ada').get(`/api/asset/${asset.id}`)).status).toBe(404)
    expect((await link()).body.asset.collections).toMatchObject([{ collection_id: w.collection.id, user_id: w.as('bob').id }])
    expect((await link()).status).toBe(200)
    expect((await w.as('ada').get(`/api/asset/${asset.id}`)).status).toBe(200)
    expect(await w.changes()).toMatchObject([{ event: 'INSERT', ids: [asset.id] }])
  })

  test('Linking many assets concurrently neither deadlocks nor loses one', async () => {
    const w = await world({ bob: 'write' })
    const assets = await Promise.all(Array.from({ length: 12 }, () => upload(w.as('bob'), jpegLike())))
    const link = ({ id }: Asset) => w.as('bob').post(`/api/asset/${id}/collections`, { collectionIds: [w.collection.id] })
    expect((await Promise.all(assets.map(link))).map(({ status }) => status)).toEqual(assets.map(() => 200))
    expect((await list(w.as('ada'), `?collection_id=${w.collection.id}`)).ids).toHaveLength(12)
  })

  test('Linking is refused for assets of others and for readers, names unknown collections, and then links nothing', async () => {
    const w = await world({ bob: 'read', wendy: 'write', eve: null })
    const mine = (await w.as('wendy').post('/api/collections', { name: 'Mine' })).body.collection
    const foreign = (await w.as('eve').post('/api/collections', { name: 'Foreign' })).body.collection
    const asset = await upload(w.as('ada'), jpegLike(), { collectionIds: [w.collection.id] })
    const link = (name: string, id: string, ...collectionIds: string[]) =>
      w.as(name).post(`/api/asset/${id}/collections`, { collectionIds })
    expect((await link('wendy', asset.id, mine.id)).status).toBe(403)
    expect((await link('eve', asset.id, foreign.id)).status).toBe(404)
    const own = await upload(w.as('bob'), jpegLike())
    expect((await link('bob', own.id, w.collection.id)).status).toBe(403)
    const named = await link('ada', asset.id, w.collection.id, foreign.id)
    expect(named.status).toBe(404)
    expect(named.body.error.fields.collectionIds).toContain(foreign.id)
    expect(named.body.error.fields.collectionIds).not.toContain(w.collection.id)
    expect((await link('ada', asset.id)).status).toBe(400)
    expect(await w.sql`select 1 from asset_collections where collection_id = any(${[mine.id, foreign.id]})`).toEqual([])
  })
})
