import { atom } from 'jotai'
import { hasPendingImport } from '../lib/import/flag.ts'
import { outcomeOf } from '../lib/uploads/outcome.ts'
import type { UploadEvent, UploadItem } from '../lib/uploads/types.ts'
import { attachArrivedAtom, recordPhoto } from './awaited-photos.ts'
import { keepFileTimeAtom } from './file-times.ts'
import { sessionUserIdAtom } from './session.ts'
import { addToastAtom } from './toasts.ts'
import { warnOfFullStorageAtom } from './usage.ts'

/** Gives an uploaded photo to the posts that wait for it, and tells the user how the uploads ended. */
export const followUploadAtom = atom(null, (get, set, event: UploadEvent, items: readonly UploadItem[]): void => {
  const recordImported = (id: string, sameAs: string) => {
    if (hasPendingImport(get(sessionUserIdAtom) ?? undefined))
      import('./imports-send.ts').then(({ recordArrivedAtom }) => set(recordArrivedAtom, id, sameAs)).catch(() => undefined)
  }
  if (event.kind === 'duplicate') {
    recordPhoto(event.id, event.sameAs, false)
    recordImported(event.id, event.sameAs)
    return
  }
  if (event.kind === 'done') {
    const { item, asset } = event
    recordPhoto(item.id, asset.id, true)
    set(keepFileTimeAtom, item, asset)
    if (item.sameAs) recordImported(item.id, item.sameAs)
    return
  }
  if (event.kind === 'filmed') return
  void set(attachArrivedAtom, items)
  void set(warnOfFullStorageAtom, event.collectionId)
  const toast = outcomeOf(event)
  if (toast) set(addToastAtom, { id: 'uploads', ...toast })
})
