import { beforeAll, describe, expect, test } from 'vitest'
import { assetRow, collectionOf } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

let w: World
let other: string
beforeAll(async () => {
  w = await world({ bob: 'admin' })
  other = await collectionOf(w, 'ada', { bob: 'read' })
  const post = async () =>
    (await w.as('ada').post('/api/post', { type: 'note', title: 'T', collectionIds: [w.collection.id] })).body.post.id
  for (let n = 0; n < 3; n++) {
    await post()
    await assetRow(w, 'ada', [w.collection.id])
    await w.as('ada').delete(`/api/post/${await post()}`)
  }
  // Groups of the feed are per user and time.
  await w.as('bob').post('/api/post', { type: 'note', title: 'T', collectionIds: [w.collection.id] })
})

/** A list, and lists whose cursors do not belong to it. */
const LISTS: [name: string, list: () => string, strange: () => string[]][] = [
  [
    'posts of a collection',
    () => `/api/post?collection_id=${w.collection.id}&limit=1`,
    () => ['/api/post?limit=1', `/api/asset?collection_id=${w.collection.id}&limit=1`, '/api/trash?limit=1', '/api/feed?limit=1'],
  ],
  [
    'assets of a collection',
    () => `/api/asset?collection_id=${w.collection.id}&limit=1`,
    () => ['/api/asset?limit=1', `/api/post?collection_id=${w.collection.id}&limit=1`, '/api/trash?limit=1', '/api/feed?limit=1'],
  ],
  ['all assets', () => '/api/asset?limit=1', () => ['/api/post?limit=1', `/api/asset?collection_id=${w.collection.id}&limit=1`]],
  ['the trash', () => '/api/trash?limit=1', () => ['/api/post?limit=1', '/api/asset?limit=1', '/api/feed?limit=1']],
  ['the feed', () => '/api/feed?limit=1', () => ['/api/post?limit=1', '/api/trash?limit=1']],
]

const cursorOf = async (list: string, who = 'ada'): Promise<string> => {
  const { status, body } = await w.as(who).get(list)
  expect([status, typeof body.nextCursor], list).toEqual([200, 'string'])
  return body.nextCursor
}
const statusAt = async (list: string, cursor: string, who = 'ada') =>
  (await w.as(who).get(`${list}&cursor=${encodeURIComponent(cursor)}`)).status

describe.each(LISTS)('the cursor of %s', (_name, list, strange) => {
  test('A list continues from a cursor, which may be sent twice', async () => {
    const cursor = await cursorOf(list())
    expect([await statusAt(list(), cursor), await statusAt(list(), cursor)]).toEqual([200, 200])
  })

  test('A list refuses a cursor truncated anywhere or changed in any character', async () => {
    const cursor = await cursorOf(list())
    for (let at = 1; at < cursor.length; at += 7) {
      expect(await statusAt(list(), cursor.slice(0, at)), `cut at ${at}`).toBe(400)
      const swapped = cursor[at] === 'A' ? 'B' : 'A'
      expect(await statusAt(list(), `${cursor.slice(0, at)}${swapped}${cursor.slice(at + 1)}`), `changed at ${at}`).toBe(400)
    }
  })

  test('A list refuses a cursor of another list and of another user', async () => {
    const cursor = await cursorOf(list())
    for (const foreign of strange()) expect(await statusAt(list(), await cursorOf(foreign)), foreign).toBe(400)
    expect(await statusAt(list(), cursor, 'bob')).toBe(400)
  })

  test.each([
    'limit=0',
    'limit=-1',
    'limit=1e9',
    'limit=1;drop',
    'limit=',
    'limit=2&limit=3',
    'cursor=',
    'cursor=%00',
    "cursor='",
    'q=%25',
  ])('A list refuses ?%s', async (query) => {
    const path = list().replace(/[?&]limit=1/, '')
    expect((await w.as('ada').get(`${path}${path.includes('?') ? '&' : '?'}${query}`)).status).toBe(400)
  })
})

describe.each(['post', 'asset'])('changes of %ss', (kind) => {
  const list = () => `/api/${kind}?collection_id=${w.collection.id}`

  test.each(['-1', '1.5', 'x', '', 'NaN', 'Infinity', '1e400', '0x', '1;drop', '%00'])('A list refuses since=%s', async (since) => {
    expect((await w.as('ada').get(`${list()}&since=${since}`)).status).toBe(400)
  })

  test('A future or expired revision gets 410, and one of another collection 404', async () => {
    const { revision } = (await w.as('ada').get(list())).body
    for (const since of [revision + 1, 2 ** 40, Number.MAX_SAFE_INTEGER])
      expect((await w.as('ada').get(`${list()}&since=${since}`)).status, String(since)).toBe(410)
    await w.sql`delete from changes where collection_id = ${other}`
    await w.sql`update collections set revision = 7 where id = ${other}`
    expect((await w.as('ada').get(`/api/${kind}?collection_id=${other}&since=3`)).status).toBe(410)
    expect((await w.as('ada').get(`/api/${kind}?collection_id=${other}&since=7`)).status).toBe(200)
  })
})
