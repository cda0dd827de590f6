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
      { timeout: 20_000 },
    )
    .toEqual(['thumb', 'preview'])
  return asset()
}
