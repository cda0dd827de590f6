import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

export interface AccountDb<T extends DBSchema> {
  /**
   * Runs `work` on the database, once more if the browser had closed the connection meanwhile; null without storage. Rejects as the work
   * does.
   */
  use<R>(work: (db: IDBPDatabase<T>) => Promise<R>): Promise<R | null>
  /** Whether the browser has cleared the database since the last call. */
  wasCleared(): boolean
  /** Whether it has been closed, or deleted (device/pending-data.ts). */
  hasEnded(): boolean
  close(): void
}

/**
 * A database of one account that stays usable for the lifetime of the page. Clearing the site's data closes an open database, and so does
 * Safari when the app is suspended; it is then opened again. Null where the browser forbids storage.
 */
export function accountDb<T extends DBSchema>(name: string, create: (db: IDBPDatabase<T>) => void): AccountDb<T> {
  let opened: Promise<IDBPDatabase<T> | null> | null = null
  let ended = false
  let known = false
  let cleared = false

  async function open(): Promise<IDBPDatabase<T> | null> {
    // Where the browser forbids storage, the call itself throws.
    try {
      const db = await openDB<T>(name, 1, {
        upgrade(fresh) {
          create(fresh)
          cleared = known
        },
        // The database is deleted (device/pending-data.ts): an open connection would block that.
        blocking: (_current, _blocked, event) => {
          ended = true
          ;(event.target as IDBDatabase).close()
        },
        terminated: () => {
          opened = null
        },
      })
      known = true
      return db
    } catch {
      return null
    }
  }
  async function current(): Promise<IDBPDatabase<T> | null> {
    if (ended) return null
    opened ??= open()
    return opened
  }

  return {
    async use(work) {
      const db = await current()
      if (!db) return null
      try {
        return await work(db)
      } catch (error) {
        // The browser closed the connection without an event.
        if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error
        opened = null
        const again = await current()
        return again && work(again)
      }
    },
    wasCleared() {
      const was = cleared
      cleared = false
      return was
    },
    hasEnded: () => ended,
    close() {
      ended = true
      opened?.then((db) => db?.close())
    },
  }
}
