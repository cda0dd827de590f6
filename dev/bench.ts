import { cpus, totalmem } from 'node:os'
import { measureApi } from '../tests/load/api.ts'
import { measureClient } from '../tests/load/client.ts'
import type { Figure } from '../tests/load/figures.ts'
import { measureFirstLoad } from '../tests/load/first-load.ts'
import { measureLighthouse } from '../tests/load/lighthouse.ts'
import { measureLive } from '../tests/load/live.ts'
import { measureMap } from '../tests/load/map.ts'
import { measurePeers } from '../tests/load/peers.ts'
import { measureScale } from '../tests/load/scale.ts'
import { measureStart } from '../tests/load/start.ts'
import { buildWeb } from './build-web.ts'
import { buildWorker } from './build-worker.ts'
import { startStack } from './stack.ts'
import { PROJECT } from './state-folder.ts'

/**
 * `npm run bench` prints the tables of docs/benchmarks.md. Options measure other things instead: `--scale` lists in a collection that grows
 * to a million items (or `--scale=10000`), `--client` 100,000 items in the browser (or `--client=10000`), `--map` a map of 100,000 photos
 * (or `--map=10000`), `--live` a live room that fills up to 1,000 sockets, `--lighthouse` Lighthouse on three pages, as the median of 5
 * runs (or `--lighthouse=3`), `--peers` the same work in Cairn and in Directus, with 10,000 photos (or `--peers=100000`).
 */
process.chdir(PROJECT)
const scale = process.argv.find((argument) => /^--scale(=\d+)?$/.test(argument))
const client = process.argv.find((argument) => /^--client(=\d+)?$/.test(argument))
const map = process.argv.find((argument) => /^--map(=\d+)?$/.test(argument))
const live = process.argv.includes('--live')
const lighthouse = process.argv.find((argument) => /^--lighthouse(=\d+)?$/.test(argument))
const peers = process.argv.find((argument) => /^--peers(=\d+)?$/.test(argument))
const figures: Figure[] = []
const stack = await startStack({
  worker: buildWorker(),
  assets: scale === undefined && peers === undefined && !live && buildWeb().then(({ folder }) => folder),
  vars: { RATE_LIMIT_FACTOR: '1000' },
})
try {
  if (scale !== undefined) figures.push(...(await measureScale(stack, Number(scale.split('=')[1] ?? 1_000_000))))
  else if (client !== undefined) figures.push(...(await measureClient(stack, Number(client.split('=')[1] ?? 100_000))))
  else if (map !== undefined) figures.push(...(await measureMap(stack, Number(map.split('=')[1] ?? 100_000))))
  else if (live) figures.push(...(await measureLive(stack)))
  else if (lighthouse !== undefined) figures.push(...(await measureLighthouse(stack, Number(lighthouse.split('=')[1] ?? 5))))
  else if (peers !== undefined) figures.push(...(await measurePeers(stack, Number(peers.split('=')[1] ?? 10_000))))
  else figures.push(...(await measureApi(stack)), ...(await measureFirstLoad(stack)))
} finally {
  await stack.stop()
}
if (scale === undefined && client === undefined && map === undefined && lighthouse === undefined && peers === undefined && !live)
  figures.push(...(await measureStart()))

console.log(
  `\n${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}\n`,
)
console.log('| What | Figure |\n|---|---|')
for (const { what, value } of figures) console.log(`| ${what} | ${value} |`)
process.exit(0)
