import { expect } from 'vitest'
import type { Asset } from '../../contract/assets.ts'
import { runMinutesTask } from './storage.ts'
import type { Actor, World } from './world.ts'

/** Runs the minute's task for an asset that came without renditions, until they are made. Returns the asset with them. */
export async function makeRenditions(w: World, who: Actor, id: string): Promise<Asset> {
  const asset = async () => (await who.get(`/api/asset/${id}`)).body.asset as Asset
  await expect
    .poll(
      async () => {
        // Ahead of all others.
        await w.sql`update missing_renditions set due_at = '-infinity' where asset_id = ${id}`
        await runMinutesTask()
        return (await asset()).renditions
      },
      { timeout: 60_000 },
    )
    .toEqual(['thumb', 'preview'])
  return asset()
}

/** Runs the minute's task until this photo or film was read or passed over. */
export async function readByServer(w: World, id: string): Promise<void> {
  // Ahead of all others, without triggers, which would see an edit.
  await w.sql.transaction([
    w.sql.query('set local session_replication_role = replica'),
    w.sql.query("update assets set created_at = '-infinity' where id = $1", [id]),
  ])
  await expect
    .poll(
      async () => {
        await w.sql`update missing_renditions set due_at = '-infinity' where asset_id = ${id}`
        await runMinutesTask()
        const [row] = await w.sql`select metadata_read from assets where id = ${id}`
        return row?.metadata_read
      },
      { timeout: 60_000 },
    )
    .not.toBeNull()
  // A run for another test may have claimed it, and still be at it.
  await runMinutesTask()
}
