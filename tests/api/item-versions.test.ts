import { expect, test } from 'vitest'
import { assetRow } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

/** Columns that say nothing of the item, or belong to the version itself. */
const OTHERS = ['id', 'version', 'file_version', 'updated_at', 'metadata_read', 'content_id']
const BOTH: Record<string, string> = {
  user_id: `user_id = (select id from users where id <> i.user_id limit 1)`,
  date: `date = '2020-01-01', date_precision = 'day'`,
  date_precision: `date_precision = 'year'`,
  date_zone: `date_zone = 'Europe/Vienna'`,
  lat: `lat = 1, lon = 2`,
  lon: `lon = 3`,
  place_name: `place_name = 'Here'`,
  place_hidden: `place_hidden = true`,
  placed_by_other: `placed_by_other = true`,
  original_author: `original_author = 'Someone'`,
  created_at: `created_at = created_at - interval '1 day'`,
  deleted_at: `deleted_at = now()`,
}
const CHANGES: Record<'posts' | 'assets', Record<string, string>> = {
  posts: {
    ...BOTH,
    ...{ title: `title = 'Other'`, body: `body = '<p>Other</p>'`, kind: `kind = 'other'` },
    ...{ type: `type = 'event'`, ends_at: `ends_at = '2020-01-02'` },
  },
  assets: {
    ...BOTH,
    ...{ status: `status = 'uploading'`, name: `name = 'b'`, type: `type = 'image/png'`, size: `size = size + 1`, alt: `alt = 'Other'` },
    ...{
      checksum: `checksum = repeat('0', 64)`,
      copy: `copy = copy + 1`,
      width: `width = 7`,
      height: `height = 8`,
      duration: `duration = 9`,
    },
    ...{ thumbhash: `thumbhash = 'other'`, renditions: `renditions = '{"thumb":"image/png"}'` },
  },
}

const post = async (w: World): Promise<string> =>
  (await w.as('ada').post('/api/post', { type: 'note', title: 'T', collectionIds: [w.collection.id] })).body.post.id

test.each(['posts', 'assets'] as const)('Each column of %s raises the version of its row, once, if it changes', async (table) => {
  const w = await world({ bob: 'write' })
  const id = table === 'posts' ? await post(w) : await assetRow(w, 'ada', [w.collection.id])
  const columns = await w.sql`select attname from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`
  expect(Object.keys(CHANGES[table]).toSorted()).toEqual(
    columns
      .map(({ attname }) => attname)
      .filter((name) => !OTHERS.includes(name))
      .toSorted(),
  )
  const version = async () => (await w.sql.query(`select version from ${table} where id = $1`, [id]))[0]?.version
  const same = columns.map(({ attname }) => `${attname} = i.${attname}`).join(', ')
  for (const [column, change] of Object.entries(CHANGES[table])) {
    const before = await version()
    await w.sql.query(`update ${table} i set ${change} where id = $1`, [id])
    expect(await version(), column).toBe(before + 1)
    await w.sql.query(`update ${table} i set ${same} where id = $1`, [id])
    expect(await version(), column).toBe(before + 1)
  }
})

test('An asset has a SHA-256 in lower-case hex', async () => {
  const w = await world()
  const id = await assetRow(w, 'ada')
  const set = (checksum: string) => w.sql`update assets set checksum = ${checksum} where id = ${id}`
  for (const wrong of ['', 'a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), `${'a'.repeat(63)}\n`, `${'a'.repeat(64)}\n`, 'g'.repeat(64)]) {
    await expect(set(wrong)).rejects.toThrow('assets_checksum')
  }
  await set('0123456789abcdef'.repeat(4))
})
