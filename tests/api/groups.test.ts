import { beforeAll, describe, expect, test } from 'vitest'
import { type Asset, listAssets } from '../../contract/assets.ts'
import type { Group } from '../../contract/group.ts'
import { newId } from '../../contract/ids.ts'
import { Client } from '../../dev/http-client.ts'
import { declared, jpegLike, noise, sendWhole, upload } from '../support/files.ts'
import { makeLink } from '../support/guests.ts'
import { collectionOf } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

let w: World
beforeAll(async () => {
  w = await world({ bob: 'write', cy: 'write', amy: 'admin', rita: 'read', eve: null })
})

const NOON = Date.parse('2026-05-01T10:00:00Z')
interface File {
  name?: string
  type?: string
  contentId?: string
  /** Milliseconds after noon. */
  at?: number
}

const MP4 = Buffer.from('0000001866747970697363', 'hex')

/** A ready asset whose bytes have the type, in a collection where nobody looks for the other files of its shot. */
async function added(
  who: string,
  collection: string,
  { name = 'a.jpg', type = 'image/jpeg', contentId, at = 0 }: File = {},
): Promise<Asset> {
  const bytes = type === 'video/mp4' ? new Uint8Array(Buffer.concat([MP4, noise(200)])) : jpegLike(200)
  const date = new Date(NOON + at).toISOString()
  const { id } = await upload(w.as(who), bytes, { name, type, date, ...(contentId && { contentId }) })
  await w.sql`insert into asset_collections (collection_id, asset_id, user_id, parts_sought) values (${collection}, ${id}, ${w.as(who).id}, 2)`
  return (await w.as(who).get(`/api/asset/${id}`)).body.asset
}

const group = (who: string, collection: string, parts: Asset[], cover = parts[0]) =>
  w.as(who).post(`/api/collections/${collection}/groups`, { assetIds: parts.map(({ id }) => id), cover: cover?.id })

/** The rows of the collection by id, in both forms, which must be the same. */
async function listed(collection: string, who = 'ada', more = ''): Promise<Map<string, Asset>> {
  const address = `/api/asset?collection_id=${collection}${more}`
  const [rows, columns] = [await w.as(who).get(address), await w.as(who).get(`${address}&form=columns`)]
  const [one, other] = [listAssets.response.parse(rows.body), listAssets.columns.parse(columns.body)]
  expect(JSON.stringify(other)).toBe(JSON.stringify(one))
  return new Map(one.assets.map((asset) => [asset.id, asset]))
}

/** As the parts that are not the cover have it. */
const shortOf = ({ id, kind, cover }: Group) => ({ id, kind, cover })

const groupOf = async (collection: string, { id }: Asset, who = 'ada') => (await listed(collection, who)).get(id)?.group

async function revisionOf(collection: string): Promise<number> {
  return (await w.as('ada').get(`/api/asset?collection_id=${collection}`)).body.revision
}

describe('The kind of a group', () => {
  const film = { type: 'video/mp4' }
  test.each<[string, string, File[]]>([
    ['live', 'one name', [{ name: 'IMG_1.HEIC' }, { name: 'IMG_1.MOV', ...film }]],
    [
      'live',
      'one identifier',
      [
        { name: 'a.jpg', contentId: 'X' },
        { name: 'b.mov', contentId: 'X', ...film },
      ],
    ],
    ['stack', 'a film of another shot', [{ name: 'a.jpg' }, { name: 'b.mov', ...film }]],
    ['raw', 'a JPEG and its raw file', [{ name: 'P1.JPG' }, { name: 'P1.DNG' }]],
    ['burst', 'photos within a second', [{ name: '1.jpg' }, { name: '2.jpg', at: 200 }, { name: '3.jpg', at: 400 }]],
    [
      'burst',
      'one identifier',
      [
        { name: '1.jpg', contentId: 'burst:B' },
        { name: '2.jpg', at: 5_000, contentId: 'burst:B' },
      ],
    ],
    ['stack', 'photos minutes apart', [{ name: '1.jpg' }, { name: '2.jpg', at: 60_000 }]],
  ])('is %s for %s', async (kind, _, files) => {
    const collection = await collectionOf(w, 'ada')
    const parts = await Promise.all(files.map((file) => added('ada', collection, file)))
    const { status, body } = await group('ada', collection, parts)
    expect(status).toBe(201)
    expect(body.group).toMatchObject({ kind, cover: parts[0]?.id })
  })
})

