import { expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import type { Db } from '../../worker/db/client.ts'
import type { BulkCall } from '../../worker/queries/bulk.ts'
import { setItemLocations } from '../../worker/queries/bulk-fields.ts'
import { linkItems } from '../../worker/queries/bulk-links.ts'
import { checksOf } from '../../worker/queries/permissions.ts'
import { removeItems } from '../../worker/queries/removal.ts'
import { undoEdit } from '../../worker/queries/undo.ts'
import { settle } from '../support/many.ts'
import { type Plan, plansOf, rowsRead, type Step } from '../support/plans.ts'
import { collectionOf } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

const FEW = 500
const MANY = 1_000
/** A step of a plan may read this many rows per item, however many items there are. */
const EACH = 20
/** Beyond that, twice the items may make a step read this many times the rows per item; work that grows with the square would read twice as many. */
const GROWTH = 1.5
const checks = checksOf(['item.edit', 'item.link', 'item.remove'])

function steps({ text }: Plan): Step[] {
  const walk = ({ Plans = [], ...step }: Step): Step[] => [step, ...Plans.flatMap(walk)]
  return walk(JSON.parse(text).Plan)
}

const kindOf = (step: Step) => `${step['Node Type']} ${step['Relation Name'] ?? ''}`

/** Sends the statements of a batch one after the other: each sees the writes of those before it. */
function inOrder(db: Db): Db {
  let last: Promise<unknown> = Promise.resolve()
  const execute = (statement: Parameters<Db['execute']>[0]) => {
    const result = last.then(() => db.execute(statement))
    last = result
    return result
  }
  return { execute, batch: (all: Promise<unknown>[]) => Promise.all(all) } as unknown as Db
}

async function photos({ sql, as, collection }: World, count: number): Promise<string[]> {
  const rows = await sql`with made as (
      insert into assets (id, user_id, status, name, type, size, checksum)
      select gen_random_uuid(), ${as('ada').id}, 'ready', 'a', 'image/jpeg', 1, encode(sha256(gen_random_uuid()::text::bytea), 'hex')
      from generate_series(1, ${count}::int) returning id)
    insert into asset_collections (collection_id, asset_id, user_id) select ${collection.id}, id, ${as('ada').id} from made returning asset_id`
  return rows.map(({ asset_id }) => asset_id)
}

/** The steps of each bulk edit of so many photos, and of its undo. */
async function stepsOfEdits(count: number): Promise<Map<string, Step[]>> {
  const w = await world()
  const [ids, other] = [await photos(w, count), await collectionOf(w, 'ada')]
  // Without statistics of the new rows, which autovacuum has within a minute, Postgres plans for one row.
  await settle(w.sql)
  const user = { id: w.as('ada').id }
  const call = (action: string): BulkCall<'item.edit' | 'item.link' | 'item.remove'> => ({
    ...{ kind: 'asset', ids, userId: user.id, action, checks },
    changeId: newId(),
  })
  const edits = {
    location: (db: Db, edit: ReturnType<typeof call>) => setItemLocations(db, edit, { lat: 1, lon: 2 }),
    link: (db: Db, edit: ReturnType<typeof call>) => linkItems(db, edit, [other]),
    trash: removeItems,
  }
  const all = new Map<string, Step[]>()
  for (const [action, write] of Object.entries(edits)) {
    const edit = call(action)
    const plans = [
      ...(await plansOf(w.sql, (db) => write(inOrder(db), edit))),
      ...(await plansOf(w.sql, (db) => undoEdit({ db: inOrder(db), user, checks }, edit.changeId))),
    ]
    all.set(action, plans.flatMap(steps))
    expect(await w.sql`select undone_at is not null as undone from edits where id = ${edit.changeId}`).toEqual([{ undone: true }])
  }
  return all
}

test('The work of a bulk edit and of its undo grows in proportion to the items', async () => {
  const few = await stepsOfEdits(FEW)
  for (const [action, all] of await stepsOfEdits(MANY)) {
    // Where other tests have made few rows, Postgres reads a whole small table for each item: more than EACH, but as many for each.
    const alike = (step: Step) => (few.get(action) ?? []).filter((other) => kindOf(other) === kindOf(step))
    const most = (step: Step) => Math.max(EACH, ...alike(step).map((other) => GROWTH * (rowsRead(other) / FEW)))
    expect(
      all.filter((step) => rowsRead(step) / MANY > most(step) || step['Sort Space Type'] === 'Disk'),
      action,
    ).toEqual([])
  }
}, 120_000)
