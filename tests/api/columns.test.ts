import { beforeAll, describe, expect, test } from 'vitest'
import { listAssets } from '../../contract/assets.ts'
import { newId } from '../../contract/ids.ts'
import { listPosts } from '../../contract/posts.ts'
import type { Client } from '../../dev/http-client.ts'
import { assetRow, collectionOf } from '../support/rows.ts'
import { scriptOf } from '../support/tokens.ts'
import { type World, world } from '../support/world.ts'

const COUNT = 60

const KINDS = ['asset', 'post'] as const
type Kind = (typeof KINDS)[number]

let w: World
/** Bob is in `shared`, but not in `hidden`. */
let shared: string
let hidden: string

const idOf = (kind: Kind) => `overlay(overlay(md5($1::text || '${kind}' || n) placing '4' from 13) placing '8' from 17)::uuid`

/** Assets of two authors with every kind of date, with and without locations and measures. */
async function fillAssets(): Promise<void> {
  const [ada, bob] = [w.as('ada').id, w.as('bob').id]
  await w.sql.query(
    `insert into assets (id, user_id, status, name, type, size, checksum, width, height, duration, thumbhash, alt, renditions,
      date, date_zone, date_precision, lat, lon, place_name)
    select ${idOf('asset')}, case when n % 3 = 0 then $2 else $3 end, 'ready', (array['庭.jpg', 'a "b"\\.jpg', '👩‍👩‍👧.mp4'])[n % 3 + 1],
      (array['image/jpeg', 'video/mp4'])[n % 2 + 1], 5368709120 - n, encode(sha256(($1::text || n)::bytea), 'hex'),
      case when n % 4 > 0 then n end, case when n % 4 > 0 then 2 * n end, case when n % 2 = 1 then n / 7.0 end,
      case when n % 5 > 0 then 'thumb/' || n end, case when n % 6 = 0 then E'\u2028<b>\u00e9\t' || n end,
      (array['{}', '{"thumb":"image/webp"}', '{"preview":"image/webp"}', '{"thumb":"image/webp","preview":"image/webp"}'])[n % 4 + 1]::jsonb,
      case when n % 7 = 0 then null when n % 7 = 1 then timestamptz '0001-01-01 00:00:00+00' else timestamptz '2020-01-01 10:00:00.5+02' + (n / 4) * interval '1 month' end,
      case when n % 3 = 1 then 'Asia/Tokyo' end, case when n % 7 = 0 then 'unknown' else (array['minute', 'day', 'month', 'year'])[n % 4 + 1] end,
      case when n % 3 > 0 then n end, case when n % 3 > 0 then -n end, case when n % 3 = 1 then 'Kyōto "Gion"' end
    from generate_series(1, $4::int) n`,
    [w.collection.id, bob, ada, COUNT],
  )
}

/** The same for posts, with up to three assets each, of which Bob does not see all. */
async function fillPosts(): Promise<void> {
  const [ada, bob] = [w.as('ada').id, w.as('bob').id]
  await w.sql.query(
    `insert into posts (id, user_id, type, kind, title, body, date, date_zone, date_precision, ends_at, lat, lon, place_name)
    select ${idOf('post')}, case when n % 3 = 0 then $2 else $3 end, case when n % 2 = 0 then 'note' else 'event' end,
      case when n % 4 = 0 then 'idea' when n % 4 = 1 then 'trip' end, (array['庭', 'a "b"\\', '👩‍👩‍👧'])[n % 3 + 1],
      (array['', E'<p>\u2028\u00e9\t"</p>', '<p>' || repeat('long ', 2000) || '</p>'])[n % 3 + 1],
      case when n % 7 = 0 then null when n % 7 = 1 then timestamptz '0001-01-01 00:00:00+00' else timestamptz '2020-01-01 10:00:00.5+02' + (n / 4) * interval '1 month' end,
      case when n % 3 = 1 then 'Asia/Tokyo' end, case when n % 7 = 0 then 'unknown' else (array['minute', 'day', 'month', 'year'])[n % 4 + 1] end,
      case when n % 7 > 1 and n % 2 = 1 then timestamptz '2040-01-01' end,
      case when n % 3 > 0 then n end, case when n % 3 > 0 then -n end, case when n % 3 = 1 then 'Kyōto "Gion"' end
    from generate_series(1, $4::int) n`,
    [w.collection.id, bob, ada, COUNT],
  )
  await w.sql.query(
    `insert into post_assets (post_id, asset_id, position)
    select ${idOf('post')}, asset_id, position from generate_series(1, $2::int) n cross join lateral (
      select asset_id, position from (select ${idOf('asset').replace(' || n)', ' || (n + position * 7) % $2 + 1)')} as asset_id, position
        from generate_series(1, n % 4) position) attached) attached`,
    [w.collection.id, COUNT],
  )
}

