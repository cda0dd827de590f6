import { beforeAll, describe, expect, test } from 'vitest'
import { listAssets } from '../../contract/assets.ts'
import { newId } from '../../contract/ids.ts'
import type { Client } from '../../dev/http-client.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { scriptOf } from '../support/tokens.ts'
import { type World, world } from '../support/world.ts'

const COUNT = 60

let w: World
let list: string
/** Bob is in `shared`, but not in `hidden`. */
let shared: string
let hidden: string

/** Assets of two authors with every kind of date, with and without locations and measures, in up to three collections and with up to three people. */
async function fill(): Promise<void> {
  const [ada, bob] = [w.as('ada').id, w.as('bob').id]
  await w.sql`insert into assets (id, user_id, status, name, type, size, checksum, width, height, duration, thumbhash, alt, renditions,
      date, date_zone, date_precision, lat, lon, place_name)
    select overlay(overlay(md5(${w.collection.id} || n) placing '4' from 13) placing '8' from 17)::uuid, case when n % 3 = 0 then ${bob} else ${ada} end, 'ready', (array['庭.jpg', 'a "b"\\.jpg', '👩‍👩‍👧.mp4'])[n % 3 + 1],
      (array['image/jpeg', 'video/mp4'])[n % 2 + 1], 5368709120 - n, encode(sha256((${w.collection.id} || n)::bytea), 'hex'),
      case when n % 4 > 0 then n end, case when n % 4 > 0 then 2 * n end, case when n % 2 = 1 then n / 7.0 end,
      case when n % 5 > 0 then 'thumb/' || n end, case when n % 6 = 0 then E'\u2028<b>\u00e9\t' || n end,
      (array['{}', '{"thumb":"image/webp"}', '{"preview":"image/webp"}', '{"thumb":"image/webp","preview":"image/webp"}'])[n % 4 + 1]::jsonb,
      case when n % 7 = 0 then null when n % 7 = 1 then timestamptz '0001-01-01 00:00:00+00' else timestamptz '2020-01-01 10:00:00.5+02' + (n / 4) * interval '1 month' end,
      case when n % 3 = 1 then 'Asia/Tokyo' end, case when n % 7 = 0 then 'unknown' else (array['minute', 'day', 'month', 'year'])[n % 4 + 1] end,
      case when n % 3 > 0 then n end, case when n % 3 > 0 then -n end, case when n % 3 = 1 then 'Kyōto "Gion"' end
    from generate_series(1, ${COUNT}::int) n`
  const ids = w.sql`select overlay(overlay(md5(${w.collection.id} || n) placing '4' from 13) placing '8' from 17)::uuid as id, n from generate_series(1, ${COUNT}::int) n`
  for (const { id, n } of await ids) {
    for (const [at, collection] of [w.collection.id, shared, hidden].entries()) {
      if (n % (at + 1) > 0) continue
      await w.sql`insert into asset_collections (collection_id, asset_id, user_id, added_at)
        values (${collection}, ${id}, ${n % 2 ? ada : bob}, timestamptz '2024-01-01' - ${(n * (at + 3)) % 5}::int * interval '1 day')`
    }
  }
  for (const collection of [w.collection.id, w.collection.id, shared, hidden]) {
    const person = newId()
    await w.sql`insert into people (id, collection_id, name) values (${person}, ${collection}, 'Grandma')`
    await w.sql`insert into asset_people (asset_id, person_id) select asset_id, ${person} from asset_collections
      where collection_id = ${collection} and get_byte(uuid_send(asset_id), 3) % 2 = 0`
  }
}

beforeAll(async () => {
  w = await world({ bob: 'write', eve: null })
  list = `/api/asset?collection_id=${w.collection.id}`
  shared = await collectionOf(w, 'ada', { bob: 'read' })
  hidden = await collectionOf(w, 'ada')
  await fill()
})

/** Both forms of a page, the compact one parsed into assets. */
async function both(reader: Client, address: string) {
  const [rows, columns] = [await reader.get(address), await reader.get(`${address}&form=columns`)]
  expect([rows.status, columns.status]).toEqual([200, 200])
  expect(columns.headers.get('content-type')).toBe('application/json')
  return { rows: listAssets.response.parse(rows.body), columns: listAssets.columns.parse(columns.body) }
}