test('Every part is listed with its group, the cover first and the others by date, in one collection only', async () => {
  const [collection, other] = [await collectionOf(w, 'ada'), await collectionOf(w, 'ada')]
  const [first, second, third, alone] = [
    await added('ada', collection, { at: 10_000 }),
    await added('ada', collection, { at: 20_000 }),
    await added('ada', collection, { at: 30_000 }),
    await added('ada', collection),
  ] as const
  await w.as('ada').post(`/api/asset/${first.id}/collections`, { collectionIds: [other] })
  const { body } = await group('ada', collection, [third, second, first], second)
  expect(body.group).toEqual({ id: body.group.id, kind: 'stack', cover: second.id, assetIds: [second.id, first.id, third.id] })
  const rows = await listed(collection)
  expect(rows.get(second.id)?.group).toEqual(body.group)
  for (const part of [first, third]) expect(rows.get(part.id)?.group).toEqual(shortOf(body.group))
  expect(rows.get(alone.id)?.group).toBeNull()
  expect(await groupOf(other, first)).toBeNull()
  const found = await w.as('ada').get(`/api/collections/${collection}/groups/${body.group.id}`)
  expect(found.body.group).toEqual(body.group)
  expect(found.body.assets.map(({ id }: Asset) => id)).toEqual(body.group.assetIds)
  expect((await w.as('ada').get(`/api/collections/${other}/groups/${body.group.id}`)).status).toBe(404)
})

test('Grouping moves the revision and not the versions; what changed since has the parts', async () => {
  const collection = await collectionOf(w, 'ada')
  const [a, b] = [await added('ada', collection), await added('ada', collection, { at: 60_000 })]
  const before = await revisionOf(collection)
  const versions = [...(await listed(collection)).values()].map(({ version }) => version)
  const { body } = await group('ada', collection, [a, b])
  const since = await listed(collection, 'ada', `&since=${before}`)
  expect([...since.keys()].toSorted()).toEqual([a.id, b.id].toSorted())
  expect([...since.values()].map(({ group, version }) => [group?.id, version])).toEqual(versions.map((version) => [body.group.id, version]))
  const grouped = await revisionOf(collection)
  expect(grouped).toBeGreaterThan(before)
  const told =
    await w.sql`select table_name, event, ids from changes where collection_id = ${collection} and revision > ${before} order by table_name`
  expect(told.map(({ table_name, event }) => [table_name, event])).toEqual([
    ['asset_collections', 'UPDATE'],
    ['groups', 'INSERT'],
  ])
  expect((await w.as('ada').delete(`/api/collections/${collection}/groups/${body.group.id}`)).status).toBe(200)
  const apart = await listed(collection, 'ada', `&since=${grouped}`)
  expect([...apart.values()].map(({ group }) => group)).toEqual([null, null])
  expect((await w.as('ada').get(`/api/collections/${collection}/groups/${body.group.id}`)).status).toBe(404)
})

