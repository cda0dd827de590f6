import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { LIMITS } from '../../contract/limits.ts'
import { localSql } from '../../dev/neon.ts'
import { connect, type Db } from '../../worker/db/client.ts'
import { findAsset, listAssets, replaceAsset, trashAsset } from '../../worker/queries/assets.ts'
import { findCalendar } from '../../worker/queries/calendar-links.ts'
import { listCollections } from '../../worker/queries/collections.ts'
import { listComments } from '../../worker/queries/comments.ts'
import { updatePost } from '../../worker/queries/edit-post.ts'
import { listFeed } from '../../worker/queries/feed.ts'
import { findImageSources, findNewestImages } from '../../worker/queries/images.ts'
import { claimUnread, listUnread } from '../../worker/queries/metadata.ts'
import { checksOf } from '../../worker/queries/permissions.ts'
import { findPost, listPosts } from '../../worker/queries/posts.ts'
import { findCandidates } from '../../worker/queries/shots.ts'
import { findTimeline } from '../../worker/queries/timeline.ts'
import { restoreItems } from '../../worker/queries/trash.ts'
import { undoEdit } from '../../worker/queries/undo.ts'
import { decorate, grow, settle } from '../support/many.ts'
import { explainedConnection, plansOf, rowsOf, scannedTables } from '../support/plans.ts'
import { type World, world } from '../support/world.ts'

/** Tables that grow with use: no read may scan one completely. */
const LARGE = ['posts', 'assets', 'post_collections', 'asset_collections', 'post_assets', 'changes', 'comments', 'reactions']

let w: World
let user: string
let list: { collection_id: string; limit: number }
const ids = { post: '', asset: '' }
const cursors = { post: '', asset: '', feed: '' }
/** Hashes of calendar links. */
const links = { events: 'events', notes: 'notes' }
let since = 0

beforeAll(async () => {
  w = await world({ bob: 'read' })
  user = w.as('bob').id
  list = { collection_id: w.collection.id, limit: 1_000 }
  await grow(w.sql, { collectionId: w.collection.id, userId: w.as('ada').id, from: 0, to: 200_000 })
  await decorate(w.sql, w.collection.id)
  const pageOf = async (kind: string) => (await w.as('bob').get(`/api/${kind}?collection_id=${w.collection.id}&limit=1000`)).body
  const { posts, nextCursor, revision } = await pageOf('post')
  const second = await pageOf('asset')
  Object.assign(ids, { post: posts[0].id, asset: second.assets[0].id })
  Object.assign(cursors, { post: nextCursor, asset: second.nextCursor })
  cursors.feed = (await w.as('bob').get('/api/feed?limit=1')).body.nextCursor
  since = revision
  for (const { id } of posts.slice(0, 20)) await w.as('ada').patch(`/api/post/${id}`, { title: 'Changed' })
  const event = { type: 'event', title: 'Concert', date: '2010-05-01T12:00:00Z', collectionIds: [w.collection.id] }
  for (let n = 0; n < 3; n++) await w.as('ada').post('/api/post', event)
  await w.sql`insert into calendar_links (collection_id, user_id, hash, notes)
    values (${w.collection.id}, ${user}, ${links.events}, false), (${w.collection.id}, ${w.as('ada').id}, ${links.notes}, true)`
  // The log of a busy site: changes of collections that no user here is in.
  await w.sql`insert into changes (collection_id, revision, table_name, event, ids, published_at)
    select md5('log' || n % 500)::uuid, n, 'post_collections', 'UPDATE', '{}', now() from generate_series(1, 50000) n on conflict do nothing`
  await linkToManyCollections(w)
  await comment(w)
  await settle(w.sql)
}, 240_000)

