import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import { explainedConnection, type Plan, rowsRead, type Step } from '../support/plans.ts'
import { world } from '../support/world.ts'

/** Rows that one write moves. */
const MANY = 2_000
/** A step of a plan may read this many rows per moved row; work that grows with the square would read 2,000. */
const EACH = 20

let db: pg.Client
let plansTaken: () => Plan[]
const ids = { ada: '', collection: '', person: newId() }
const mine = (table: 'posts' | 'assets') => `(select id from ${table} where user_id = '${ids.ada}')`

beforeAll(async () => {
  const w = await world()
  Object.assign(ids, { ada: w.as('ada').id, collection: w.collection.id })
  ;({ db, plansTaken } = await explainedConnection(inject('stack').postgresUrl))
  await db.query(`insert into people (id, collection_id, name) values ($1, $2, 'P')`, [ids.person, ids.collection])
  // A connection runs many small writes before a large one, and keeps their plans.
  for (let round = 0; round < 7; round++) await writeAll(1)
}, 120_000)
afterAll(() => db?.end())

/** Steps planned since the last call, with the rows that each read. */
function stepsTaken(): { what: string; rows: number }[] {
  const walk = (step: Step, query: string): { what: string; rows: number }[] => {
    return [
      { what: `${step['Node Type']} of ${query}`, rows: rowsRead(step) },
      ...(step.Plans ?? []).flatMap((inner) => walk(inner, query)),
    ]
  }
  return plansTaken().flatMap(({ statement, text }) =>
    // The plans of this file's own writes say nothing about the triggers.
    statement.startsWith('insert into post_assets (post_id, asset_id, position) select')
      ? []
      : walk(JSON.parse(text).Plan, statement.slice(0, 200)),
  )
}

/** Every operation that moves many rows at once, in one transaction: sharing, tagging, moving, trashing and restoring an album. */
async function writeAll(count: number): Promise<void> {
  const { ada, collection, person } = ids
  await db.query('begin')
  for (const kind of ['post', 'asset'] as const) {
    const table = `${kind}s` as const
    const columns = kind === 'post' ? 'type, title' : 'status, name, type, size, checksum'
    const values =
      kind === 'post' ? `'note', 'T'` : `'ready', 'a', 'image/jpeg', 1, encode(sha256((gen_random_uuid()::text)::bytea), 'hex')`
    await db.query(
      `insert into ${table} (id, user_id, ${columns}) select gen_random_uuid(), '${ada}', ${values} from generate_series(1, ${count})`,
    )
    await db.query(
      `insert into ${kind}_collections (collection_id, ${kind}_id, user_id) select '${collection}', id, '${ada}' from ${mine(table)} i`,
    )
  }
  await db.query(`insert into post_assets (post_id, asset_id, position) select p.id, a.id, 1
    from (select id, row_number() over () as n from ${mine('posts')} i) p join (select id, row_number() over () as n from ${mine('assets')} i) a using (n)`)
  await db.query('commit')
  for (const kind of ['post', 'asset'] as const) {
    const table = `${kind}s` as const
    await db.query(`insert into ${kind}_people (${kind}_id, person_id) select id, '${person}' from ${mine(table)} i`)
    await db.query(`update ${table} set date = now(), date_precision = 'minute', date_zone = 'Europe/Vienna' where user_id = '${ada}'`)
    await db.query(`update ${table} set deleted_at = now() where user_id = '${ada}'`)
    await db.query(`update ${table} set deleted_at = null where user_id = '${ada}'`)
    await db.query(`delete from ${kind}_people where person_id = '${person}'`)
    await db.query(`delete from ${kind}_collections where collection_id = '${collection}'`)
  }
  await db.query(`delete from posts where user_id = '${ada}'`)
  await db.query(`delete from assets where user_id = '${ada}'`)
}

test('The triggers’ work grows in proportion to the rows of a write', async () => {
  stepsTaken()
  await writeAll(MANY)
  const steps = stepsTaken()
  expect(steps.filter(({ what }) => what.includes('record_rows')).length).toBeGreaterThan(10)
  expect(steps.filter(({ rows }) => rows > MANY * EACH)).toEqual([])
}, 120_000)
