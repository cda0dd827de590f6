import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../../dev/http-client.ts'
import type { Stack } from '../../dev/stack.ts'
import { answered, type Figure, percentile } from './figures.ts'
import { residentOf, runtimeMemory } from './memory.ts'
import { fill } from './peers-data.ts'
import { DIRECTUS, startDirectus } from './peers-directus.ts'
import { immichPeer, immichServer } from './peers-immich.ts'
import { cairnPeer, directusPeer, LISTED, type Peer, readPicture } from './peers-work.ts'

const ROUNDS = 7
/** Milliseconds after which nothing new is begun. */
const ENDS_AFTER = 40 * 60_000
/** Milliseconds. For ten seconds the worker knows who may see a thumbnail, so that a round must not be followed by the next before that. */
const ROUND = 11_000

interface Task {
  what: string
  call: (peer: Peer) => ((run: number) => Promise<unknown>) | undefined
  /** Calls of each program in a round. */
  calls: number
  /** Calls that are under way at a time. */
  lanes?: number
  /** Whether something is edited before each call, in time that does not count. */
  afterEdit?: boolean
}

const TASKS: Task[] = [
  {
    what: 'an empty request (/api/health, which asks database and storage; /server/ping, which asks neither)',
    call: ({ empty }) => empty,
    calls: 40,
  },
  { what: 'health (/api/health; /server/health)', call: ({ health }) => health, calls: 20 },
  { what: `list of ${LISTED.toLocaleString('en')}`, call: ({ list }) => list, calls: 6 },
  { what: `list of ${LISTED.toLocaleString('en')}, in Cairn as columns`, call: ({ compact }) => compact, calls: 6 },
  { what: 'one photo', call: ({ one }) => one, calls: 40 },
  { what: 'counts per month, each after an edit', call: ({ counts }) => counts, calls: 10, afterEdit: true },
  { what: 'counts per month, without one', call: ({ counts }) => counts, calls: 10 },
  { what: 'create a post', call: ({ create }) => create, calls: 20 },
  { what: 'edit a post', call: ({ edit }) => edit, calls: 20 },
  { what: `set the place of ${LISTED.toLocaleString('en')}`, call: ({ place }) => place, calls: 2 },
  { what: `set the date of ${LISTED.toLocaleString('en')}`, call: ({ date }) => date, calls: 2 },
  { what: 'upload of a photo of 206 KB', call: ({ upload }) => upload, calls: 8 },
  { what: 'upload of a photo of 206 KB, 4 at a time', call: ({ upload }) => upload, calls: 16, lanes: 4 },
  { what: 'upload until the thumbnail is served', call: ({ uploadAndShow }) => uploadAndShow, calls: 8 },
  { what: 'upload until the thumbnail is served, 4 at a time', call: ({ uploadAndShow }) => uploadAndShow, calls: 16, lanes: 4 },
  { what: 'thumbnail', call: ({ thumbnails }) => thumbnails.first, calls: 60 },
  { what: 'thumbnail, 8 at a time', call: ({ thumbnails }) => thumbnails.second, calls: 60, lanes: 8 },
]

/**
 * The same work in Cairn and in Directus, on one Postgres server with the same data: a collection of `photos` photos; and in an Immich server that runs elsewhere,
 * where its address is given (`immichServer`). Milliseconds per call (of several at a time: of all together, divided by their number), as medians of rounds in which
 * the programs take turns, with the fastest and slowest round.
 */
export async function measurePeers(stack: Stack, photos: number): Promise<Figure[]> {
  if (!(photos >= LISTED)) throw new Error(`At least ${LISTED} photos are needed, as in --peers=${LISTED}`)
  const load = loadavg()
  const immich = immichServer(process.env)
  const ada = new Client(stack.origin)
  const { user } = await answered(ada.post('/api/auth/sign-up', { email: 'ada@example.org', password: 'correct horse battery' }), 201)
  const { collection } = await answered(ada.post('/api/collections', { name: 'Peers' }), 201)
  const directus = await startDirectus(stack)
  try {
    const idle = await memory('without work', directus.pid)
    await fill(stack, { userId: user.id, collectionId: collection.id }, directus, photos)
    const picture = await readPicture()
    const programs: Program[] = [
      { name: 'Cairn', peer: await cairnPeer(ada, collection.id, picture) },
      { name: DIRECTUS, peer: await directusPeer(directus.client, picture) },
      ...(immich ? [await immichPeer(immich, picture)] : []),
    ]
    const sizes = await compareFacts(programs, photos)
    const took = await takeTurns(programs)
    return [
      ...TASKS.map((task, at) => figureOf(task, programs, took[at] ?? [])),
      ...sizes,
      idle,
      await memory('after all of this', directus.pid),
      {
        what: `load of the machine, 1 and 15 minutes, at the start and at the end, ${DIRECTUS}`,
        value: `${loads(load)}; ${loads(loadavg())}`,
      },
    ]
  } finally {
    await directus.stop()
  }
}

