import { connect, type Db } from '../db/client.ts'
import type { Env } from '../env.ts'
import { describe } from '../http/errors.ts'
import { relayChanges } from '../live/change-relay.ts'
import { originalKey, removeAvatars, removeFiles } from '../media/storage.ts'
import { abortMultipart } from '../media/uploads.ts'
import { deleteOldSessions } from '../queries/access.ts'
import { clearAvatarOfDeleted, listAvatarsOfDeleted } from '../queries/accounts.ts'
import { deleteStaleFilms } from '../queries/films.ts'
import { deleteOldMailedLinks } from '../queries/mailed-links.ts'
import { deleteExpiredWindows } from '../queries/rate-limits.ts'
import { deleteOldRefreshes } from '../queries/refreshes.ts'
import {
  type DeletedAsset,
  deleteEmptyGroups,
  deleteEndedLinks,
  deleteExpiredCollections,
  deleteExpiredLinks,
  deleteForgottenGuests,
  deleteOldChanges,
  deleteOldComments,
  deleteOldEdits,
  deleteOldTrash,
  deleteStaleUploads,
  trashItemsOfDeleted,
  trashOrphansOfGuests,
} from '../queries/sweep.ts'
import { removeZonesOfDeleted } from '../queries/zones.ts'
import { compareStorage } from './compare-storage.ts'
import { groupShots } from './group-shots.ts'
import { notifyUntold } from './invites/notify-invited.ts'
import { makeMissingRenditions } from './make-renditions.ts'
import { pushNews } from './push-news.ts'
import { readUnreadFiles } from './read-metadata.ts'
import { sendWeeklyMails } from './send-weekly-mails.ts'
import { tellOfContributions } from './tell-of-contributions.ts'
import { removeFilms } from './uploads/receive-film.ts'

const STEPS: Record<string, (env: Env, db: Db) => Promise<unknown>> = {
  relayChanges,
  pushNews,
  tellOfContributions,
  notifyUntold,
  sendWeeklyMails,
  completeFiles,
  removeStaleUploads: (env, db) => removeItems(env, deleteStaleUploads(db)),
  removeStaleFilms: async (env, db) => removeFilms(env.FILES, await deleteStaleFilms(db)),
  emptyTrash: (env, db) => removeItems(env, deleteOldTrash(db)),
  removeAvatarsOfDeleted,
  compareStorage,
}

/** Steps that need nothing but the database. */
const QUERIES: Record<string, (db: Db) => Promise<unknown>> = {
  trashItemsOfDeleted,
  trashOrphansOfGuests,
  removeZonesOfDeleted,
  removeCollections,
  deleteExpiredWindows,
  deleteOldEdits,
  deleteOldComments,
  deleteOldChanges,
  deleteEmptyGroups,
  deleteEndedLinks,
  deleteForgottenGuests,
  deleteOldRefreshes,
  deleteOldSessions,
  deleteOldMailedLinks,
}

/** Runs every minute. Steps are independent: a failed one is logged, and the others still run. */
export async function sweep(env: Env): Promise<void> {
  const db = connect(env.DATABASE_URL, env.NEON_PROXY)
  const run = async (step: string, work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      console.error(JSON.stringify({ level: 'error', sweep: step, error: describe(error) }))
    }
  }
  await Promise.all([
    ...Object.entries(STEPS).map(([step, work]) => run(step, () => work(env, db))),
    ...Object.entries(QUERIES).map(([step, query]) => run(step, () => query(db))),
  ])
}

/**
 * One after the other: a photo without renditions gets them together with what its file says, as one change; and that may say which files belong
 * together.
 */
async function completeFiles(env: Env): Promise<void> {
  await makeMissingRenditions(env)
  await readUnreadFiles(env)
  await groupShots(env)
}

/** Deletes rows first: compareStorage finds objects without a row, but a row without its object would be broken. */
async function removeItems(env: Env, deleted: Promise<DeletedAsset[]>): Promise<void> {
  const remove = async ({ id, r2UploadId, films }: DeletedAsset) => {
    if (r2UploadId) await abortMultipart(env.FILES, originalKey(id), r2UploadId)
    await removeFilms(env.FILES, films)
    await removeFiles(env.FILES, id)
  }
  await Promise.all((await deleted).map(remove))
}

async function removeAvatarsOfDeleted(env: Env, db: Db): Promise<void> {
  for (const id of await listAvatarsOfDeleted(db)) {
    await removeAvatars(env.FILES, id)
    await clearAvatarOfDeleted(db, id)
  }
}

/** Unlinks items first, in batches: a collection may have a hundred thousand. */
async function removeCollections(db: Db): Promise<void> {
  await deleteExpiredLinks(db, 'post')
  await deleteExpiredLinks(db, 'asset')
  await deleteExpiredCollections(db)
}
