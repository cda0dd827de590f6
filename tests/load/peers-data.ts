import pg from 'pg'
import type { Stack } from '../../dev/stack.ts'
import { settle } from '../support/many.ts'
import { answered } from './figures.ts'
import type { Directus } from './peers-directus.ts'

/** Rows for both databases: $2 photos from 20 years at a hundred places, owned by user $1. */
const PHOTOS = `
  select gen_random_uuid() as id, $1 as user_id, 'IMG_' || n || '.jpg' as name, 'image/jpeg' as type, 3000000 as size,
    encode(sha256(('peer' || n)::bytea), 'hex') as checksum, 4000 as width, 3000 as height, '1QcSHQRnh493V4dIh4eXh1h4kJUI' as thumbhash,
    timestamptz '2006-01-01' + (n::bigint * 7919 % 7300) * interval '1 day' + n * interval '1 second' as date, 'minute' as date_precision,
    48 + n % 100 / 100.0 as lat, 16 + n % 100 / 100.0 as lon, 'Place ' || n % 100 as place_name
  from generate_series(1, $2::int) n`
const COLUMNS = 'id, user_id, name, type, size, checksum, width, height, thumbhash, date, date_precision, lat, lon, place_name'

/** `count` photos in a collection of Cairn, and as many in the table `photos` of Directus, which gets a table `posts` as well. */
export async function fill(
  stack: Stack,
  cairn: { userId: string; collectionId: string },
  directus: Directus,
  count: number,
): Promise<void> {
  await stack.sql.query(
    `with made as (insert into assets (${COLUMNS}, status) select ${COLUMNS}, 'ready' from (${PHOTOS}) photos returning id)
    insert into asset_collections (collection_id, asset_id, user_id) select $3::uuid, id, $1 from made`,
    [cairn.userId, count, cairn.collectionId],
  )
  await settle(stack.sql)
  await createTables(directus)
  const database = new pg.Client({ connectionString: directus.databaseUrl })
  await database.connect()
  try {
    const columns = COLUMNS.replace('user_id', 'user_id::uuid')
    await database.query(`insert into photos (${COLUMNS}) select ${columns} from (${PHOTOS}) photos`, [directus.userId, count])
    await database.query('vacuum analyze')
  } finally {
    await database.end()
  }
}

type Field = { field: string; type: string; schema?: object; meta?: object }

/** The columns of Cairn's tables that its lists show; the date has an index there too. */
async function createTables({ client }: Directus): Promise<void> {
  const named = (type: string, names: string[]): Field[] => names.map((field) => ({ field, type, schema: {} }))
  const shared: Field[] = [
    { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: { special: ['uuid'] } },
    { field: 'user_id', type: 'uuid', schema: {}, meta: { special: ['user-created'] } },
    { field: 'date', type: 'timestamp', schema: { is_indexed: true } },
    ...named('float', ['lat', 'lon']),
    ...named('string', ['type', 'date_precision', 'place_name']),
  ]
  const photos = [
    ...named('string', ['name', 'checksum', 'thumbhash']),
    ...named('bigInteger', ['size']),
    ...named('integer', ['width', 'height']),
  ]
  const posts = [...named('string', ['title']), ...named('text', ['body'])]
  for (const [collection, own] of Object.entries({ photos, posts }))
    await answered(client.post('/collections', { collection, schema: {}, meta: {}, fields: [...shared, ...own] }))
}
