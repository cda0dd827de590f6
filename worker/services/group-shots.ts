import { newId } from '../../contract/ids.ts'
import { kindOf } from '../../contract/parts.ts'
import { burstsOf, partsWith } from '../../contract/shots.ts'
import { connect, type Db } from '../db/client.ts'
import type { Env } from '../env.ts'
import { AppError } from '../http/errors.ts'
import { relayChanges } from '../live/change-relay.ts'
import {
  type Candidates,
  claimUnsought,
  findCandidates,
  insertShots,
  type NewShot,
  recordContentIds,
  type UnsoughtLink,
  unclaimSought,
} from '../queries/shots.ts'
import { readContentId } from './read-metadata.ts'

/**
 * Shows the files of one shot as one item where no browser has done so: those that came through the API, and those that were here before browsers
 * did. By the same rules (contract/shots.ts), except that nothing is known of a film but what came with it.
 */
export async function groupShots(env: Env): Promise<void> {
  const db = connect(env.DATABASE_URL, env.NEON_PROXY)
  const links = await claimUnsought(db)
  if (links.length === 0) return
  try {
    await readContentIds(env, db, links)
  } catch (error) {
    // If the storage does not answer, all of them wait for the next run.
    if (error instanceof AppError) await unclaimSought(db, links)
    throw error
  }
  const shots = shotsOf(await findCandidates(db, links))
  if (shots.length > 0 && (await insertShots(db, shots)) > 0) await relayChanges(env)
}

async function readContentIds(env: Env, db: Db, links: readonly UnsoughtLink[]): Promise<void> {
  const found = new Map<string, string>()
  const unread = new Set(links.flatMap((link) => (link.unread ? link.id : [])))
  for (const id of unread) {
    const contentId = await readContentId(env.FILES, id)
    if (contentId !== null) found.set(id, contentId)
  }
  if (found.size > 0) await recordContentIds(db, found)
}

/** Each asset is in at most one of them in each collection: the rest is found once the others are grouped. */
function shotsOf(candidates: readonly Candidates[]): NewShot[] {
  const taken = new Set<string>()
  return candidates.flatMap(({ collectionId, shot, others }): NewShot[] => {
    const parts = partsWith(shot, others) ?? burstsOf([shot], others)[0]
    if (!parts || parts.assetIds.some((id) => taken.has(`${collectionId} ${id}`))) return []
    for (const id of parts.assetIds) taken.add(`${collectionId} ${id}`)
    const members = [shot, ...others].filter(({ id }) => parts.assetIds.includes(id))
    return [{ ...parts, id: newId(), collectionId, kind: kindOf(members) }]
  })
}
