import { markImport } from '../import/flag.ts'

/** What waits on a device for its person, also while they are signed out: changes, files on their way, posts of imports. */
const WAITING = ['cairn-outbox-', 'cairn-uploads-', 'cairn-imports-']

/** The account is no more, and nobody will ever send it. */
export function removeRemains(userId: string): void {
  markImport(userId, false)
  try {
    for (const prefix of WAITING) indexedDB.deleteDatabase(prefix + userId)
  } catch {
    // Where storage is blocked, nothing waits.
  }
}
