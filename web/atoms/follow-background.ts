import type { createStore } from 'jotai'
import { renewPush } from '../lib/pwa/push.ts'
import { keepLanguage, keepStorage, startServiceWorker } from '../lib/pwa/pwa.ts'
import { followBadge } from './follow-badge.ts'
import { followUnread } from './follow-unread.ts'
import { languageAtom } from './language.ts'

/** Begins what a page of a signed-in user does besides showing itself. Call once. */
export async function followBackground(app: ReturnType<typeof createStore>): Promise<void> {
  followBadge(app)
  followUnread(app)
  keepStorage()
  // Offline there is neither a newer worker nor a reachable server; the next start tries again.
  await startServiceWorker().catch(() => undefined)
  keepLanguage(app.get(languageAtom))
  app.sub(languageAtom, () => keepLanguage(app.get(languageAtom)))
  await renewPush().catch(() => undefined)
}
