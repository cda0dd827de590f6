import type { createStore } from 'jotai'
import { setBadge } from '../lib/pwa.ts'
import { invitedCollectionsAtom } from './collections.ts'
import { unseenAtom } from './feed-badge.ts'

/** Keeps the badge of the installed app at what is new: of the feed, and invitations. Once, at start. */
export function followBadge(app: ReturnType<typeof createStore>): void {
  const show = () => setBadge(app.get(unseenAtom) + (app.get(invitedCollectionsAtom)?.length ?? 0))
  app.sub(unseenAtom, show)
  app.sub(invitedCollectionsAtom, show)
}
