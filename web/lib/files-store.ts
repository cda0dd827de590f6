import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { giveWay } from './account-remains.ts'
import { type Pictures, UploadItem, type UploadStore } from './upload-types.ts'

interface Schema extends DBSchema {
  items: { key: string; value: UploadItem }
  files: { key: string; value: Blob }
  pictures: { key: string; value: Pictures }
}

const STORES = ['items', 'files', 'pictures'] as const

/**
 * Waiting files in IndexedDB, one database per account, so that whoever signs in next on this device sees nothing of them.
 * Where the browser blocks it, everything answers as an empty store that never has room.
 */
export function openFilesStore(userId: string): UploadStore & { close(): void } {
  const opened = open(`cairn-uploads-${userId}`)
  return {
    async save(item, file) {
      const db = await opened
      if (!db || !(await hasRoom(file.size))) return false
      const tx = db.transaction(['items', 'files'], 'readwrite')
      try {
        await Promise.all([tx.objectStore('files').put(file, item.id), tx.objectStore('items').put(item, item.id), tx.done])
        return true
      } catch {
        return false
      }
    },
    async update(item) {
      const db = await opened
      const tx = db?.transaction('items', 'readwrite')
      // Only what is still there: a line that was cancelled meanwhile must not come back.
      if (await tx?.store.getKey(item.id)) await tx?.store.put(item, item.id)
      await tx?.done
    },
    async savePictures(id, pictures) {
      await (await opened)?.put('pictures', pictures, id).catch(() => {})
    },
    async pictures(id) {
      return (await (await opened)?.get('pictures', id)) ?? { thumb: null, preview: null }
    },
    async file(id) {
      return (await (await opened)?.get('files', id)) ?? null
    },
    async items() {
      const rows = (await (await opened)?.getAll('items')) ?? []
      return rows.flatMap((row) => UploadItem.safeParse(row).data ?? []).toSorted((a, b) => a.addedAt - b.addedAt)
    },
    async remove(ids) {
      const tx = (await opened)?.transaction(STORES, 'readwrite')
      if (!tx) return
      await Promise.all([...ids.flatMap((id) => STORES.map((name) => tx.objectStore(name).delete(id))), tx.done])
    },
    async close() {
      ;(await opened)?.close()
    },
  }
}

async function open(name: string): Promise<IDBPDatabase<Schema> | null> {
  // In a try: where the browser forbids storage, the call itself throws.
  try {
    return await openDB<Schema>(name, 1, {
      upgrade(db) {
        for (const store of STORES) db.createObjectStore(store)
      },
      blocking: giveWay,
    })
  } catch {
    return null
  }
}

/** Asked before, because a write that fails half-way through gigabytes takes the disk with it. */
async function hasRoom(size: number): Promise<boolean> {
  const { quota, usage } = (await navigator.storage?.estimate?.().catch(() => undefined)) ?? {}
  return quota === undefined || usage === undefined || usage + size * 1.1 < quota
}