test('Another date of one part is told as the new order of all, and to nobody outside of the group', async () => {
  const collection = await collectionOf(w, 'ada', { rita: 'read' })
  const parts = [
    await added('ada', collection),
    await added('ada', collection, { at: 60_000 }),
    await added('ada', collection, { at: 120_000 }),
  ]
  const [a, b, c] = parts as [Asset, Asset, Asset]
  const alone = await added('ada', collection)
  const { body } = await group('ada', collection, [a, b, c])
  const before = await revisionOf(collection)
  const dated = { date: new Date(NOON + 30_000).toISOString(), dateZone: 'UTC' }
  await w.as('ada').put(`/api/asset/${c.id}`, dated)
  const since = await listed(collection, 'rita', `&since=${before}`)
  expect(since.get(a.id)?.group).toEqual({ ...body.group, assetIds: [a.id, c.id, b.id] })
  expect([since.has(alone.id), since.get(a.id)?.version]).toEqual([false, a.version])
  // As no part of a group, nor with another description.
  const after = await revisionOf(collection)
  await w.as('ada').put(`/api/asset/${alone.id}`, { date: new Date(NOON).toISOString(), dateZone: 'UTC' })
  await w.as('ada').put(`/api/asset/${c.id}`, { ...dated, alt: 'Lake' })
  expect([...(await listed(collection, 'rita', `&since=${after}`)).keys()].toSorted()).toEqual([alone.id, c.id].toSorted())
})

test('The same parts again are the same group, and get the cover that is asked for', async () => {
  const collection = await collectionOf(w, 'ada')
  const [a, b] = [await added('ada', collection), await added('ada', collection)]
  const { body } = await group('ada', collection, [a, b])
  const again = await group('ada', collection, [b, a], a)
  expect([again.status, again.body.group]).toEqual([200, body.group])
  const covered = await group('ada', collection, [a, b], b)
  expect([covered.status, covered.body.group.id, covered.body.group.cover]).toEqual([200, body.group.id, b.id])
  expect((await groupOf(collection, a))?.cover).toBe(b.id)
})

test('A part that is put into another group leaves its own, which ends with fewer than two', async () => {
  const collection = await collectionOf(w, 'ada')
  const [a, b, c] = [await added('ada', collection), await added('ada', collection), await added('ada', collection)] as const
  const first = (await group('ada', collection, [a, b])).body.group
  const second = (await group('ada', collection, [b, c])).body.group
  expect(await groupOf(collection, a)).toBeNull()
  expect(await groupOf(collection, b)).toEqual(second)
  expect((await w.as('ada').get(`/api/collections/${collection}/groups/${first.id}`)).status).toBe(404)
})

