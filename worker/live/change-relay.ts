import { createMiddleware } from 'hono/factory'
import type { Publication } from '../../party/connection.ts'
import type { AppEnv } from '../context.ts'
import { connect } from '../db/client.ts'
import type { Env } from '../env.ts'
import { type Change, claimChanges, markPublished } from '../queries/changes.ts'
import { publishToRoom } from './party-host.ts'
import { publicationsOf, roomsOf } from './publications.ts'

const BATCH = 100
/** One run ends after so many; what is left waits for the next write or minute. */
const MAX_BATCHES = 10
/** Longer than a batch can take with every room down. */
const CLAIM_SECONDS = 15
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Tells the rooms about every change that nobody has been delivered of yet, and returns how many. At least once: a publisher that dies
 * between telling and marking leaves rows that are delivered again, and clients ignore revisions they have. A room that is down keeps
 * its rows in the outbox and does not hold up the others.
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

/** Publishes what a successful write has changed, after the answer: a room or the outbox in trouble neither fails nor delays it. */
export const afterWrite = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  if (SAFE.has(c.req.method) || !c.res.ok || c.req.path.startsWith('/api/live/')) return
  c.executionCtx.waitUntil(relayChanges(c.env).catch((error: unknown) => warn('The changes could not be relayed', error)))
})

/** The changes that all their rooms have taken. */
async function deliver(env: Env, changes: Change[]): Promise<Change[]> {
  const failedRooms = new Set<string>()
  const publish = async ([room, publication]: [string, Publication]) => {
    try {
      await publishToRoom(env, room, publication)
    } catch (error) {
      failedRooms.add(room)
      // The name of a room can be the id of a person.
      warn(`A ${room.split(':')[0]} room did not take ${publication.changes.length} changes`, error)
    }
  }
  await Promise.all([...publicationsOf(changes)].map(publish))
  return changes.filter((change) => !roomsOf(change).some((room) => failedRooms.has(room)))
}

function warn(what: string, error: unknown): void {
  console.warn(JSON.stringify({ level: 'warn', what, error: error instanceof Error ? error.message : String(error) }))
}