/** Puts the items into up to three collections, and tags up to three people of each. */
async function link(kind: Kind): Promise<void> {
  const [ada, bob] = [w.as('ada').id, w.as('bob').id]
  for (const { id, n } of await w.sql.query(`select ${idOf(kind)} as id, n from generate_series(1, $2::int) n`, [w.collection.id, COUNT])) {
    for (const [at, collection] of [w.collection.id, shared, hidden].entries()) {
      if (n % (at + 1) > 0) continue
      await w.sql.query(
        `insert into ${kind}_collections (collection_id, ${kind}_id, user_id, added_at)
        values ($1, $2, $3, timestamptz '2024-01-01' - $4::int * interval '1 day')`,
        [collection, id, n % 2 ? ada : bob, (n * (at + 3)) % 5],
      )
    }
  }
  for (const collection of [w.collection.id, w.collection.id, shared, hidden]) {
    const person = newId()
    await w.sql`insert into people (id, collection_id, name) values (${person}, ${collection}, 'Grandma')`
    await w.sql.query(
      `insert into ${kind}_people (${kind}_id, person_id) select ${kind}_id, $1 from ${kind}_collections
      where collection_id = $2 and get_byte(uuid_send(${kind}_id), 3) % 2 = 0`,
      [person, collection],
    )
  }
}

beforeAll(async () => {
  w = await world({ bob: 'write', eve: null })
  shared = await collectionOf(w, 'ada', { bob: 'read' })
  hidden = await collectionOf(w, 'ada')
  await fillAssets()
  await fillPosts()
  for (const kind of KINDS) await link(kind)
})

const listOf = (kind: Kind) => `/api/${kind}?collection_id=${w.collection.id}`

/** The id of a new item of Ada's. */
async function made(kind: Kind, collectionIds: string[]): Promise<string> {
  if (kind === 'asset') return assetRow(w, 'ada', collectionIds)
  return (await w.as('ada').post('/api/post', { type: 'note', title: 'New', collectionIds })).body.post.id
}

/** Both forms of a page, the compact one parsed into items. */
async function both(reader: Client, kind: Kind, address: string) {
  const [rows, columns] = [await reader.get(address), await reader.get(`${address}&form=columns`)]
  expect([rows.status, columns.status]).toEqual([200, 200])
  expect(columns.headers.get('content-type')).toBe('application/json')
  const parsed = (form: 'response' | 'columns', body: unknown) => {
    if (kind === 'asset') {
      const { assets, ...rest } = listAssets[form].parse(body)
      return { ...rest, items: assets }
    }
    const { posts, ...rest } = listPosts[form].parse(body)
    return { ...rest, items: posts }
  }
  return { rows: parsed('response', rows.body), columns: parsed('columns', columns.body) }
}