describe('A group whose parts go', () => {
  type Goes = (part: Asset, collection: string) => Promise<unknown>
  const ways: [string, Goes][] = [
    ['into the trash', ({ id }) => w.as('ada').delete(`/api/asset/${id}`)],
    ['into the trash in bulk', ({ id }) => w.as('ada').delete('/api/asset/bulk', { ids: [id] })],
    ['out of the collection', ({ id }, collection) => w.as('ada').delete(`/api/asset/${id}/collections/${collection}`)],
    ['for good', ({ id }) => w.sql`delete from assets where id = ${id}`],
  ]
  test.each(ways)('%s gets another cover, and ends with fewer than two', async (_, go) => {
    const collection = await collectionOf(w, 'ada')
    const [a, b, c] = [
      await added('ada', collection),
      await added('ada', collection, { at: 10_000 }),
      await added('ada', collection, { at: 20_000 }),
    ] as const
    const { id, kind } = (await group('ada', collection, [a, b, c])).body.group
    const before = await revisionOf(collection)
    await go(a, collection)
    const rows = await listed(collection, 'ada', `&since=${before}`)
    expect(rows.get(b.id)?.group).toEqual({ id, kind, cover: b.id, assetIds: [b.id, c.id] })
    expect(rows.get(c.id)?.group).toEqual({ id, kind, cover: b.id })
    await go(b, collection)
    expect(await groupOf(collection, c)).toBeNull()
    expect((await w.as('ada').get(`/api/collections/${collection}/groups/${id}`)).status).toBe(404)
  })

  const three = async (collection: string) =>
    [
      await added('ada', collection),
      await added('ada', collection, { at: 10_000 }),
      await added('ada', collection, { at: 20_000 }),
    ] as const

  test.each(['the trash', 'no longer in the collection'])('is whole again when its parts were in %s and that is undone', async (where) => {
    const collection = await collectionOf(w, 'ada')
    const [a, b, c] = await three(collection)
    await group('ada', collection, [b, a, c])
    const before = await listed(collection)
    const ids = [a.id, b.id, c.id]
    const { body } =
      where === 'the trash'
        ? await w.as('ada').delete('/api/asset/bulk', { ids })
        : await w.as('ada').put('/api/asset/bulk.collections.remove', { ids, collectionId: collection })
    expect(await listed(collection)).toEqual(new Map())
    expect((await w.as('ada').post(`/api/undo/${body.changeId}`)).status).toBe(200)
    const groups = (rows: Map<string, Asset>) => ids.map((id) => rows.get(id)?.group)
    expect(groups(await listed(collection))).toEqual(groups(before))
  })

  test('stays taken apart when the removal of its parts is undone', async () => {
    const collection = await collectionOf(w, 'ada')
    const [a, b] = await three(collection)
    const { body } = await w.as('ada').put('/api/asset/bulk.collections.remove', { ids: [a.id, b.id], collectionId: collection })
    expect((await w.as('ada').post(`/api/undo/${body.changeId}`)).status).toBe(200)
    const links =
      await w.sql`select parts_sought from asset_collections where asset_id = any(${[a.id, b.id]}) and collection_id = ${collection}`
    expect(links.map(({ parts_sought }) => parts_sought)).toEqual([2, 2])
  })

  test('gets its parts and its cover back, one after the other, from the trash', async () => {
    const collection = await collectionOf(w, 'ada')
    const [a, b, c] = await three(collection)
    const { id, kind } = (await group('ada', collection, [b, a, c])).body.group
    const restore = (asset: Asset) => w.as('ada').post('/api/trash/restore', { postIds: [], assetIds: [asset.id] })
    for (const part of [b, a]) await w.as('ada').delete(`/api/asset/${part.id}`)
    expect(await groupOf(collection, c)).toBeNull()
    await restore(a)
    expect(await groupOf(collection, c)).toEqual({ id, kind, cover: a.id })
    expect(await groupOf(collection, a)).toEqual({ id, kind, cover: a.id, assetIds: [a.id, c.id] })
    await restore(b)
    expect(await groupOf(collection, c)).toEqual({ id, kind, cover: b.id })
    expect(await groupOf(collection, b)).toEqual({ id, kind, cover: b.id, assetIds: [b.id, a.id, c.id] })
  })

  test('is beside the others on the pages of a link as the photo that shows it now', async () => {
    const collection = await collectionOf(w, 'ada')
    const [a, b, c] = await three(collection)
    const after = await added('ada', collection, { at: 60_000 })
    await group('ada', collection, [b, a, c])
    const page = new URL((await makeLink(w.as('ada'), collection)).url).pathname
    const visitor = new Client(w.origin)
    await visitor.get(page, { headers: { 'sec-fetch-dest': 'document' } })
    const next = async () =>
      /asset\/([\w-]+)" rel="next"/.exec(new TextDecoder().decode((await visitor.get(`${page}/asset/${after.id}`)).bytes))?.[1]
    expect(await next()).toBe(b.id)
    await w.as('ada').delete(`/api/asset/${b.id}`)
    expect(await next()).toBe(a.id)
  })

  test('stays apart for what was grouped anew or taken apart meanwhile', async () => {
    const collection = await collectionOf(w, 'ada')
    const [a, b, c] = await three(collection)
    const first = (await group('ada', collection, [a, b])).body.group
    const { body } = await w.as('ada').delete('/api/asset/bulk', { ids: [a.id] })
    const second = (await group('ada', collection, [b, c])).body.group
    expect((await w.as('ada').post(`/api/undo/${body.changeId}`)).status).toBe(200)
    expect(await groupOf(collection, a)).toBeNull()
    expect(await groupOf(collection, b)).toEqual(second)
    expect(second.id).not.toBe(first.id)
  })

  test('ends with its collection', async () => {
    const collection = await collectionOf(w, 'ada')
    const { id } = (await group('ada', collection, [await added('ada', collection), await added('ada', collection)])).body.group
    await w.sql`delete from collections where id = ${collection}`
    expect(await w.sql`select from groups where id = ${id}`).toEqual([])
  })
})

