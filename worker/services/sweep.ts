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
import { makeMissingRenditions } from './make-renditions.ts'
import { pushNews } from './push-news.ts'
import { readUnreadFiles } from './read-metadata.ts'
import { sendWeeklyMails } from './send-weekly-mails.ts'
import { tellOfContributions } from './tell-of-contributions.ts'
import { removeFilms } from './uploads/receive-film.ts'

const removeStaleUploads = (env: Env) => removeItems(env, deleteStaleUploads)
const emptyTrash = (env: Env) => removeItems(env, deleteOldTrash)

const STEPS: Record<string, (env: Env) => Promise<unknown>> = {
  relayChanges,
  pushNews,
  tellOfContributions,
  sendWeeklyMails,
  completeFiles,
  removeStaleUploads,
  removeStaleFilms,
  emptyTrash,
  removeItemsOfDeleted,
  removeAvatarsOfDeleted,
  removeHomeZonesOfDeleted,
  compareStorage,
  removeExpiredWindows,
  removeOldEdits,
  removeOldComments,
  removeOldChanges,
  removeEmptyGroups,
  removeEndedLinks,
  removeCollections,
  removeOrphansOfGuests,
  removeOldRefreshes,
  removeOldSessions,
  removeOldMailedLinks,
}

async function removeOrphansOfGuests(env: Env): Promise<void> {
  await trashOrphansOfGuests(connect(env.DATABASE_URL, env.NEON_PROXY))
}

async function removeItemsOfDeleted(env: Env): Promise<void> {
  await trashItemsOfDeleted(connect(env.DATABASE_URL, env.NEON_PROXY))
}

async function removeHomeZonesOfDeleted(env: Env): Promise<void> {
  await removeZonesOfDeleted(connect(env.DATABASE_URL, env.NEON_PROXY))
}

/** Runs every minute. Steps are independent: a failed one is logged, and the others still run. */
export async function sweep(env: Env): Promise<void> {
  const run = async ([step, work]: [string, (env: Env) => Promise<unknown>]) => {
    try {
      await work(env)
    } catch (error) {
      console.error(JSON.stringify({ level: 'error', sweep: step, error: describe(error) }))
    }
  }
  await Promise.all(Object.entries(STEPS).map(run))
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
async function removeItems(env: Env, deleteRows: (db: Db) => Promise<DeletedAsset[]>): Promise<void> {
  const remove = async ({ id, r2UploadId, films }: DeletedAsset) => {
    if (r2UploadId) await abortMultipart(env.FILES, originalKey(id), r2UploadId)
    await removeFilms(env.FILES, films)
    await removeFiles(env.FILES, id)
  }
  await Promise.all((await deleteRows(connect(env.DATABASE_URL, env.NEON_PROXY))).map(remove))
}

async function removeStaleFilms(env: Env): Promise<void> {
  await removeFilms(env.FILES, await deleteStaleFilms(connect(env.DATABASE_URL, env.NEON_PROXY)))
}

async function removeAvatarsOfDeleted(env: Env): Promise<void> {
  const db = connect(env.DATABASE_URL, env.NEON_PROXY)
  for (const id of await listAvatarsOfDeleted(db)) {
    await removeAvatars(env.FILES, id)
    await clearAvatarOfDeleted(db, id)
  }
}

/** Unlinks items first, in batches: a collection may have a hundred thousand. */
async function removeCollections(env: Env): Promise<void> {
  const db = connect(env.DATABASE_URL, env.NEON_PROXY)
  await deleteExpiredLinks(db, 'post')
  await deleteExpiredLinks(db, 'asset')
  await deleteExpiredCollections(db)
}

async function removeEmptyGroups(env: Env): Promise<void> {
  await deleteEmptyGroups(connect(env.DATABASE_URL, env.NEON_PROXY))
}

async function removeEndedLinks(env: Env): Promise<void> {
  await deleteEndedLinks(connect(env.DATABASE_URL, env.NEON_PROXY))
  await deleteForgottenGuests(connect(env.DATABASE_URL, env.NEON_PROXY))
}

async function removeOldChanges(env: Env): Promise<void> {
  await deleteOldChanges(connect(env.DATABASE_URL, env.NEON_PROXY))
}

async function removeExpiredWindows(env: Env): Promise<void> {
  await deleteExpiredWindows(connect(env.DATABASE_URL, env.NEON_PROXY))
}

async function removeOldRefreshes(env: Env): Promise<void> {
  await deleteOldRefreshes(connect(env.DATABASE_URL, env.NEON_PROXY))
}

async function removeOldSessions(env: Env): Promise<void> {
  await deleteOldSessions(connect(env.DATABASE_URL, env.NEON_PROXY))
}

async function removeOldMailedLinks(env: Env): Promise<void> {
  await deleteOldMailedLinks(connect(env.DATABASE_URL, env.NEON_PROXY))
}

async function removeOldComments(env: Env): Promise<void> {
  await deleteOldComments(connect(env.DATABASE_URL, env.NEON_PROXY))
}

async function removeOldEdits(env: Env): Promise<void> {
  await deleteOldEdits(connect(env.DATABASE_URL, env.NEON_PROXY))
}
