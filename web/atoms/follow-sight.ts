import type { createStore } from 'jotai'
import type { createBrowserRouter } from 'react-router'
import { whenIdle } from '../lib/idle.ts'
import { PATHS } from '../lib/links.ts'
import { keepSight } from '../lib/start/snapshot-keep.ts'
import { viewAt } from '../view-table.ts'
import { sessionConfirmedAtom, sessionUserIdAtom } from './session.ts'

/** Milliseconds after which a page that was opened has its photos. */
const SETTLED = 2_000

/** Keeps what the pages of this person look like, so that the app begins with it the next time (lib/start/snapshot.ts). */
export function followSight(app: ReturnType<typeof createStore>, router: ReturnType<typeof createBrowserRouter>): void {
  const root = document.getElementById('root')
  const keep = () => {
    const user = app.get(sessionUserIdAtom)
    if (root && user && app.get(sessionConfirmedAtom) && beginsWithSight(location.pathname)) keepSight(root, user)
  }
  let timer: ReturnType<typeof setTimeout>
  const keepSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => document.visibilityState === 'visible' && whenIdle(keep), SETTLED)
  }
  router.subscribe(keepSoon)
  keepSoon()
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && keep())
  addEventListener('pagehide', keep)
}

/** Pages of content. Settings are forms, and some of what they say is secret. */
function beginsWithSight(path: string): boolean {
  return path === PATHS.collections || path === PATHS.feed || !!viewAt(path)?.shows
}