test('Parts that are linked to another collection together are one item there, until that is undone', async () => {
  const [collection, other] = [await collectionOf(w, 'ada'), await collectionOf(w, 'ada', { bob: 'read' })]
  const parts = [await added('ada', collection), await added('ada', collection, { at: 10_000 }), await added('ada', collection)] as const
  const [a, b, alone] = parts
  const { kind } = (await group('ada', collection, [b, a])).body.group
  const link = (assets: readonly Asset[], to: string) =>
    w.as('ada').put('/api/asset/bulk.collections.add', { ids: assets.map(({ id }) => id), collectionIds: [to] })
  const { body } = await link(parts, other)
  const there = await groupOf(other, b, 'bob')
  expect(there).toMatchObject({ kind, cover: b.id, assetIds: [b.id, a.id] })
  expect([(await groupOf(other, a))?.id, await groupOf(other, alone)]).toEqual([there?.id, null])
  expect((await w.as('ada').post(`/api/undo/${body.changeId}`)).status).toBe(200)
  expect(await listed(other)).toEqual(new Map())
  await link([a], other)
  expect(await groupOf(other, a)).toBeNull()
})

describe('Parts whose author goes', () => {
  test('stay in the group, which its admins may still take apart', async () => {
    const place = await collectionOf(w, 'ada', { cy: 'write', bob: 'read' })
    const [photo, film] = [await added('cy', place, { name: 'I.jpg' }), await added('ada', place, { name: 'I.mov', type: 'video/mp4' })]
    const made = (await group('ada', place, [photo, film])).body.group
    expect((await w.as('ada').delete(`/api/collections/${place}/members/${w.as('cy').id}`)).status).toBe(200)
    expect(await groupOf(place, photo, 'bob')).toEqual(made)
    expect(await groupOf(place, film, 'bob')).toEqual(shortOf(made))
    expect((await w.as('cy').delete(`/api/collections/${place}/groups/${made.id}`)).status).toBe(404)
    expect((await w.as('ada').delete(`/api/collections/${place}/groups/${made.id}`)).status).toBe(200)
  })

  test('and deletes their cover leave the others, with another cover', async () => {
    const place = await collectionOf(w, 'ada', { cy: 'write' })
    const [a, b, cover] = [await added('ada', place), await added('ada', place, { at: 10_000 }), await added('cy', place)]
    const { id, kind } = (await group('ada', place, [cover, a, b])).body.group
    expect((await w.as('cy').delete(`/api/asset/${cover.id}`)).status).toBe(200)
    expect(await groupOf(place, a)).toEqual({ id, kind, cover: a.id, assetIds: [a.id, b.id] })
    expect(await groupOf(place, b)).toEqual({ id, kind, cover: a.id })
  })
})

