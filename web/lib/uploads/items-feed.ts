import type { UploadItem } from './types.ts'

/** From the leading tab to the others. */
export type ItemsMessage = { kind: 'items'; items: UploadItem[] } | { kind: 'changed'; items: UploadItem[]; removed: string[] }

/**
 * Makes the leading tab's messages to the others: all its items first, then only what has changed. Parsing many thousand items takes longer than the pause
 * between two messages.
 */
export function createItemsFeed() {
  let sent: ReadonlyMap<string, UploadItem> | null = null
  return {
    /** The next message has all items, for a tab that has none or may have missed a message. */
    restart() {
      sent = null
    },
    next(items: UploadItem[]): ItemsMessage {
      const before = sent
      const now = new Map(items.map((item) => [item.id, item]))
      sent = now
      if (!before) return { kind: 'items', items }
      const removed = [...before.keys()].filter((id) => !now.has(id))
      return { kind: 'changed', items: items.filter((item) => before.get(item.id) !== item), removed }
    },
  }
}

/** The items of the leading tab after a message of it. */
export function withMessage(items: UploadItem[], message: ItemsMessage): UploadItem[] {
  if (message.kind === 'items') return message.items
  const byId = new Map(items.map((item) => [item.id, item]))
  for (const id of message.removed) byId.delete(id)
  for (const item of message.items) byId.set(item.id, item)
  return [...byId.values()]
}
