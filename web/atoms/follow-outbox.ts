import type { createStore } from 'jotai'
import { hasPendingImport } from '../lib/import/flag.ts'
import { attachArrivedAtom, hasArrived } from './awaited-photos.ts'
import { openOutboxAtom } from './outbox-state.ts'
import { operationsAtom } from './pending.ts'
import { sessionUserIdAtom } from './session.ts'
import { uploadItemsAtom } from './uploads.ts'

/** Keeps the mutation queue of the signed-in user open. Loaded after the first paint. */
export function followOutbox(app: ReturnType<typeof createStore>): void {
  const follow = () => {
    app.set(openOutboxAtom, app.get(sessionUserIdAtom))
    attachArrived(app)
  }
  app.sub(sessionUserIdAtom, follow)
  app.sub(operationsAtom, () => {
    if (app.get(operationsAtom).some(({ state }) => state === 'waiting')) return
    attachArrived(app)
    sendWhatWaited(app)
  })
  addEventListener('online', () => attachArrived(app))
  follow()
}

function attachArrived(app: ReturnType<typeof createStore>): void {
  if (hasArrived(app.get(sessionUserIdAtom))) void app.set(attachArrivedAtom, app.get(uploadItemsAtom))
}

/** Imported comments wait until their post is written. If the chunk cannot be loaded, the next change tries again. */
function sendWhatWaited(app: ReturnType<typeof createStore>): void {
  if (!hasPendingImport(app.get(sessionUserIdAtom) ?? undefined)) return
  import('./imports-send.ts').then(({ sendWaitingAtom }) => app.set(sendWaitingAtom, app.get(uploadItemsAtom))).catch(() => undefined)
}
