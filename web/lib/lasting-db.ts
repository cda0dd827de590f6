import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

export interface LastingDb<T extends DBSchema> {
  /** Runs something on it, once more where the browser had closed it meanwhile; null without storage. Rejects as the work does. */
  use<R>(work: (db: IDBPDatabase<T>) => Promise<R>): Promise<R | null>
  /** Whether the browser has taken away what was in it, since this was asked the last time. */
  wasCleared(): boolean
  close(): void
}

/**
 * A database of one account that lasts as long as its page: whoever clears the site's data, or Safari, which loses its connection where an app
 * sleeps, ends one that is open, and then it is opened anew. Where the browser forbids storage there is none.
 */
export function lastingDb<T extends DBSchema>(name: string, create: (db: IDBPDatabase<T>) => void): LastingDb<T> {
  let opened: Promise<IDBPDatabase<T> | null> | null = null
  let ended = false
  let known = false
  let cleared = false

  async function open(): Promise<IDBPDatabase<T> | null> {
    // In a try: where the browser forbids storage, the call itself throws.
    try {
      const db = await openDB<T>(name, 1, {
        upgrade(fresh) {
          create(fresh)
          cleared = known
        },
        // The account is no more (account-remains.ts): one that stays open would keep the removal waiting.
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
        // It was closed without a word.
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
    close() {
      ended = true
      opened?.then((db) => db?.close())
    },
  }
}
