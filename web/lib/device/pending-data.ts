import { setPendingImport } from '../import/flag.ts'

/** Databases with data waiting on a device, also while the user is signed out: changes, uploads, posts of imports. */
const WAITING = ['cairn-outbox-', 'cairn-uploads-', 'cairn-imports-']

/** Deletes the waiting data of a deleted account, which can no longer be sent. */
export function deletePendingData(userId: string): void {
  setPendingImport(userId, false)
  try {
    for (const prefix of WAITING) indexedDB.deleteDatabase(prefix + userId)
  } catch {
    // Where storage is blocked, nothing is waiting.
  }
}
