import { newId } from '../../contract/ids.ts'
import { WORKER_BUNDLE } from '../../dev/build-worker.ts'
import { Client } from '../../dev/http-client.ts'
import type { Stack } from '../../dev/stack.ts'
import { type Figure, p50p95, percentile, timed } from './figures.ts'
import { runtimeMemory } from './memory.ts'
import { openTabs, type Tab } from './tabs.ts'

const ROOMS = [1, 100, 1_000]
const MAX_SOCKETS = Math.max(...ROOMS)
/** A user may have at most 20 sockets in a room. */
const PEOPLE = MAX_SOCKETS / 20
const MESSAGES = { 1: 60, 100: 60, 1000: 20 } as Record<number, number>
const WARM = 5
const LOGGED = 1_000
/** Milliseconds. Anything slower is a failure, not a figure. */
const TIMEOUT = 60_000

/** One live room as it fills: delay until others receive a write, cost of sockets, and reconnection of all of them. */
export async function measureLive(stack: Stack): Promise<Figure[]> {
  const ada = new Client(stack.origin)
  await answered(ada.post('/api/auth/sign-up', { email: 'live@example.org', password: 'correct horse battery' }), 201)
  const { collection } = await answered(ada.post('/api/collections', { name: 'Live' }), 201)
  const sessions = await addPeople(stack, collection.id)
  const figures: Figure[] = []
  const tabs: Tab[] = []
  const people = (n: number) => ({ stack, room: `collection:${collection.id}`, ...(sessions[n % PEOPLE] ?? { user: '', access: '' }) })
  try {
    for (const size of ROOMS) {
      const before = await runtimeMemory()
      const begin = performance.now()
      const opened = await openTabs(Array.from({ length: size - tabs.length }, (_, n) => people(tabs.length + n)))
      const seconds = (performance.now() - begin) / 1000
      tabs.push(...opened)
      figures.push(...(await measureMessages(stack, { ada, collectionId: collection.id, tabs })))
      if (opened.length < 500) continue
      const each = (await runtimeMemory()) - before
      figures.push({ what: 'sockets opened to the first hello, 50 at a time', value: `${(opened.length / seconds).toFixed(0)} per second` })
      figures.push({
        what: `memory of the runtime per socket, of ${opened.length}`,
        value: `${(each / opened.length / 1024).toFixed(1)} KiB`,
      })
    }
    figures.push(await measureReturn(stack, tabs))
  } finally {
    for (const tab of tabs) tab.close()
  }
  return [...figures, ...(await measureSince(stack, ada, collection.id))]
}

interface Scene {
  ada: Client
  collectionId: string
  tabs: Tab[]
}

/** From the start of the write's transaction, a little before its commit, to the message at each tab. */
async function measureMessages(stack: Stack, { ada, collectionId, tabs }: Scene): Promise<Figure[]> {
  const took: number[] = []
  const last: number[] = []
  for (let run = 0; run < (MESSAGES[tabs.length] ?? 0) + WARM; run++) {
    await answered(ada.post('/api/post', { id: newId(), type: 'note', title: 'Live', collectionIds: [collectionId] }), 201)
    const [row] = await stack.sql`select revision::int, extract(epoch from created_at) * 1000 as at
      from changes where collection_id = ${collectionId} order by revision desc limit 1`
    const arrivals = await within(Promise.all(tabs.map((tab) => tab.arrivalOf(row?.revision as number))))
    if (run < WARM) continue
    const delays = arrivals.map((arrival) => arrival - Number(row?.at))
    took.push(...delays)
    last.push(Math.max(...delays))
  }
  const sockets = `${tabs.length.toLocaleString('en')} ${tabs.length === 1 ? 'socket' : 'sockets'}`
  const ms = (p: number) => percentile(took, p).toFixed(1)
  const aim = tabs.length === 100 ? ' (p95 ≤ 200 ms)' : ''
  const figure = {
    what: `write → message, ${sockets} in the room, p50 / p95 / p99${aim}`,
    value: `${ms(0.5)} / ${ms(0.95)} / ${ms(0.99)} ms`,
  }
  return tabs.length === 1 ? [figure] : [figure, { what: `write → message at the last of ${sockets}, p50 / p95`, value: p50p95(last) }]
}

/** All sockets break with the runtime; each tab reconnects with back-off, so not before a second has passed. */
async function measureReturn(stack: Stack, tabs: Tab[]): Promise<Figure> {
  const begin = performance.now()
  const back = tabs.map((tab) => tab.helloAfter(begin))
  await stack.worker.reload(WORKER_BUNDLE)
  const took = (await within(Promise.all(back))).map((at) => at - begin)
  return {
    what: `back in the room after a restart of the runtime, ${tabs.length.toLocaleString('en')} tabs, half / 95 % / all`,
    value: `${[0.5, 0.95, 1].map((p) => (percentile(took, p) / 1000).toFixed(1)).join(' / ')} s`,
  }
}

/** The request of a tab that has missed 1 or 1,000 changes, each to another post. */
async function measureSince(stack: Stack, ada: Client, collectionId: string): Promise<Figure[]> {
  await stack.sql`do $$ declare made uuid; begin
    for n in 1..1000 loop
      insert into posts (id, user_id, type, title) select gen_random_uuid(), user_id, 'note', 'Snow ' || n
        from collections where name = 'Live' returning id into made;
      insert into post_collections (collection_id, post_id, user_id) select id, made, user_id from collections where name = 'Live';
    end loop;
  end $$`
  const { revision } = await answered(ada.get(`/api/post?collection_id=${collectionId}&limit=1`))
  const since = async (missed: number) => {
    const ask = () => answered(ada.get(`/api/post?collection_id=${collectionId}&since=${revision - missed}&limit=2000`))
    const { posts } = await ask()
    if (posts.length !== missed) throw new Error(`${posts.length} posts instead of ${missed}`)
    const value = p50p95((await timed(40, ask)).slice(WARM))
    return { what: `GET /api/post?since, ${missed.toLocaleString('en')} ${missed === 1 ? 'change' : 'changes'} missed, p50 / p95`, value }
  }
  return [await since(1), await since(LOGGED)]
}

/** Returns their ids and sessions. */
async function addPeople({ sql }: Stack, collectionId: string): Promise<{ user: string; access: string }[]> {
  const rows = await sql`with made as (
      insert into users (id, email) select 'live-' || n, 'live-' || n || '@example.org' from generate_series(0, ${PEOPLE - 1}::int) n returning id
    ), joined as (insert into members (collection_id, user_id, role) select ${collectionId}, id, 'read' from made)
    insert into sessions (id, user_id) select gen_random_uuid(), id from made returning id, user_id`
  return rows.map(({ id, user_id }) => ({ user: user_id as string, access: id as string }))
}

function within<T>(work: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('Nothing within a minute')), TIMEOUT).unref())
  return Promise.race([work, late])
}

async function answered(call: ReturnType<Client['get']>, status = 200) {
  const answer = await call
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