/** Most collections are small, which is what Postgres expects of a collection that it does not know when it plans. */
async function linkToManyCollections({ sql, collection }: World): Promise<void> {
  await sql.transaction([
    sql.query('set local session_replication_role = replica'),
    sql.query(`insert into users (id, email) select 'busy' || n, 'busy' || n || '@example.com' from generate_series(1, 5000) n`),
    sql.query(
      `insert into collections (id, name, user_id) select md5('small' || n)::uuid, 'Small', 'busy' || 1 + n % 5000 from generate_series(0, 9999) n`,
    ),
    sql.query(
      `insert into members (collection_id, user_id, role) select md5('small' || n)::uuid, 'busy' || 1 + n % 5000, 'admin' from generate_series(0, 9999) n`,
    ),
    sql.query(
      `insert into asset_collections (collection_id, asset_id, user_id, sort_at)
      select md5('small' || n % 3000)::uuid, asset_id, user_id, sort_at from (
        select row_number() over () as n, l.* from (select * from asset_collections where collection_id = $1 limit 20000) l) l`,
      [collection.id],
    ),
  ])
}

/** The newest hundred photos of the collection, and 20,000 in others, are commented and reacted to; one by 10,000 comments. */
async function comment({ sql, collection }: World): Promise<void> {
  const about = [
    `select asset_id, collection_id from (
      (select * from asset_collections where collection_id = $1 order by sort_at desc nulls last, asset_id desc nulls last limit 100)
      union all (select * from asset_collections where collection_id <> $1 limit 20000)) l`,
    `select $2::uuid as asset_id, $1::uuid as collection_id from generate_series(1, 10000)`,
  ]
  const params = [collection.id, ids.asset]
  await sql.transaction([
    sql.query('set local session_replication_role = replica'),
    sql.query(
      `insert into comments (id, collection_id, asset_id, user_id, text, created_at, revision)
      select gen_random_uuid(), collection_id, asset_id, 'busy1', 'Lovely', now() + row_number() over () * interval '1 millisecond', 1
      from (${about.join(' union all ')}) l`,
      params,
    ),
    sql.query(
      `insert into reactions (collection_id, asset_id, user_id, emoji) select collection_id, asset_id, 'busy' || n, '👍' from (${about[0]}) l, generate_series(1, 2) n`,
      params.slice(0, 1),
    ),
  ])
}

/** Rows of these tables that may be read: for one item, for a page of 1,000, or for a collection that is counted. */
const [ITEM, PAGE, ALL] = [300, 12_000, 250_000]
/** For a page that may read each of the 10,000 comments on a photo. */
const SAID = PAGE + 10_000
/** For a write, which may scan the tables that are small here. */
const WRITE = 2_000

const talk = () => ({ kind: 'asset' as const, id: ids.asset, collectionId: w.collection.id })