interface Program {
  name: string
  peer: Peer
}

/** The two with the same data must have counted the same photos, or they would not do the same work. */
async function compareFacts(programs: readonly Program[], photos: number): Promise<Figure[]> {
  const facts = await Promise.all(programs.map(async ({ name, peer }) => ({ name, ...(await peer.facts()) })))
  const wrong = facts.slice(0, 2).find((fact) => fact.photos !== photos)
  if (wrong) throw new Error(`${wrong.name} counts ${wrong.photos} photos instead of ${photos}`)
  const kib = (bytes: number) => `${Math.round(bytes / 1024)} KiB`
  return facts.map(({ name, photos, list, compact }) => ({
    what: `${name}: photos; size of the list, and in its most compact form`,
    value: `${photos}; ${kib(list)}, ${kib(compact)}`,
  }))
}

/** Milliseconds per call of each task, each program and each round. The first round warms up and does not count. */
async function takeTurns(programs: readonly Program[]): Promise<number[][][]> {
  const took: number[][][] = TASKS.map(() => programs.map(() => []))
  const until = performance.now() + ENDS_AFTER
  for (let round = 0; round <= ROUNDS; round++) {
    const pause = sleep(ROUND)
    for (const [at, task] of TASKS.entries()) {
      // Each begins in turn.
      for (let turn = 0; turn < programs.length; turn++) {
        const nth = (round + turn) % programs.length
        if (performance.now() > until) throw new Error(`More than ${ENDS_AFTER / 60_000} minutes have passed in round ${round}`)
        const { peer } = programs[nth] as Program
        const time = await perCall(task, peer, round)
        await peer.rest?.()
        if (round > 0 && time !== null) took[at]?.[nth]?.push(time)
      }
    }
    await pause
    console.error(`round ${round} of ${ROUNDS}`)
  }
  return took
}

/** Null if the program lacks it. */
async function perCall({ call, calls, lanes = 1, afterEdit = false }: Task, peer: Peer, round: number): Promise<number | null> {
  const runs = Array.from({ length: calls }, (_, n) => round * calls + n).values()
  const work = call(peer)
  if (!work) return null
  let uncounted = 0
  const begin = performance.now()
  const lane = async () => {
    for (const run of runs) {
      const before = performance.now()
      if (afterEdit) await peer.edit(run)
      if (afterEdit) await peer.rest?.()
      uncounted += performance.now() - before
      await work(run)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return (performance.now() - begin - uncounted) / calls
}

function figureOf({ what }: Task, programs: readonly Program[], took: number[][]): Figure {
  const [ours = []] = took
  const value = took.map((times, nth) => {
    if (times.length === 0) return '–'
    const median = percentile(times, 0.5)
    const ratio = nth > 0 ? ` (ratio ${(percentile(ours, 0.5) / median).toFixed(2)})` : ''
    return `${median.toFixed(1)} (${Math.min(...times).toFixed(1)}–${Math.max(...times).toFixed(1)})${ratio}`
  })
  return { what: `${what}, ms: ${programs.map(({ name }) => name).join(' / ')}`, value: value.join(' / ') }
}

/** Of Cairn the runtime that holds the worker, and of this process, which stands for the rest of Cloudflare and Neon and is the client too. */
async function memory(when: string, directusPid: number): Promise<Figure> {
  const sizes = await Promise.all([runtimeMemory(), residentOf(process.pid), residentOf(directusPid)])
  const [runtime, own, directus] = sizes.map((size) => `${Math.round(size / 2 ** 20)} MiB`)
  return {
    what: `memory ${when}: workerd, and the process of this benchmark / Directus (both without Postgres)`,
    value: `${runtime}, ${own} / ${directus}`,
  }
}

const loads = ([one, , fifteen]: number[]) => `${one?.toFixed(1)} and ${fifteen?.toFixed(1)}`
