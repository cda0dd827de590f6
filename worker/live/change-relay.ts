import { createMiddleware } from 'hono/factory'
import type { Publication } from '../../party/connection.ts'
import type { AppEnv } from '../context.ts'
import { connect, type Db } from '../db/client.ts'
import type { Env } from '../env.ts'
import { warn } from '../http/errors.ts'
import { type Change, listUnpublished, markPublished } from '../queries/changes.ts'
import { publishToRoom } from './party-host.ts'
import { publicationsOf, roomsOf } from './publications.ts'

const BATCH = 100
/** Batches per run. The rest waits for the next minute. */
const MAX_BATCHES = 10

/** Publishes the changes that a request has made after its answer, so that a failure neither affects nor delays it. */
export const afterWrite = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const {
    env,
    var: { written },
  } = c
  if (written.length > 0) c.executionCtx.waitUntil(publishWritten(env, written))
})

/** Publishes changes that have just been written. */
export async function publishWritten(env: Env, written: Change[]): Promise<void> {
  await publish(connect(env.DATABASE_URL, env.NEON_PROXY), env, written).catch(warnUnmarked)
}

/**
 * Publishes the changes that are not marked as published, because their request died or a room was down, and returns their number. Delivery is
 * at least once: a change that a request is just publishing, or cannot mark, is published again, and clients ignore revisions that they have.
 */
export async function relayChanges(env: Env): Promise<number> {
  const db = connect(env.DATABASE_URL, env.NEON_PROXY)
  let [published, after] = [0, 0]
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const changes = await listUnpublished(db, after, BATCH)
    published += await publish(db, env, changes)
    after = changes.at(-1)?.id ?? after
    if (changes.length < BATCH) break
  }
  return published
}

/** Marks the changes that all their rooms have accepted, and returns their number. */
async function publish(db: Db, env: Env, changes: Change[]): Promise<number> {
  const delivered = await deliver(env, changes)
  await markPublished(
    db,
    delivered.map(({ id }) => id),
  )
  return delivered.length
}

const warnUnmarked = (error: unknown) => warn('Published changes could not be marked', error)

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
