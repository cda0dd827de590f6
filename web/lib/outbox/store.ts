import type { DBSchema } from 'idb'
import { accountDb } from '../account-db.ts'
import { Operation, type OutboxStore } from './types.ts'

interface Schema extends DBSchema {
  operations: { key: number; value: Omit<Operation, 'seq'> & { seq?: number }; indexes: { id: string } }
}

/**
 * Operations in IndexedDB, one database per account. Where the browser blocks it or has no room, `add` returns null, and the queue keeps
 * the operation in memory.
 */
export function openOutboxStore(userId: string): OutboxStore & { close(): void } {
  const device = accountDb<Schema>(`cairn-outbox-${userId}`, (db) => {
    db.createObjectStore('operations', { keyPath: 'seq', autoIncrement: true }).createIndex('id', 'id', { unique: true })
  })
  return {
    async all() {
      const rows: unknown[] = (await device.use((db) => db.getAll('operations'))) ?? []
      return rows.flatMap((row) => {
        const { data } = Operation.safeParse(row)
        return data?.userId === userId ? [data] : []
      })
    },
    async add(operation) {
      try {
        const { seq: _, ...row } = operation
        const seq = await device.use((db) => db.add('operations', row))
        return seq === null ? null : { ...operation, seq }
      } catch {
        return null
      }
    },
    change: (id, change) =>
      device.use(async (db) => {
        const tx = db.transaction('operations', 'readwrite')
        const existing = Operation.safeParse(await tx.store.index('id').get(id)).data
        if (!existing) return null
        const next = change(existing)
        if (next) await tx.store.put(next)
        else await tx.store.delete(existing.seq)
        await tx.done
        return next
      }),
    wasCleared: device.wasCleared,
    async clear() {
      await device.use((db) => db.clear('operations')).catch(() => {})
    },
    close: device.close,
  }
}
