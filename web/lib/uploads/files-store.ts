import type { DBSchema } from 'idb'
import { accountDb } from '../account-db.ts'
import { freeRoom } from '../free-room.ts'
import { type Renditions, UploadItem, type UploadStore } from './types.ts'

interface Schema extends DBSchema {
  items: { key: string; value: UploadItem }
  files: { key: string; value: Blob }
  pictures: { key: string; value: Renditions }
}

const STORES = ['items', 'files', 'pictures'] as const

/**
 * Waiting files in IndexedDB, one database per account, so that the next user on this device cannot see them. Where the browser blocks it,
 * every read answers as from an empty store that never has room.
 */
export function openFilesStore(userId: string): UploadStore & { close(): void } {
  const device = accountDb<Schema>(`cairn-uploads-${userId}`, (db) => {
    for (const store of STORES) db.createObjectStore(store)
  })
  return {
    async save(item, file) {
      // Checked first, because a write that fails half-way through gigabytes fills the disk.
      if (file.size * 1.1 >= (await freeRoom())) return false
      const put = device.use(async (db) => {
        const tx = db.transaction(['items', 'files'], 'readwrite')
        await Promise.all([tx.objectStore('files').put(file, item.id), tx.objectStore('items').put(item, item.id), tx.done])
        return true
      })
      return (await put.catch(() => false)) ?? false
    },
    async update(item) {
      await device.use(async (db) => {
        const tx = db.transaction('items', 'readwrite')
        // Only existing rows: one that was cancelled meanwhile must not come back.
        if (await tx.store.getKey(item.id)) await tx.store.put(item, item.id)
        await tx.done
      })
    },
    async saveRenditions(id, renditions) {
      await device.use((db) => db.put('pictures', renditions, id)).catch(() => {})
    },
    async renditions(id) {
      return (await device.use((db) => db.get('pictures', id))) ?? { thumb: null, preview: null }
    },
    async file(id) {
      return (await device.use((db) => db.get('files', id))) ?? null
    },
    async items(id) {
      const rows = (await device.use((db) => db.getAll('items', id))) ?? []
      return rows.flatMap((row) => UploadItem.safeParse(row).data ?? []).toSorted((a, b) => a.addedAt - b.addedAt)
    },
    async remove(ids) {
      await device.use(async (db) => {
        const tx = db.transaction(STORES, 'readwrite')
        await Promise.all([...ids.flatMap((id) => STORES.map((name) => tx.objectStore(name).delete(id))), tx.done])
      })
    },
    close: device.close,
  }
}
