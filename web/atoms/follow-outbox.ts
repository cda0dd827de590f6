import type { createStore } from 'jotai'
import { openOutboxAtom } from './outbox-state.ts'
import { sessionUserIdAtom } from './session.ts'

/** Keeps the mutation queue of the signed-in user open. Loaded after the first paint. */
export function followOutbox(app: ReturnType<typeof createStore>): void {
  const follow = () => app.set(openOutboxAtom, app.get(sessionUserIdAtom))
  app.sub(sessionUserIdAtom, follow)
  follow()
}