const READS: [what: string, rows: number, read: (db: Db) => Promise<unknown>][] = [
  ['first page of posts', PAGE, (db) => listPosts(db, user, { query: list, known: undefined })],
  ['first page of assets', SAID, (db) => listAssets(db, user, { query: list })],
  ['first page of assets, compact', SAID, (db) => listAssets(db, user, { query: { ...list, form: 'columns' } })],
  ['next page of assets, compact', PAGE, (db) => listAssets(db, user, { query: { ...list, form: 'columns', cursor: cursors.asset } })],
  ['assets that changed, compact', PAGE, (db) => listAssets(db, user, { query: { ...list, form: 'columns', since } })],
  ['first page of posts, compact', PAGE, (db) => listPosts(db, user, { query: { ...list, form: 'columns' }, known: undefined })],
  [
    'next page of posts, compact',
    PAGE,
    (db) => listPosts(db, user, { query: { ...list, form: 'columns', cursor: cursors.post }, known: undefined }),
  ],
  ['posts that changed, compact', PAGE, (db) => listPosts(db, user, { query: { ...list, form: 'columns', since }, known: undefined })],
  ['next page of posts', PAGE, (db) => listPosts(db, user, { query: { ...list, cursor: cursors.post }, known: undefined })],
  ['next page of assets', PAGE, (db) => listAssets(db, user, { query: { ...list, cursor: cursors.asset } })],
  ['posts of all collections', PAGE, (db) => listPosts(db, user, { query: { limit: 1_000 }, known: undefined })],
  ['assets of all collections', PAGE, (db) => listAssets(db, user, { query: { limit: 1_000 } })],
  ['posts that changed', PAGE, (db) => listPosts(db, user, { query: { ...list, since }, known: undefined })],
  ['assets that changed', PAGE, (db) => listAssets(db, user, { query: { ...list, since } })],
  ['counts per month', ALL, (db) => findTimeline(db, user, w.collection.id, undefined)],
  ['one post', ITEM, (db) => findPost(db, user, ids.post)],
  ['one asset', ITEM, (db) => findAsset(db, user, ids.asset)],
  ['one post with what is said about it', ITEM, (db) => findPost(db, user, ids.post, w.collection.id)],
  ['one asset with 10,000 comments', PAGE, (db) => findAsset(db, user, ids.asset, w.collection.id)],
  ['first page of 10,000 comments', ITEM, (db) => listComments(db, user, talk(), {})],
  ['comments that changed', 2 * SAID, (db) => listComments(db, user, talk(), { since })],
  ['one picture', ITEM, (db) => findImageSources(db, user, { id: ids.asset, neighbours: 0 })],
  ['one picture with its neighbours', ITEM, (db) => findImageSources(db, user, { id: ids.asset, neighbours: 60 })],
  ['newest pictures of a collection', ITEM, (db) => findNewestImages(db, user, { collectionId: w.collection.id, limit: 120 })],
  ['feed', SAID, (db) => listFeed(db, user, {})],
  ['next page of the feed', SAID, (db) => listFeed(db, user, { cursor: cursors.feed })],
  ['calendar of a link', PAGE, (db) => findCalendar(db, links.events, '')],
  ['calendar of a link, with notes', PAGE, (db) => findCalendar(db, links.notes, '')],
  [
    'assets that a device has to read',
    ITEM,
    (db) => listUnread({ db, user: { id: w.as('ada').id }, checks: checksOf(['item.edit']) }, undefined),
  ],
  ['other files of a shot', ITEM, (db) => findCandidates(db, [{ collectionId: w.collection.id, id: ids.asset }])],
  ['collections with covers', ITEM, (db) => listCollections(db, user)],
]

describe('queries on 200,000 items, with many small collections beside them', () => {
  test.each(READS)('%s reads at most %i rows of large tables, and scans none completely', async (_what, rows, read) => {
    const plans = await plansOf(w.sql, read)
    expect(plans).toHaveLength(1)
    for (const plan of plans) {
      expect(
        scannedTables(plan).filter((table) => LARGE.includes(table)),
        plan.text,
      ).toEqual([])
      expect(rowsOf(plan, LARGE), plan.text).toBeLessThanOrEqual(rows)
    }
  })

  const changeId = newId()
  const checks = checksOf(['item.edit', 'item.add', 'item.link', 'item.remove'])
  type Writer = { db: Db; user: { id: string }; checks: typeof checks }
  const WRITES: [what: string, write: (caller: Writer) => Promise<unknown>][] = [
    ['An edit of an asset', (caller) => replaceAsset(caller, { id: ids.asset, edit: { name: 'Lake.jpg' }, version: undefined, changeId })],
    ['Its undo', (caller) => undoEdit(caller, changeId)],
    ['An edit of a post', (caller) => updatePost(caller, { id: ids.post, edit: { title: 'Lake' }, version: null, changeId: newId() })],
    ['Moving an asset to the trash', (caller) => trashAsset(caller, { id: ids.asset, changeId: newId() })],
    ['Claiming photos of which nothing was read', ({ db }) => claimUnread(db)],
    ['Restoring it', (caller) => restoreItems(caller, { post: [], asset: [ids.asset] })],
  ]
  test.each(WRITES)('%s reads few rows of large tables', async (_what, write) => {
    const plans = await plansOf(w.sql, (db) => write({ db, user: w.as('ada'), checks }))
    for (const plan of plans) expect(rowsOf(plan, LARGE), plan.text).toBeLessThanOrEqual(WRITE)
  })

  const TRIGGERED: [what: string, statement: string, value: () => string][] = [
    ['A sign-in', 'update users set language = language where id = $1', () => user],
    ['Another name', `update users set first_name = 'Robert' where id = $1`, () => user],
    ['Another name of a collection', `update collections set name = 'Kyoto in autumn' where id = $1`, () => w.collection.id],
    ['Another role', `update members set role = 'write' where user_id = $1`, () => user],
    ['Another title', `update posts set title = 'Pond' where id = $1`, () => ids.post],
    ['Another date', 'update assets set date = now() where id = $1', () => ids.asset],
    ['The trash', 'update posts set deleted_at = now() where id = $1', () => ids.post],
    [
      'Another text of a comment',
      `update comments set text = 'Lovelier' where id = (select id from comments limit 1) and $1 <> ''`,
      () => user,
    ],
    ['An end of a membership', 'delete from members where user_id = $1', () => user],
  ]
  test.each(TRIGGERED)('%s reads few rows of large tables in its triggers', async (_what, statement, value) => {
    const { db, plansTaken } = await explainedConnection(inject('stack').postgresUrl)
    onTestFinished(() => db.end())
    await db.query('begin')
    await db.query(statement, [value()])
    await db.query('rollback')
    const plans = plansTaken()
    expect(plans.length).toBeGreaterThan(0)
    for (const plan of plans) expect(rowsOf(plan, LARGE), `${plan.statement}\n${plan.text}`).toBeLessThanOrEqual(WRITE)
  })
})

