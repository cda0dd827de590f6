import { expect, test } from 'vitest'
import { newId } from '../../contract/ids.ts'
import type { Db } from '../../worker/db/client.ts'
import type { BulkCall } from '../../worker/queries/bulk.ts'
import { setItemLocations } from '../../worker/queries/bulk-fields.ts'
import { linkItems } from '../../worker/queries/bulk-links.ts'
import { checksOf } from '../../worker/queries/permissions.ts'
import { removeItems } from '../../worker/queries/removal.ts'
import { undoEdit } from '../../worker/queries/undo.ts'
import { type Plan, plansOf, rowsRead, type Step } from '../support/plans.ts'
import { collectionOf } from '../support/rows.ts'
import { type World, world } from '../support/world.ts'

const MANY = 1_000
/** A step of a plan may read this many rows per item; work that grows with the square would read 1,000. */
const EACH = 20
const checks = checksOf(['item.edit', 'item.link', 'item.remove'])

/** Steps that read too many rows, or sorted on disk. */
function costly({ text }: Plan): Step[] {
  const walk = ({ Plans = [], ...step }: Step): Step[] => {
    const many = rowsRead(step) > MANY * EACH
    return [...(many || step['Sort Space Type'] === 'Disk' ? [step] : []), ...Plans.flatMap(walk)]
  }
  return walk(JSON.parse(text).Plan)
}

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

async function photos({ sql, as, collection }: World): Promise<string[]> {
  const rows = await sql`with made as (
      insert into assets (id, user_id, status, name, type, size, checksum)
      select gen_random_uuid(), ${as('ada').id}, 'ready', 'a', 'image/jpeg', 1, encode(sha256(gen_random_uuid()::text::bytea), 'hex')
      from generate_series(1, ${MANY}::int) returning id)
    insert into asset_collections (collection_id, asset_id, user_id) select ${collection.id}, id, ${as('ada').id} from made returning asset_id`
  return rows.map(({ asset_id }) => asset_id)
}

test('The work of a bulk edit and of its undo grows in proportion to the items', async () => {
  const w = await world()
  const [ids, other] = [await photos(w), await collectionOf(w, 'ada')]
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
  for (const [action, write] of Object.entries(edits)) {
    const edit = call(action)
    const plans = [
      ...(await plansOf(w.sql, (db) => write(inOrder(db), edit))),
      ...(await plansOf(w.sql, (db) => undoEdit({ db: inOrder(db), user, checks }, edit.changeId))),
    ]
    expect(plans.flatMap(costly), action).toEqual([])
    expect(await w.sql`select undone_at is not null as undone from edits where id = ${edit.changeId}`).toEqual([{ undone: true }])
  }
}, 120_000)
