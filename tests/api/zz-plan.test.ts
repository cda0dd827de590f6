import { sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { memberAssetJson } from '../../worker/queries/asset-shape.ts'
import { guestOf } from '../support/guests.ts'
import { worldWith } from '../support/world.ts'

test('plan', async () => {
  const w = await worldWith(600)
  for (const link of [
    {},
    { kind: 'filter', filters: { contentTypes: ['photo'], postTypes: [], eventTypes: [], noteTypes: [], people: [] } },
  ]) {
    const guest = await guestOf(w.as('ada'), w.collection.id, link as object)
    for (let n = 0; n < 3; n++) {
      const t = performance.now()
      const r = await guest.get(`/api/asset?collection_id=${w.collection.id}`)
      const t2 = performance.now()
      const m = await w.as('ada').get(`/api/asset?collection_id=${w.collection.id}`)
      console.log(
        'guest',
        r.status,
        r.body.assets.length,
        Math.round(t2 - t),
        'member',
        m.body.assets.length,
        Math.round(performance.now() - t2),
      )
    }
    const [row] = await w.sql`select access from guests where id = ${guest.guest.id}`
    const q = new PgDialect().sqlToQuery(
      sql`explain analyze select ${memberAssetJson('guest:x')} from asset_collections l join assets i on i.id = l.asset_id where l.collection_id = ${w.collection.id} order by l.sort_at limit 300`,
    )
    const [, plan] = await w.sql.transaction([w.sql`select check_access(${row?.access})`, w.sql.query(q.sql, q.params)])
    console.log(
      (plan as any)
        .map((r: any) => r['QUERY PLAN'])
        .join('\n')
        .slice(0, 6000),
    )
    console.log(
      (plan as any)
        .map((r: any) => r['QUERY PLAN'])
        .slice(-12)
        .join('\n'),
    )
  }
  expect(1).toBe(1)
}, 100000)
