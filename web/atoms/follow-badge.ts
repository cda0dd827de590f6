import { atom, type createStore } from 'jotai'
import { setBadge } from '../lib/pwa/pwa.ts'
import { invitedCollectionsAtom } from './collections.ts'
import { unseenAtom, unseenKnownAtom } from './feed-badge.ts'

/** Null until known: a notification may have set the badge while the app was closed. */
const newsAtom = atom((get) => (get(unseenKnownAtom) ? get(unseenAtom) + (get(invitedCollectionsAtom)?.length ?? 0) : null))

/** Sets the badge of the installed app to the number of new feed groups and invitations. Call once, at start. */
export function followBadge(app: ReturnType<typeof createStore>): void {
  const show = () => {
    const count = app.get(newsAtom)
    if (count !== null) setBadge(count)
  }
  app.sub(newsAtom, show)
  show()
}