describe('a list in its compact form', () => {
  test.each(['ada', 'bob'])(
    'It has the same assets as the rows for %s, with only the collections and people that they see',
    async (name) => {
      const { rows, columns } = await both(w.as(name), list)
      expect(rows.assets).toHaveLength(COUNT)
      expect(columns).toEqual(rows)
      const seen = new Set(rows.assets.flatMap(({ collections }) => collections.map(({ collection_id }) => collection_id)))
      expect(seen).toEqual(new Set(name === 'ada' ? [w.collection.id, shared, hidden] : [w.collection.id, shared]))
      expect(new Set(rows.assets.flatMap(({ people }) => people)).size).toBe(name === 'ada' ? 4 : 3)
    },
  )

  test('A token for one collection sees that collection only', async () => {
    const { rows, columns } = await both(await scriptOf(w.as('ada'), 'read', w.collection.id), list)
    expect(columns).toEqual(rows)
    expect(new Set(columns.assets.flatMap(({ collections }) => collections.map(({ collection_id }) => collection_id))).size).toBe(1)
  })

  test.each([1, 7, COUNT - 1, COUNT, COUNT + 1])('Pages of %i are the same, and their cursors fit both forms', async (limit) => {
    let cursor: string | null = ''
    let count = 0
    while (cursor !== null) {
      const { rows, columns } = await both(w.as('bob'), `${list}&limit=${limit}${cursor && `&cursor=${cursor}`}`)
      expect({ ...columns, nextCursor: null }).toEqual({ ...rows, nextCursor: null })
      expect(columns.nextCursor === null).toBe(rows.nextCursor === null)
      cursor = columns.nextCursor
      count += rows.assets.length
    }
    expect(count).toBe(COUNT)
  })

  test('The changes since a revision are the same, with what was deleted', async () => {
    const { rows: start } = await both(w.as('bob'), list)
    const [ready, gone] = [await assetRow(w, 'ada', [w.collection.id, shared]), await assetRow(w, 'ada', [w.collection.id])]
    await w.as('ada').delete(`/api/asset/${gone}`)
    const { rows, columns } = await both(w.as('bob'), `${list}&since=${start.revision}`)
    expect(rows).toMatchObject({ assets: [{ id: ready }], deleted: [gone] })
    expect(columns).toEqual(rows)
    expect((await both(w.as('bob'), `${list}&since=${rows.revision}`)).columns).toMatchObject({ assets: [], deleted: [] })
    expect((await w.as('bob').get(`${list}&since=9007199254740991&form=columns`)).status).toBe(410)
    await w.as('ada').delete(`/api/asset/${ready}`)
  })

  test('An empty collection has no assets in either form', async () => {
    const { rows, columns } = await both(w.as('ada'), `/api/asset?collection_id=${await collectionOf(w, 'ada')}`)
    expect(rows.assets).toEqual([])
    expect(columns).toEqual(rows)
  })

  test('Each form has its own ETag, and gets 304 for it alone', async () => {
    const etagOf = async (form: string) => (await w.as('bob').get(list + form)).headers.get('etag') ?? ''
    const [rows, columns] = [await etagOf(''), await etagOf('&form=columns')]
    expect(rows).not.toBe(columns)
    const status = async (form: string, etag: string) => (await w.as('bob').get(list + form, { headers: { 'if-none-match': etag } })).status
    expect(await status('&form=columns', columns)).toBe(304)
    expect(await status('', columns)).toBe(200)
    expect(await status('&form=columns', rows)).toBe(200)
  })

  test('It needs a collection that the caller is in, and an asset list', async () => {
    const answer = await w.as('ada').get('/api/asset?form=columns')
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid', message: 'form=columns needs a collection_id' } } })
    expect((await w.as('ada').get(`${list}&form=rows`)).status).toBe(400)
    expect((await w.as('ada').get(`/api/post?collection_id=${w.collection.id}&form=columns`)).status).toBe(400)
    expect((await w.as('eve').get(`${list}&form=columns`)).status).toBe(404)
  })
})
