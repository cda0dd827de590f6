import { setPendingImport } from '../import/flag.ts'

const UPLOADS = 'cairn-uploads-'
/** Databases with data waiting on a device, also while the user is signed out: changes, uploads, posts of imports. */
const WAITING = ['cairn-outbox-', UPLOADS, 'cairn-imports-']

/** Loaded only now: few devices have made films. If that fails, films that have been sent stay here; those that wait stay in any case. */
async function removeAllFilmFiles(userId: string): Promise<void> {
  const films = await import('../uploads/film-files.ts').catch(() => null)
  await films?.removeAllFilmFiles(userId)
}

/** For the end of a session: deletes the databases in which nothing waits, and the films of uploads, so that their names do not tell who was signed in. */
export async function deleteEmptyPendingData(userId: string, isSignedIn: () => boolean): Promise<void> {
  try {
    const present = new Set((await indexedDB.databases()).map(({ name }) => name))
    // Films are made of uploads: without any, none is left to be sent. Looked at first, because an empty database is deleted below.
    const uploads = UPLOADS + userId
    if ((!present.has(uploads) || (await isEmpty(uploads))) && !isSignedIn()) await removeAllFilmFiles(userId)
    for (const name of WAITING.map((prefix) => prefix + userId)) {
      // A user who signs in again while this is checked keeps the database.
      if (present.has(name) && (await isEmpty(name)) && !isSignedIn()) indexedDB.deleteDatabase(name)
    }
  } catch {
    // Where storage is blocked, nothing is waiting.
  }
}

function isEmpty(name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name)
    // Runs only if the database has been deleted meanwhile: it must not be created again.
    opening.onupgradeneeded = () => opening.transaction?.abort()
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const db = opening.result
      const stores = [...db.objectStoreNames]
      const tx = db.transaction(stores)
      const counts = stores.map((store) => tx.objectStore(store).count())
      tx.oncomplete = () => {
        db.close()
        resolve(counts.every(({ result }) => result === 0))
      }
      tx.onabort = () => {
        db.close()
        reject(tx.error)
      }
    }
  })
}

/** Deletes the waiting data of a deleted account, which can no longer be sent. */
export function deletePendingData(userId: string): void {
  setPendingImport(userId, false)
  void removeAllFilmFiles(userId)
  try {
    for (const prefix of WAITING) indexedDB.deleteDatabase(prefix + userId)
  } catch {
    // Where storage is blocked, nothing is waiting.
  }
}