test('A picture is read with its neighbours of the list, and no others', async () => {
  const db = connect(inject('stack').databaseUrl)
  localSql(inject('stack').databaseUrl)
  const { assets } = (await w.as('bob').get(`/api/asset?collection_id=${w.collection.id}&limit=20`)).body
  const around = async (nth: number) =>
    (await findImageSources(db, user, { id: assets[nth].id, neighbours: 3 })).map(({ id }) => id).toSorted()
  const expected = (from: number, to: number) =>
    assets
      .slice(from, to)
      .map(({ id }: { id: string }) => id)
      .toSorted()
  expect(await around(10)).toEqual(expected(7, 14))
  expect(await around(0)).toEqual(expected(0, 4))
  expect(await findImageSources(db, w.as('ada').id, { id: assets[10].id, neighbours: 0 })).toHaveLength(1)
  expect(await findImageSources(db, 'nobody', { id: assets[10].id, neighbours: 3 })).toEqual([])
})

/** How many rows of posts a read looked at. */
async function postsRead(read: (db: Db) => Promise<unknown>): Promise<number> {
  const plans = await plansOf(w.sql, read)
  return plans.reduce((sum, plan) => sum + rowsOf(plan, ['posts', 'post_collections']), 0)
}

test('A calendar reads only its events among 100,000 notes, and nothing if the client has the current version', async () => {
  expect(await postsRead((db) => findCalendar(db, links.events, ''))).toBe(6)
  expect(await postsRead((db) => findCalendar(db, links.notes, ''))).toBe(2 * LIMITS.calendarPosts)
  const db = connect(inject('stack').databaseUrl)
  localSql(inject('stack').databaseUrl)
  const known = await findCalendar(db, links.events, '')
  expect(known?.posts).toHaveLength(3)
  expect(await findCalendar(db, links.events, known?.etag ?? '')).toMatchObject({ posts: null })
  const notes = await findCalendar(db, links.notes, '')
  expect(await postsRead((db) => findCalendar(db, links.notes, notes?.etag ?? ''))).toBe(0)
})

test('The explained reads return full pages and matching counts', async () => {
  const db = connect(inject('stack').databaseUrl)
  localSql(inject('stack').databaseUrl)
  const page = await listPosts(db, user, { query: list, known: undefined })
  expect(JSON.parse(page.items ?? '')).toHaveLength(1_000)
  const timeline = await findTimeline(db, user, w.collection.id, undefined)
  const buckets: { posts: number; assets: number }[] = JSON.parse(timeline?.buckets ?? '')
  expect(buckets.reduce((sum, { posts }) => sum + posts, 0)).toBe(100_003)
  expect(buckets.reduce((sum, { assets }) => sum + assets, 0)).toBe(100_000)
})
