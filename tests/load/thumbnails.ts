import { randomBytes } from 'node:crypto'
import type { Client } from '../../dev/http-client.ts'
import type { Stack } from '../../dev/stack.ts'
import { answered, type Figure, p50p95 } from './figures.ts'

/** Thumbnails on a large screen. */
const SCREEN = 60
const SCREENS = 5
/** Bytes of a thumbnail of 512 pixels as WebP. */
const SIZE = 30 * 1024

/**
 * Thumbnails as pages ask for them: from the newest on, each once. Says how many of the requests read the database as well, because a round trip
 * to a database elsewhere takes longer than to one on this machine.
 */
export async function measureThumbnails(stack: Stack, ada: Client, userId: string): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const lanes of [1, 8, SCREEN]) {
    const paths = await newPhotos(stack, ada, userId)
    const { requests } = stack.neon.served
    const first = await timedInLanes(ada, paths.values(), lanes)
    const trips = (stack.neon.served.requests - requests) / SCREENS
    const again = await timedInLanes(ada, paths.values(), lanes)
    const what = `thumbnails, ${lanes} at a time, p50 / p95`
    figures.push(
      { what: `${what}; round trips per screen of ${SCREEN}`, value: `${p50p95(first)}; ${trips.toFixed(1)}` },
      { what: `${what}, asked for again within 10 s`, value: p50p95(again) },
    )
  }
  return figures
}

/** Milliseconds of each request. */
async function timedInLanes(ada: Client, paths: IterableIterator<string>, lanes: number): Promise<number[]> {
  const took: number[] = []
  const lane = async () => {
    for (const path of paths) {
      const begin = performance.now()
      await answered(ada.get(path))
      took.push(performance.now() - begin)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return took
}

/** A new collection of photos with thumbnails, inserted straight into the database and storage. Returns the addresses of the thumbnails, newest first. */
async function newPhotos(stack: Stack, ada: Client, userId: string): Promise<string[]> {
  const { collection } = await answered(ada.post('/api/collections', { name: 'Thumbnails' }), 201)
  const made = await stack.sql`
    with made as (
      insert into assets (id, user_id, status, name, type, size, checksum, renditions, date, date_zone, date_precision)
      select gen_random_uuid(), ${userId}, 'ready', n || '.jpg', 'image/jpeg', 200000,
        encode(sha256((gen_random_uuid())::text::bytea), 'hex'), '{"thumb": "image/webp"}', now() - n * interval '1 hour', 'Europe/Vienna', 'minute'
      from generate_series(1, ${SCREEN * SCREENS}::int) n
      returning id, date, version
    ),
    linked as (insert into asset_collections (collection_id, asset_id, user_id) select ${collection.id}, id, ${userId} from made)
    select id, version from made order by date desc`
  await stack.sql`analyze`
  const bucket = await stack.bucket()
  for (const { id } of made) await bucket.put(`assets/${id}/thumb`, randomBytes(SIZE))
  return made.map(({ id, version }) => `/api/asset/${id}/renditions/thumb?v=${version}`)
}
