import { Client } from '../../dev/http-client.ts'
import type { Stack } from '../../dev/stack.ts'
import { type Figure, p50p95, timed } from './figures.ts'
import { measureThumbnails } from './thumbnails.ts'
import { measureUploads } from './uploads.ts'

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
    ...uploads,
    { what: 'GET /api/asset, 1,000 of one collection, p50 / p95', value: p50p95(list.slice(10)) },
    { what: 'POST /api/post, p50 / p95', value: p50p95(posts.slice(20)) },
    ...(await measureThumbnails(stack, ada, me.body.user.id)),
  ]
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
