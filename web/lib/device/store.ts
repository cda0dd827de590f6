import { Collection } from '../../../contract/collections.ts'
import { FeedItem } from '../../../contract/feed.ts'
import { z } from '../../../contract/zod.ts'
import { inTurn } from '../in-turn.ts'
import { setStored } from '../storage.ts'
import { clearImages } from './caches.ts'
import { contentDb, type DeviceDb, keepOnly, removeContent } from './db.ts'
import { readContent } from './read.ts'
import type { ContentRows, DeviceStore, Stored, StoredContent } from './types.ts'
import { saveContent } from './write.ts'

/** Lists stored by earlier versions do not say who may answer: whoever sees the collection. */
const StoredCollection = Collection.extend({ answers: Collection.shape.answers.default('read') })

/**
 * Stored collections of one account, in a separate database. Nothing here throws: where the browser blocks storage, has no room or evicts
 * it, every read answers as from an empty store.
 */
export function openDeviceStore(userId: string, name: string): DeviceStore {
  const device = contentDb(name)
  /** State known to be stored for the collection opened last. */
  let stored: Stored | null = null
  let opened = ''
  /** The collection that did not fit: its stored content stays as it is. */
  let full = ''
  const oneAtATime = inTurn()
  const queue = <T>(work: () => Promise<T>): Promise<T | null> => oneAtATime(work).catch(() => null)
  return {
    async collections() {
      const list = await device.use((db) => db.get('shell', 'collections')).catch(() => null)
      return z.array(StoredCollection).safeParse(list).data ?? null
    },
    saveCollections: async (list) => void (await queue(() => device.use((db) => db.put('shell', list, 'collections')))),
    async feed() {
      const items = await device.use((db) => db.get('shell', 'feed')).catch(() => null)
      return z.array(FeedItem).safeParse(items).data ?? null
    },
    saveFeed: async (items) => void (await queue(() => device.use((db) => db.put('shell', items, 'feed')))),

    async content(collectionId): Promise<StoredContent | null> {
      opened = collectionId
      const content = await device.use((db) => readContent(db, collectionId)).catch(() => null)
      if (!content) return null
      const rest = async (): Promise<ContentRows | null> => {
        const found = await content.rest().catch(() => null)
        if (found && opened === collectionId) stored = found.stored
        return found?.rows ?? null
      }
      return { ...content, rest }
    },

    async save(content) {
      const { collectionId } = content
      const write = async (db: DeviceDb) => {
        if (full === collectionId) return
        opened = collectionId
        const known = stored?.collectionId === collectionId ? stored : null
        stored = null
        stored = await saveContent(db, known, content)
          .catch(async (error: unknown) => {
            if (!isFull(error)) throw error
            // The collection open now matters more than earlier ones.
            await keepOnly(db, [collectionId])
            return saveContent(db, known, content)
          })
          .catch(async (error: unknown) => {
            if (!isFull(error)) throw error
            full = collectionId
            if (!known) await removeContent(db, collectionId)
            return null
          })
        if (stored) setStored(collectionId, true)
      }
      await queue(() => device.use(write))
    },

    async remove(collectionId) {
      await queue(async () => {
        if (stored?.collectionId === collectionId) stored = null
        await device.use((db) => removeContent(db, collectionId))
        await clearImages(userId)
      })
    },
    keepOnly: async (ids) => void (await queue(async () => (await device.use((db) => keepOnly(db, ids))) && clearImages(userId))),
    close: device.close,
  }
}

function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError'
}
