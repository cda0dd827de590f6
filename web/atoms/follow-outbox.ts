import type { createStore } from 'jotai'
import { openOutboxAtom } from './outbox-state.ts'
import { reviewAtom } from './pending.ts'
import { sessionUserIdAtom } from './session.ts'

/** Keeps the outbox of whoever is signed in open. Loaded after the first paint. */
export function followOutbox(app: ReturnType<typeof createStore>): void {
  app.sub(sessionUserIdAtom, () => {
    app.set(reviewAtom, null)
    app.set(openOutboxAtom, app.get(sessionUserIdAtom))
  })
  app.set(openOutboxAtom, app.get(sessionUserIdAtom))
}
