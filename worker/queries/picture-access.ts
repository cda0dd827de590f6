import type { Db } from '../db/client.ts'
import { findImageSources, type SeenImage } from './images.ts'

/** Milliseconds for which a picture may still be sent after the caller has lost access to it. */
const MAX_AGE = 10_000
const MAX_PICTURES = 5_000
/** Neighbours read along with a picture, before it and after it in the list: a screen of thumbnails on either side. */
const NEIGHBOURS = 60
/** Milliseconds after which a read of neighbours counts as failed, because its request was cancelled. */
const READ_TIMEOUT = 1_000

/** Values by key, each for at most `maxAge` milliseconds. Only values are kept: workerd lets no request wait for a promise of another. */
export class RecentValues<V> {
  readonly #values = new Map<string, { value: V; since: number }>()
  readonly #limits: { maxAge: number; maxSize: number }

  constructor(limits: { maxAge: number; maxSize: number }) {
    this.#limits = limits
  }

  get(key: string, now: number): V | undefined {
    const found = this.#values.get(key)
    return found && now - found.since < this.#limits.maxAge ? found.value : undefined
  }

  /** `since` is a time at which the value was true. */
  set(key: string, value: V, since: number): void {
    // A Map iterates in the order of insertion, so its first key is the oldest.
    this.#values.delete(key)
    this.#values.set(key, { value, since })
    if (this.#values.size <= this.#limits.maxSize) return
    for (const oldest of this.#values.keys()) return void this.#values.delete(oldest)
  }

  /** Deletes the values whose keys begin so. */
  forget(prefix: string): void {
    for (const key of this.#values.keys()) if (key.startsWith(prefix)) this.#values.delete(key)
  }
}

/** `access` is the id of the session or access token. */
interface PictureCaller {
  db: Db
  user: { id: string }
  access: string
}

/** The ids of accesses and assets have one length, so no two callers share a key, whatever the id of the user. */
const keyOf = ({ access, user }: Omit<PictureCaller, 'db'>, asset: string) => `${access} ${asset} ${user.id}`

/**
 * The pictures that callers were recently allowed to see, so that not every thumbnail costs a round trip to the database. Only for renditions:
 * originals are checked each time. In memory, so each isolate has its own.
 */
export class PictureAccess {
  readonly #read: typeof findImageSources
  readonly #now: () => number
  readonly #permitted = new RecentValues<SeenImage>({ maxAge: MAX_AGE, maxSize: MAX_PICTURES })
  readonly #reading = new RecentValues<true>({ maxAge: READ_TIMEOUT, maxSize: MAX_PICTURES })

  constructor(read: typeof findImageSources = findImageSources, now: () => number = Date.now) {
    this.#read = read
    this.#now = now
  }

  /** Null if the caller does not see the asset. `version` is that of the URL: unless it is the remembered one, the database is asked. */
  async find(caller: PictureCaller, id: string, version: string | undefined): Promise<SeenImage | null> {
    const now = this.#now()
    const known = this.#permitted.get(keyOf(caller, id), now)
    if (known && String(known.version) === version) return known
    const found = await this.#readWithNeighbours(caller, id, now, version !== undefined && !known)
    if (!found.some((picture) => picture.id === id)) this.#permitted.forget(keyOf(caller, id))
    this.remember(caller, found, now)
    return found.find((picture) => picture.id === id) ?? null
  }

  /** For a page that is about to ask for these pictures. `since` is a time at which the caller was allowed to see them. */
  remember(caller: Omit<PictureCaller, 'db'>, pictures: readonly SeenImage[], since: number): void {
    for (const picture of pictures) this.#permitted.set(keyOf(caller, picture.id), picture, since)
  }

  /** Forgets what a session or an access token was allowed to see. */
  forget(access: string): void {
    this.#permitted.forget(`${access} `)
  }

  /** Pages ask for many pictures at once: the first reads the neighbours, which are then known to the next. */
  async #readWithNeighbours({ db, user, access }: PictureCaller, id: string, now: number, ofPage: boolean): Promise<SeenImage[]> {
    if (!ofPage || this.#reading.get(access, now)) return this.#read(db, user.id, { id, neighbours: 0 })
    this.#reading.set(access, true, now)
    try {
      return await this.#read(db, user.id, { id, neighbours: NEIGHBOURS })
    } finally {
      this.#reading.forget(access)
    }
  }
}

export const pictureAccess = new PictureAccess()
