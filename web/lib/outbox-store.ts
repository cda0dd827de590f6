import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import { giveWay } from './account-remains.ts'
import { Operation, type OutboxStore } from './outbox-types.ts'

interface Schema extends DBSchema {
  operations: { key: number; value: Omit<Operation, 'seq'> & { seq?: number }; indexes: { id: string } }
}

/**
 * Operations in IndexedDB, one database per account. Where the browser blocks it or has no room, `add` answers null, and the queue
 * keeps the operation in memory.
 */
export function openOutboxStore(userId: string): OutboxStore & { close(): void } {
  const name = `cairn-outbox-${userId}`
  const opened = open(name)
  return {
    async all() {
      const rows: unknown[] = (await (await opened)?.getAll('operations').catch(() => [])) ?? []
      return rows.flatMap((row) => {
        const { data } = Operation.safeParse(row)
        return data?.userId === userId ? [data] : []
      })
    },
    async add(operation) {
      const db = await opened
      try {
        const { seq: _, ...row } = operation
        const seq = await db?.add('operations', row)
        return seq === undefined ? null : { ...operation, seq }
      } catch {
        return null
      }
    },
    async change(id, change) {
      const tx = (await opened)?.transaction('operations', 'readwrite')
      const held = Operation.safeParse(await tx?.store.index('id').get(id)).data
      if (!tx || !held) return null
      const next = change(held)
      if (next) await tx.store.put(next)
      else await tx.store.delete(held.seq)
      await tx.done
      return next
    },
    async clear() {
      await (await opened)?.clear('operations').catch(() => {})
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
        db.createObjectStore('operations', { keyPath: 'seq', autoIncrement: true }).createIndex('id', 'id', { unique: true })
      },
      blocking: giveWay,
    })
  } catch {
    return null
  }
}
