import { newId } from '../../contract/ids.ts'
import { isFilm, isRaw, kindOf, type Part } from '../../contract/parts.ts'
import { partsWith } from '../../contract/shots.ts'
import { connect, type Db } from '../db/client.ts'
import type { Env } from '../env.ts'
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

/** Shows the files of one shot as one item (contract/shots.ts): those of this asset, or of all that nobody has looked at, some at a time. */
export async function groupShots(env: Env, assetId?: string): Promise<void> {
  const db = connect(env.DATABASE_URL, env.NEON_PROXY)
  const links = await claimUnsought(db, assetId)
  if (links.length === 0) return
  try {
    await readContentIds(env, db, links)
    const shots = shotsOf(await findCandidates(db, links))
    if (shots.length > 0 && (await insertShots(db, shots)) > 0) await relayChanges(env)
  } catch (error) {
    // Without storage or database, all of them wait for the next run.
    await unclaimSought(db, links)
    throw error
  }
}

/** Whether a file that has arrived is likely to be one of several of its shot, so that its group need not wait for the minute's task. */
export const hasSiblings = (part: Part) => Boolean(part.content_id) || isFilm(part) || isRaw(part)

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
    const parts = partsWith(shot, others)
    if (!parts || parts.assetIds.some((id) => taken.has(`${collectionId} ${id}`))) return []
    for (const id of parts.assetIds) taken.add(`${collectionId} ${id}`)
    const members = [shot, ...others].filter(({ id }) => parts.assetIds.includes(id))
    return [{ ...parts, id: newId(), collectionId, kind: kindOf(members) }]
  })
}
