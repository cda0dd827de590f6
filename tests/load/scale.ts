import { newId } from '../../contract/ids.ts'
import { Client } from '../../dev/http-client.ts'
import type { Stack } from '../../dev/stack.ts'
import { grow, settle } from '../support/many.ts'
import { measureBulk } from './bulk.ts'
import { measureBulkPlans } from './bulk-plans.ts'
import { costOf } from './cost.ts'
import { answered, type Figure, p50p95, percentile, timed } from './figures.ts'

const SIZES = [1_000, 10_000, 100_000, 1_000_000]
const RUNS = 25
const WARM = 5
const MEMBERS = 50
const SMALL = 10_000
const CREDENTIALS = { email: 'scale@example.org', password: 'correct horse battery' }
/** Limit for the time of the first page at a million items, relative to ten thousand. */
const FLAT = 1.3

/**
 * One collection that grows tenfold from step to step, read and written over HTTP, half posts and half photos, and a small one for
 * comparison.
 */
export async function measureScale(stack: Stack, largest = SIZES.at(-1) ?? 0): Promise<Figure[]> {
  const ada = new Client(stack.origin)
  const { user } = await answered(ada.post('/api/auth/sign-up', CREDENTIALS), 201)
  const collection = async (name: string): Promise<string> => (await answered(ada.post('/api/collections', { name }), 201)).collection.id
  const [collectionId, small] = [await collection('Scale'), await collection('Small')]
  await grow(stack.sql, { collectionId: small, userId: user.id, from: 0, to: SMALL })
  const figures: Figure[] = []
  let from = 0
  for (const to of SIZES.filter((size) => size <= largest)) {
    await grow(stack.sql, { collectionId, userId: user.id, from, to })
    from = to
    const items = `${to.toLocaleString('en')} items`
    const took = { ...(await measure(ada, collectionId)), ...(await measureBulk(ada, collectionId)) }
    for (const [what, times] of Object.entries(took)) figures.push({ what: `${items}: ${what}, p50 / p95`, value: p50p95(times) })
  }
  figures.push(...(await measureCosts(stack, ada, collectionId)))
  figures.push(...(await measureMembers(stack, ada, collectionId)))
  const ratio = await compared(ada, collectionId, small)
  figures.push({
    what: `first page at ${from.toLocaleString('en')} against ${SMALL.toLocaleString('en')} items (≤ ${FLAT})`,
    value: `${ratio.toFixed(2)} ×`,
  })
  return figures
}

/** Bulk edits of a thousand photos in a collection of `size` items, half posts: over HTTP, and what Postgres does for them. */
export async function measureBulkAlone(stack: Stack, size: number): Promise<Figure[]> {
  const ada = new Client(stack.origin)
  const { user } = await answered(ada.post('/api/auth/sign-up', CREDENTIALS), 201)
  const { collection } = await answered(ada.post('/api/collections', { name: 'Bulk' }), 201)
  await grow(stack.sql, { collectionId: collection.id, userId: user.id, from: 0, to: size })
  const took = await measureBulk(ada, collection.id)
  const { assets } = await answered(ada.get(`/api/asset?collection_id=${collection.id}&limit=1000`))
  const ids = assets.map(({ id }: { id: string }) => id)
  await settle(stack.sql)
  return [
    ...Object.entries(took).map(([what, times]) => ({ what: `${what}, p50 / p95`, value: p50p95(times) })),
    ...(await measureBulkPlans(stack, ada, ids)),
  ]
}

/** Alternates, so that other load on the machine affects both. */
async function compared(ada: Client, large: string, small: string): Promise<number> {
  const took: Record<string, number[]> = { [large]: [], [small]: [] }
  for (let run = 0; run < RUNS * 2; run++) {
    for (const id of [large, small]) {
      const [time = 0] = await timed(1, () => answered(ada.get(`/api/asset?collection_id=${id}&limit=500`)))
      took[id]?.push(time)
    }
  }
  return percentile(took[large] ?? [], 0.5) / percentile(took[small] ?? [], 0.5)
}

