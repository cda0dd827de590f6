import { atom, type Getter, type Setter } from 'jotai'
import { t } from '#say'
import { hasPendingImport } from '../lib/import/flag.ts'
import { loadWhenOnline } from '../lib/load-failure.ts'
import type { NewFile } from '../lib/uploads/items.ts'
import { isLosable, isSettled, summarize } from '../lib/uploads/items.ts'
import type { UploadEvent, UploadItem } from '../lib/uploads/types.ts'
import type { Uploads } from '../lib/uploads/uploads.ts'
import { applyOwnWriteAtom } from './apply-own-write.ts'
import { assetsAtom } from './content.ts'
import { contentChangedAtom } from './content-fetch.ts'
import { sessionEndedAtom, sessionUserIdAtom } from './session.ts'

const itemsAtom = atom<UploadItem[]>([])
const uploadsAtom = atom<{ userId: string; ready: Promise<Uploads> } | null>(null)

/** All files that are uploading or have just arrived, in the order they were added. */
export const uploadItemsAtom = atom((get) => get(itemsAtom))
export const uploadSummaryAtom = atom((get) => summarize(get(itemsAtom)))
/** How many files exist only in this tab: signing out would lose them. */
export const losableFilesAtom = atom((get) => get(itemsAtom).filter(isLosable).length)
/** Whether a form in front of the view accepts dropped files. */
export const dropClaimedAtom = atom(false)
/** Whether the tray's list is expanded. */
export const uploadTrayOpenAtom = atom(false)

/**
 * Opens the upload queue of an account and resumes what is left on this device; null closes it and clears the list. One that is open for
 * them already, since before a lost session, continues.
 */
export const openUploadsAtom = atom(null, (get, set, userId: string | null) => {
  const open = get(uploadsAtom)
  if (!open && !userId) return
  if (open?.userId === userId) return set(resumeSignedOutAtom)
  open?.ready.then((uploads) => uploads.close()).catch(() => undefined)
  set(itemsAtom, [])
  if (!userId) return set(uploadsAtom, null)
  const isCurrent = () => get(uploadsAtom)?.userId === userId
  // Loaded on demand: most visits upload nothing.
  const ready = loadWhenOnline(() => import('../lib/uploads/uploads.ts')).then(({ openUploads }) =>
    openUploads(
      userId,
      (items) => isCurrent() && show(set, userId, items),
      (event) => isCurrent() && handle(get, set, event),
      () => get(assetsAtom),
    ),
  )
  set(uploadsAtom, { userId, ready })
  // Callers get the failure from the promise; the next call tries again.
  ready.catch(() => isCurrent() && set(uploadsAtom, null))
})

/** `known` adds details to the files, in the same order. Resolves to the ids of the future assets. */
export const addFilesAtom = atom(null, async (get, set, collectionId: string, files: readonly File[], known?: readonly NewFile[]) => {
  const userId = get(sessionUserIdAtom)
  if (!userId) throw new Error(t`Sign in to change something`)
  // Files may be dropped before the tray has opened the queue, or after a change of user.
  set(openUploadsAtom, userId)
  const uploads = await get(uploadsAtom)?.ready
  if (!uploads || files.length === 0) return
  if (get(itemsAtom).every(isSettled)) uploads.act('dismissArrived')
  // On a phone the list would cover the view.
  set(uploadTrayOpenAtom, matchMedia('(min-width: 640px)').matches)
  await uploads.add(collectionId, files, known)
})

type Act = 'pause' | 'resume' | 'cancel' | 'dismiss' | 'addTo'

/** Pauses, resumes (retries) or cancels one file, or all files without an id; `dismiss` clears finished ones, `addTo` adds one to another collection. */
export const actOnUploadsAtom = atom(null, async (get, _set, act: Act, id?: string, collectionId?: string) => {
  const uploads = await get(uploadsAtom)?.ready
  uploads?.act(act, id, collectionId)
})

const resumeSignedOutAtom = atom(null, (get, set) => {
  for (const { id, state, code } of get(itemsAtom))
    if (state === 'failed' && code === 'unauthenticated') void set(actOnUploadsAtom, 'resume', id)
})

/** Closes the queue after a sign-out by choice. After a lost session it waits for the user, with the files that only this tab has. */
export const closeUploadsIfLeftAtom = atom(null, (get, set) => {
  if (get(sessionEndedAtom) === 'left') set(openUploadsAtom, null)
})

/** A preview of a file that is still on this device. */
export const uploadThumbAtom = atom(null, async (get, _set, id: string) => (await get(uploadsAtom)?.ready)?.thumb(id) ?? null)

function show(set: Setter, userId: string, items: UploadItem[]) {
  set(itemsAtom, items)
  if (!hasPendingImport(userId)) return
  // If the chunk cannot be loaded, the next upload event tries again.
  import('./imports-send.ts').then(({ sendArrivedAtom }) => set(sendArrivedAtom, items)).catch(() => undefined)
}

function handle(get: Getter, set: Setter, event: UploadEvent) {
  // If the chunk cannot be loaded, the files are there all the same.
  import('./follow-uploads.ts').then(({ followUploadAtom }) => set(followUploadAtom, event, get(itemsAtom))).catch(() => undefined)
  if (event.kind === 'duplicate') return
  if (event.kind === 'done' || event.kind === 'filmed')
    return set(applyOwnWriteAtom, { collectionId: event.item.collectionId, assets: { rows: [event.asset] } })
  void set(contentChangedAtom, event.collectionId)
  if (event.failed === 0) set(uploadTrayOpenAtom, false)
}
