import { createMiddleware } from 'hono/factory'
import type { Publication } from '../../party/connection.ts'
import type { AppEnv } from '../context.ts'
import { connect } from '../db/client.ts'
import type { Env } from '../env.ts'
import { type Change, claimChanges, markPublished } from '../queries/changes.ts'
import { publishToRoom } from './party-host.ts'
import { publicationsOf, roomsOf } from './publications.ts'

const BATCH = 100
/** Batches per run. The rest waits for the next write or the next minute. */
const MAX_BATCHES = 10
/** Longer than a batch takes if every room is down. */
const CLAIM_SECONDS = 15
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Publishes all unpublished changes to their rooms, and returns their number. Delivery is at least once: if a publisher dies before it marks
 * changes as published, they are published again, and clients ignore revisions that they have. Changes of a room that is down stay
 * unpublished, and do not delay other rooms.
 */
export async function relayChanges(env: Env): Promise<number> {
  const db = connect(env.DATABASE_URL, env.NEON_PROXY)
  let published = 0
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const changes = await claimChanges(db, BATCH, CLAIM_SECONDS)
    const delivered = await deliver(env, changes)
    await markPublished(
      db,
      delivered.map(({ id }) => id),
    )
    published += delivered.length
    if (changes.length < BATCH) break
  }
  return published
}

/** Publishes changes after the response to a successful write, so that a failure neither affects nor delays it. */
export const afterWrite = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (SAFE.has(c.req.method) || !c.res.ok || c.req.path.startsWith('/api/live/')) return
  c.executionCtx.waitUntil(relayChanges(c.env).catch((error: unknown) => warn('The changes could not be relayed', error)))
})

/** Returns the changes that all their rooms have accepted. */
async function deliver(env: Env, changes: Change[]): Promise<Change[]> {
  const failedRooms = new Set<string>()
  const publish = async ([room, publication]: [string, Publication]) => {
    try {
      await publishToRoom(env, room, publication)
    } catch (error) {
      failedRooms.add(room)
      // Without the full name of the room, which may contain a user's id.
      warn(`A ${room.split(':')[0]} room did not take ${publication.changes.length} changes`, error)
    }
  }
  await Promise.all([...publicationsOf(changes)].map(publish))
  return changes.filter((change) => !roomsOf(change).some((room) => failedRooms.has(room)))
}

function warn(what: string, error: unknown): void {
  console.warn(JSON.stringify({ level: 'warn', what, error: error instanceof Error ? error.message : String(error) }))
}