const FIRST = 'first page of 500 assets'

async function measure(ada: Client, collectionId: string): Promise<Record<string, number[]>> {
  const list = `/api/asset?collection_id=${collectionId}&limit=500`
  const { assets, nextCursor } = await answered(ada.get(list))
  const { revision } = await answered(ada.get(`/api/post?collection_id=${collectionId}&limit=1`))
  await answered(ada.post('/api/post', post(collectionId)), 201)
  const times = async (work: () => Promise<unknown>) => (await timed(RUNS + WARM, work)).slice(WARM)
  return {
    [FIRST]: await times(() => answered(ada.get(list))),
    'next page': await times(() => answered(ada.get(nextCursor ? `${list}&cursor=${nextCursor}` : list))),
    'since (one change)': await times(() => answered(ada.get(`/api/post?collection_id=${collectionId}&since=${revision}`))),
    'counts per month': await times(() => answered(ada.get(`/api/collections/${collectionId}/timeline`))),
    'one asset': await times(() => answered(ada.get(`/api/asset/${assets[0].id}`))),
    feed: await times(() => answered(ada.get('/api/feed'))),
    'create a post': await times(() => answered(ada.post('/api/post', post(collectionId)), 201)),
  }
}

async function measureCosts(stack: Stack, ada: Client, collectionId: string): Promise<Figure[]> {
  const list = `/api/asset?collection_id=${collectionId}&limit=500`
  const page = await ada.get(list)
  const ids: string[] = page.body.assets.slice(0, 100).map(({ id }: { id: string }) => id)
  const known = { headers: { 'if-none-match': page.headers.get('etag') ?? '' } }
  return [
    await costOf(stack, 'sign in', () => answered(new Client(stack.origin).post('/api/auth/sign-in', CREDENTIALS))),
    await costOf(stack, 'health without a session', () => answered(ada.get('/api/health'))),
    await costOf(stack, FIRST, () => answered(ada.get(list))),
    await costOf(stack, `${FIRST}, unchanged`, () => answered(ada.get(list, known), 304)),
    await costOf(stack, 'one asset', () => answered(ada.get(`/api/asset/${ids[0]}`))),
    await costOf(stack, 'feed', () => answered(ada.get('/api/feed'))),
    await costOf(stack, 'create a post', () => answered(ada.post('/api/post', post(collectionId)), 201)),
    await costOf(stack, 'bulk of 100, shift the date', () => answered(ada.post('/api/asset/bulk.date', { ids, shift: { minutes: 1 } }))),
  ]
}

/** The cost of the permission check: an item read by a member, with one other member and then among fifty. */
async function measureMembers(stack: Stack, ada: Client, collectionId: string): Promise<Figure[]> {
  const bob = new Client(stack.origin)
  const { user } = await answered(bob.post('/api/auth/sign-up', { email: 'scale-bob@example.org', password: 'correct horse battery' }), 201)
  await stack.sql`insert into members (collection_id, user_id, role) values (${collectionId}, ${user.id}, 'read')`
  const { assets } = await answered(ada.get(`/api/asset?collection_id=${collectionId}&limit=1`))
  const read = async () => (await timed(RUNS * 2 + WARM, () => answered(bob.get(`/api/asset/${assets[0].id}`)))).slice(WARM)
  const few = await read()
  await stack.sql`with made as (
      insert into users (id, email) select 'scale-' || n, 'scale-' || n || '@example.org' from generate_series(1, ${MEMBERS - 2}::int) n returning id)
    insert into members (collection_id, user_id, role) select ${collectionId}, id, 'read' from made`
  return [
    { what: 'one asset, read by one of 2 members, p50 / p95', value: p50p95(few) },
    { what: `one asset, read by one of ${MEMBERS} members, p50 / p95`, value: p50p95(await read()) },
  ]
}

const post = (collectionId: string) => ({ id: newId(), type: 'note', title: 'Load', body: '<p>Words</p>', collectionIds: [collectionId] })
