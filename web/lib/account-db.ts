import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { sleep } from './scheduling.ts'

export interface AccountDb<T extends DBSchema> {
  /**
   * Runs `work` on the database, once more if the browser had closed the connection meanwhile; null without storage. Rejects as the work
   * does, and if a database that was open before cannot be opened now: what it holds is not lost.
   */
  use<R>(work: (db: IDBPDatabase<T>) => Promise<R>): Promise<R | null>
  /** Whether the browser has cleared the database since the last call. */
  wasCleared(): boolean
  /** Whether it has been closed, or deleted (device/pending-data.ts). */
  hasEnded(): boolean
  close(): void
}

/** Milliseconds that the browser has to open a database: it waits for a deletion, and that for the other tabs, which may be suspended. */
const OPENING = 4_000

/** Errors of work on a connection that the browser has closed without an event. Safari says UnknownError. */
const CLOSED = ['InvalidStateError', 'UnknownError']

/**
 * A database of one account that stays usable for the lifetime of the page. Clearing the site's data closes an open database, and so does
 * Safari when the app is suspended; it is then opened again. Null where the browser forbids storage. `isUsable` is for copies of what the
 * server has: a database that is not, or cannot be opened, is deleted and created again.
 */
export function accountDb<T extends DBSchema>(
  name: string,
  create: (db: IDBPDatabase<T>) => void,
  isUsable?: (db: IDBPDatabase<T>) => boolean,
): AccountDb<T> {
  let opened: { db: Promise<IDBPDatabase<T>>; late: Promise<never> } | null = null
  let ended = false
  let known = false
  let cleared = false

  async function connect(): Promise<IDBPDatabase<T>> {
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
    if (!isUsable || isUsable(db)) return db
    db.close()
    throw new Error('The database has other stores')
  }
  async function open(): Promise<IDBPDatabase<T>> {
    const made = connect()
    const db = await (isUsable && !known ? made.catch(replace) : made)
    known = true
    return db
  }
  function replace(): Promise<IDBPDatabase<T>> {
    indexedDB.deleteDatabase(name)
    return connect()
  }
  async function late(): Promise<never> {
    await sleep(OPENING)
    throw new Error('The browser does not open the database')
  }
  async function current(): Promise<IDBPDatabase<T> | null> {
    if (ended) return null
    opened ??= { db: open(), late: late() }
    const mine = opened
    // One that opens late serves the calls after that.
    mine.db.catch(() => {
      if (opened === mine) opened = null
    })
    try {
      return await Promise.race([mine.db, mine.late])
    } catch (error) {
      if (known) throw error
      return null
    }
  }

  return {
    async use(work) {
      const db = await current()
      if (!db) return null
      try {
        return await work(db)
      } catch (error) {
        if (!(error instanceof DOMException) || !CLOSED.includes(error.name)) throw error
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
      opened?.db.then(
        (db) => db.close(),
        () => {},
      )
    },
  }
}
