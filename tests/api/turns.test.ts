import { beforeEach, describe, expect, inject, test } from 'vitest'
import { connect } from '../../worker/db/client.ts'
import { claimMissingRenditions } from '../../worker/queries/images.ts'
import { claimUnread } from '../../worker/queries/metadata.ts'
import { jpegLike, upload } from '../support/files.ts'
import { grow } from '../support/many.ts'
import { type World, world } from '../support/world.ts'

// The minute's task takes what waits of the whole site, so nothing runs beside this.

describe('Of many photos of one author and one of another, the minute’s task takes that one at once', () => {
  const db = connect(inject('stack').databaseUrl)
  let w: World
  let ada: string
  let bobs: string
  beforeEach(async () => {
    w = await world({ bob: 'write' })
    ada = w.as('ada').id
    bobs = (await upload(w.as('bob'), jpegLike(), { collectionIds: [w.collection.id] })).id
    await grow(w.sql, { collectionId: w.collection.id, userId: ada, from: 0, to: 120 })
  })

  test('to make its renditions', async () => {
    await w.sql`insert into missing_renditions (asset_id, due_at) select id, '-infinity' from assets where user_id = ${ada}`
    await w.sql`insert into missing_renditions (asset_id, due_at) values (${bobs}, '1990-01-01')
      on conflict (asset_id) do update set due_at = excluded.due_at, attempts = 0`
    await claimMissingRenditions(db)
    expect(await w.sql`select attempts::int from missing_renditions where asset_id = ${bobs}`).toEqual([{ attempts: 1 }])
    await w.sql`delete from missing_renditions where asset_id in (select id from assets where user_id = ${ada})`
  })

  test('to read its date and place', async () => {
    await w.sql`delete from missing_renditions where asset_id = ${bobs}`
    await w.sql.transaction([
      w.sql.query('set local session_replication_role = replica'),
      w.sql.query(`update assets set metadata_read = null, version = 2, file_version = 2, created_at = '-infinity' where user_id = $1`, [
        ada,
      ]),
      w.sql.query(`update assets set metadata_read = null, version = 2, file_version = 2, created_at = '1990-01-01' where id = $1`, [bobs]),
    ])
    await claimUnread(db)
    expect(await w.sql`select metadata_read from assets where id = ${bobs}`).toEqual([{ metadata_read: 1 }])
    await w.sql`update assets set metadata_read = 1 where user_id = ${ada}`
  })
})
