import { createHash, randomBytes } from 'node:crypto'
import { newId } from '../../contract/ids.ts'
import { Client } from '../../dev/http-client.ts'
import type { Stack } from '../../dev/stack.ts'
import { type Figure, p50p95, timed } from './figures.ts'
import { measureThumbnails } from './thumbnails.ts'

const UPLOADS = 150
const LANES = 3
const LISTED = 1_000

/** Uploads, a list of 1,000 assets, new posts and thumbnails, through the real worker over HTTP. */
export async function measureApi(stack: Stack): Promise<Figure[]> {
  const ada = new Client(stack.origin)
  const me = await ada.post('/api/auth/sign-up', { email: 'ada@example.org', password: 'correct horse battery' })
  const { body } = await ada.post('/api/collections', { name: 'Load' })
  const collectionId: string = body.collection.id

  const uploads = await measureUploads(ada, collectionId)
  const listing = await newCollectionOf(stack, ada, me.body.user.id)
  const list = await timed(60, async () => expect(200, await ada.get(`/api/asset?collection_id=${listing}&limit=${LISTED}`)))
  const posts = await timed(200, async () =>
    expect(201, await ada.post('/api/post', { type: 'note', title: 'Load', body: '<p>Words</p>', collectionIds: [collectionId] })),
  )
  return [
    { what: `uploads of 200 KB JPEGs, ${LANES} at a time (begin, part, complete)`, value: `${uploads.toFixed(1)} per second` },
    { what: 'GET /api/asset, 1,000 of one collection, p50 / p95', value: p50p95(list.slice(10)) },
    { what: 'POST /api/post, p50 / p95', value: p50p95(posts.slice(20)) },
    ...(await measureThumbnails(stack, ada, me.body.user.id)),
  ]
}

async function measureUploads(ada: Client, collectionId: string): Promise<number> {
  const files = Array.from({ length: UPLOADS }, jpeg).values()
  const begin = performance.now()
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (const bytes of files) await upload(ada, collectionId, bytes)
    }),
  )
  return UPLOADS / ((performance.now() - begin) / 1000)
}

/** 200 KB with the first and last bytes of a JPEG; they are never decoded. */
function jpeg(): Uint8Array {
  const bytes = randomBytes(200 * 1024)
  bytes.set([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46, 0x00], 0)
  bytes.set([0xff, 0xd9], bytes.length - 2)
  return bytes
}

async function upload(ada: Client, collectionId: string, bytes: Uint8Array): Promise<void> {
  const checksum = createHash('sha256').update(bytes).digest('hex')
  const id = newId()
  const asset = { id, name: `${id}.jpg`, type: 'image/jpeg', size: bytes.length, checksum, collectionIds: [collectionId] }
  expect(201, await ada.post('/api/asset', asset))
  expect(200, await ada.put(`/api/asset/${id}/parts/1`, bytes))
  expect(200, await ada.post(`/api/asset/${id}/complete`))
}

/** A collection of ready assets, inserted straight into the database: only listing them is measured. */
async function newCollectionOf(stack: Stack, ada: Client, userId: string): Promise<string> {
  const { body } = await ada.post('/api/collections', { name: 'Many' })
  const collectionId: string = body.collection.id
  await stack.sql`
    with made as (
      insert into assets (id, user_id, status, name, type, size, checksum, width, height, date, date_zone, date_precision, lat, lon)
      select gen_random_uuid(), ${userId}, 'ready', 'photo-' || n || '.jpg', 'image/jpeg', 200000,
        encode(sha256(('many' || n)::bytea), 'hex'), 4000, 3000, now() - n * interval '1 hour', 'Europe/Vienna', 'minute', 48.2, 16.4
      from generate_series(1, ${LISTED + 500}::int) n
      returning id
    )
    insert into asset_collections (collection_id, asset_id, user_id) select ${collectionId}, id, ${userId} from made`
  await stack.sql`analyze`
  return collectionId
}

function expect(status: number, answer: { status: number; body: unknown }): void {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`)
}