describe.each(KINDS)('a list of %ss in its compact form', (kind) => {
  test.each(['ada', 'bob'])(
    'It has the same items as the rows for %s, with only the collections and people that they see',
    async (name) => {
      const { rows, columns } = await both(w.as(name), kind, listOf(kind))
      expect(rows.items).toHaveLength(COUNT)
      expect(columns).toEqual(rows)
      expect(JSON.stringify(columns.items)).toBe(JSON.stringify(rows.items))
      const seen = new Set(rows.items.flatMap(({ collections }) => collections.map(({ collection_id }) => collection_id)))
      expect(seen).toEqual(new Set(name === 'ada' ? [w.collection.id, shared, hidden] : [w.collection.id, shared]))
      expect(new Set(rows.items.flatMap(({ people }) => people)).size).toBe(name === 'ada' ? 4 : 3)
    },
  )

  test('A token for one collection sees that collection only', async () => {
    const { rows, columns } = await both(await scriptOf(w.as('ada'), 'read', w.collection.id), kind, listOf(kind))
    expect(columns).toEqual(rows)
    expect(new Set(columns.items.flatMap(({ collections }) => collections.map(({ collection_id }) => collection_id))).size).toBe(1)
  })

  test.each([1, 7, COUNT - 1, COUNT, COUNT + 1])('Pages of %i are the same, and their cursors fit both forms', async (limit) => {
    let cursor: string | null = ''
    let count = 0
    while (cursor !== null) {
      const { rows, columns } = await both(w.as('bob'), kind, `${listOf(kind)}&limit=${limit}${cursor && `&cursor=${cursor}`}`)
      expect({ ...columns, nextCursor: null }).toEqual({ ...rows, nextCursor: null })
      expect(columns.nextCursor === null).toBe(rows.nextCursor === null)
      cursor = columns.nextCursor
      count += rows.items.length
    }
    expect(count).toBe(COUNT)
  })

  test('The changes since a revision are the same, with what was deleted', async () => {
    const { rows: start } = await both(w.as('bob'), kind, listOf(kind))
    const [ready, gone] = [await made(kind, [w.collection.id, shared]), await made(kind, [w.collection.id])]
    await w.as('ada').delete(`/api/${kind}/${gone}`)
    const { rows, columns } = await both(w.as('bob'), kind, `${listOf(kind)}&since=${start.revision}`)
    expect(rows).toMatchObject({ items: [{ id: ready }], deleted: [gone] })
    expect(columns).toEqual(rows)
    expect((await both(w.as('bob'), kind, `${listOf(kind)}&since=${rows.revision}`)).columns).toMatchObject({ items: [], deleted: [] })
    expect((await w.as('bob').get(`${listOf(kind)}&since=9007199254740991&form=columns`)).status).toBe(410)
    await w.as('ada').delete(`/api/${kind}/${ready}`)
  })

  test('An empty collection has no items in either form', async () => {
    const { rows, columns } = await both(w.as('ada'), kind, `/api/${kind}?collection_id=${await collectionOf(w, 'ada')}`)
    expect(rows.items).toEqual([])
    expect(columns).toEqual(rows)
  })

  test('Each form has its own ETag, and gets 304 for it alone', async () => {
    const etagOf = async (form: string) => (await w.as('bob').get(listOf(kind) + form)).headers.get('etag') ?? ''
    const [rows, columns] = [await etagOf(''), await etagOf('&form=columns')]
    expect(rows).not.toBe(columns)
    const status = async (form: string, etag: string) =>
      (await w.as('bob').get(listOf(kind) + form, { headers: { 'if-none-match': etag } })).status
    expect(await status('&form=columns', columns)).toBe(304)
    expect(await status('', columns)).toBe(200)
    expect(await status('&form=columns', rows)).toBe(200)
  })

  test('It needs a collection that the caller is in', async () => {
    const answer = await w.as('ada').get(`/api/${kind}?form=columns`)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid', message: 'form=columns needs a collection_id' } } })
    expect((await w.as('ada').get(`${listOf(kind)}&form=rows`)).status).toBe(400)
    expect((await w.as('eve').get(`${listOf(kind)}&form=columns`)).status).toBe(404)
  })
})
