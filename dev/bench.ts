import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir, totalmem } from 'node:os'
import path from 'node:path'
import { measureApi } from '../tests/load/api.ts'
import { measureClient } from '../tests/load/client.ts'
import type { Figure } from '../tests/load/figures.ts'
import { measureFirstLoad } from '../tests/load/first-load.ts'
import { measureGuests } from '../tests/load/guests.ts'
import { measureLargeFiles } from '../tests/load/large-files.ts'
import { measureLighthouse, measureLink } from '../tests/load/lighthouse.ts'
import { measureLive } from '../tests/load/live.ts'
import { measureMap } from '../tests/load/map.ts'
import { measurePeers } from '../tests/load/peers.ts'
import { measurePhotos } from '../tests/load/photos.ts'
import { measureBulkAlone, measureScale } from '../tests/load/scale.ts'
import { measureSimilar } from '../tests/load/similar.ts'
import { measureStart } from '../tests/load/start.ts'
import { measureWorld } from '../tests/load/world.ts'
import { buildWeb } from './build-web.ts'
import { buildWorker } from './build-worker.ts'
import { type Stack, startStack } from './stack.ts'
import { PROJECT } from './state-folder.ts'

interface Bench {
  /** Items in the collection, or runs. 0 where it cannot be chosen. */
  size: number
  measure: (stack: Stack, size: number) => Promise<Figure[]>
  /** Whether it opens pages of the app. */
  app?: true
  /** Whether it listens at the site's address itself, in front of the worker. */
  fronted?: true
}

/** `npm run bench` prints the tables of docs/benchmarks.md. Each of these options measures something else instead, such as `--scale=10000`. */
const OPTIONS: Record<string, Bench> = {
  /** Lists in a collection that grows. */
  scale: { size: 1_000_000, measure: measureScale },
  /** Bulk edits of 1,000 photos, and what Postgres does for them. */
  bulk: { size: 20_000, measure: measureBulkAlone },
  /** A large collection in the browser. */
  client: { size: 100_000, measure: measureClient, app: true },
  /** A map of many photos. */
  map: { size: 100_000, measure: measureMap, app: true },
  /** A live room that fills up to 1,000 sockets. */
  live: { size: 0, measure: measureLive },
  /** A live room of so many guests of a link, and twenty members. */
  guests: { size: 1_000, measure: measureGuests },
  /** Lighthouse on the page of a link; the median of so many runs. */
  link: { size: 5, measure: measureLink, app: true },
  /** Lighthouse on five pages; the median of so many runs. */
  lighthouse: { size: 5, measure: measureLighthouse, app: true },
  /** Everyday actions, with the delays between five cities, the worker and a database in Frankfurt. */
  world: { size: 3, measure: measureWorld, app: true, fronted: true },
  /** The files of a phone, from one browser to another. */
  photos: { size: 500, measure: measurePhotos, app: true },
  /** Memory and time that a page takes to add the largest photos and films. */
  files: { size: 0, measure: measureLargeFiles, app: true },
  /** Photos that look alike, found by their thumbhashes. */
  similar: { size: 10_000, measure: measureSimilar },
  /** The same work in Cairn, in Directus, and in Immich where IMMICH_URL and IMMICH_API_KEY are given. */
  peers: { size: 10_000, measure: measurePeers },
}
const PLAIN: Bench = {
  size: 0,
  app: true,
  measure: async (stack) => [...(await measureApi(stack)), ...(await measureFirstLoad(stack))],
}

process.chdir(PROJECT)
const option = process.argv.slice(2).find((argument) => argument !== '--bench')
const [, name = '', size] = /^--(\w+)(?:=(\d+))?$/.exec(option ?? '') ?? []
const bench = option === undefined ? PLAIN : OPTIONS[name]
if (!bench)
  throw new Error(
    `There is no bench ${option}. Choose one of ${Object.keys(OPTIONS)
      .map((known) => `--${known}`)
      .join(', ')}`,
  )
// In a folder of its own it waits for the disk and hashes passwords, as a site does.
const dir = await mkdtemp(path.join(tmpdir(), 'cairn-bench-'))
const stack = await startStack({
  dir,
  worker: buildWorker(),
  fronted: bench.fronted ?? false,
  assets: bench.app === true && buildWeb().then(({ folder }) => folder),
  vars: { RATE_LIMIT_FACTOR: '1000' },
})
const figures = await bench.measure(stack, Number(size ?? bench.size)).finally(async () => {
  await stack.stop()
  await rm(dir, { recursive: true, force: true, maxRetries: 3 })
})
if (bench === PLAIN) figures.push(...(await measureStart()))

console.log(
  `\n${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}\n`,
)
console.log('| What | Figure |\n|---|---|')
for (const { what, value } of figures) console.log(`| ${what} | ${value} |`)
process.exit(0)
