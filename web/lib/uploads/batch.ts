import { isSettled } from './machine.ts'
import type { UploadEvent, UploadItem, UploadState } from './types.ts'

/** How a batch ended, one event for each collection; nothing while any of it still moves or waits. */
export function outcomesOf(batch: readonly UploadItem[]): UploadEvent[] {
  if (batch.some((item) => !isSettled(item))) return []
  return [...new Set(batch.map((item) => item.collectionId))].map((collectionId) => {
    const of = (state: UploadState) => batch.filter((item) => item.collectionId === collectionId && item.state === state)
    const added = of('done').map((item) => item.meta?.type ?? item.type)
    return { kind: 'settled', collectionId, added, duplicates: of('duplicate').length, failed: of('failed').length }
  })
}