describe('Who may group', () => {
  const pair = async (collection: string, [photographer, filmer]: [string, string], contentId = newId()) =>
    [
      await added(photographer, collection, { name: 'IMG_1.HEIC', contentId }),
      await added(filmer, collection, { name: 'IMG_1.MOV', type: 'video/mp4', contentId }),
    ] as const

  test('is who may edit every part; any writer pairs a photo with its own film', async () => {
    const { id } = w.collection
    const [photo, film] = await pair(id, ['bob', 'amy'])
    expect((await group('rita', id, [photo, film])).status).toBe(403)
    expect((await group('eve', id, [photo, film])).status).toBe(404)
    // The film may not hide the photo.
    expect((await group('cy', id, [photo, film], film)).status).toBe(403)
    const made = await group('cy', id, [photo, film])
    expect([made.status, made.body.group.kind]).toEqual([201, 'live'])
    const again = await group('cy', id, [photo, film], film)
    expect([again.status, again.body.group.cover]).toEqual([200, photo.id])
  })

  test('is no author whose role is too low in another collection of a part', async () => {
    const place = await collectionOf(w, 'ada', { cy: 'write' })
    const parts = [await added('cy', w.collection.id), await added('cy', w.collection.id, { at: 10_000 })] as const
    await w.sql`insert into asset_collections (collection_id, asset_id, user_id) values (${place}, ${parts[0].id}, ${w.as('cy').id})`
    await w.as('ada').put(`/api/collections/${place}/members/${w.as('cy').id}`, { role: 'read' })
    expect((await group('cy', w.collection.id, [...parts])).status).toBe(403)
    expect((await group('amy', w.collection.id, [...parts])).status).toBe(201)
  })

  test('is nobody by an identifier that pairs no photo with a film, or takes a part out of another group', async () => {
    const { id } = w.collection
    const contentId = newId()
    const [photo, film] = await pair(id, ['bob', 'bob'], contentId)
    const copy = await added('cy', id, { name: 'IMG_1.jpg', contentId })
    expect((await group('cy', id, [copy, photo])).status).toBe(403)
    expect((await group('cy', id, [copy, photo, film])).status).toBe(403)
    const [foreign] = await pair(id, ['cy', 'cy'])
    expect((await group('cy', id, [foreign, film])).status).toBe(403)
    expect((await group('bob', id, [photo, film])).status).toBe(201)
    expect((await group('cy', id, [copy, film])).status).toBe(403)
    expect((await group('amy', id, [copy, film])).status).toBe(201)
  })

  test('An author of a part and admins take it apart, no other writer', async () => {
    const { id } = w.collection
    const apart = async (who: string) => {
      const [photo, film] = await pair(id, ['bob', 'cy'])
      const made = (await group('amy', id, [photo, film])).body.group
      return (await w.as(who).delete(`/api/collections/${id}/groups/${made.id}`)).status
    }
    expect([await apart('bob'), await apart('cy'), await apart('amy'), await apart('rita'), await apart('eve')]).toEqual([
      200, 200, 200, 403, 404,
    ])
    const made = (await group('amy', id, [await added('bob', id), await added('bob', id)])).body.group
    expect((await w.as('cy').delete(`/api/collections/${id}/groups/${made.id}`)).status).toBe(403)
  })
})

test('Parts that are not there, or not in the collection, are named; a cover is one of them', async () => {
  const [collection, other] = [await collectionOf(w, 'ada'), await collectionOf(w, 'ada')]
  const [inside, outside] = [await added('ada', collection), await added('ada', other)]
  const missing = await group('ada', collection, [inside, outside])
  expect(missing.status).toBe(404)
  expect(missing.body.error.fields.assetIds).toContain(outside.id)
  const unfinished = (await w.as('ada').post('/api/asset', declared(jpegLike(), { collectionIds: [collection] }))).body.asset
  expect((await group('ada', collection, [inside, unfinished])).status).toBe(404)
  expect((await group('ada', collection, [inside, inside])).status).toBe(400)
  expect((await group('ada', collection, [inside])).status).toBe(400)
  expect((await group('ada', collection, [inside, await added('ada', collection)], outside)).status).toBe(400)
})

test('The identifier comes with the file, stays with copies, and no edit changes it', async () => {
  const { body } = await sendWhole(w.as('ada'), jpegLike(), { asset: { contentId: ' 1A-2B ' } })
  expect(body.asset.content_id).toBe('1A-2B')
  expect((await w.as('ada').put(`/api/asset/${body.asset.id}`, { contentId: 'X' })).status).toBe(400)
  expect((await w.as('ada').put(`/api/asset/${body.asset.id}`, { alt: 'A' })).body.asset.content_id).toBe('1A-2B')
  expect((await sendWhole(w.as('ada'), jpegLike(), { asset: { contentId: 'x'.repeat(101) } })).status).toBe(400)
})
