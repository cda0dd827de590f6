import type { createStore } from 'jotai'
import type { createBrowserRouter, Location } from 'react-router'
import { t } from '#say'
import { isLoadFailure } from '../lib/load-failure.ts'
import { mayTakeBuild, ownBuild, readLatestBuild } from '../lib/site.ts'
import { overlaysAtom } from './overlays.ts'
import { unsavedCountAtom } from './pending.ts'
import { addToastAtom, type NewToast } from './toasts.ts'
import { uploadItemsAtom } from './uploads.ts'

type Store = ReturnType<typeof createStore>
type Router = ReturnType<typeof createBrowserRouter>

/** Milliseconds between two checks for a newer build, and the least between two checks when the tab comes to the front. */
const INTERVAL = 5 * 60_000
const MIN_INTERVAL = 60_000
/** Milliseconds that the notice stays: long enough to finish a sentence first. */
const NOTICE = 15_000

/** Announces a new deployment. Loads it when the user presses the button, or opens another page while nothing is in progress. */
export function followBuild(app: Store, router: Router): void {
  const own = ownBuild()
  let newer: string | null = null
  let announced: string | null = null
  let checkedAt = Date.now()
  const check = async () => {
    checkedAt = Date.now()
    const latest = await readLatestBuild().catch(() => own)
    newer = latest === own ? null : latest
    if (newer === null || newer === announced) return
    announced = newer
    app.set(addToastAtom, newerBuild())
  }
  const take = ({ pathname, search, hash }: Location) => {
    if (newer && !hasWorkInProgress(app) && mayTakeBuild(newer)) goTo(pathname + search + hash)
  }
  setInterval(() => document.visibilityState === 'visible' && void check(), INTERVAL)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && Date.now() - checkedAt > MIN_INTERVAL) void check()
  })
  // A chunk that cannot be loaded was often removed by a newer build. If that left a page without content, the page is reloaded.
  addEventListener('vite:preloadError', async () => {
    await check()
    if (Object.values(router.state.errors ?? {}).some(isLoadFailure)) take(router.state.location)
  })
  let shown = router.state.location.pathname
  router.subscribe(({ location: at, navigation }) => {
    const next = navigation.location ?? at
    if (next.pathname === shown) return
    shown = next.pathname
    take(next)
  })
}

/** The browser asks before reloading if something is not saved yet (lib/outbox/outbox.ts, lib/uploads/uploads.ts). */
const newerBuild = (): NewToast => ({
  id: 'newer-build',
  title: t`A new version of Cairn is ready`,
  description: t`It comes with the next page you open.`,
  icon: 'refresh',
  type: 'background',
  duration: NOTICE,
  actions: [{ label: t`Reload now`, onClick: () => location.reload() }],
})

/** Whether a reload would interrupt something: uploads, unsaved changes, an open dialog. */
function hasWorkInProgress(app: Store): boolean {
  const uploading = app.get(uploadItemsAtom).some(({ state }) => !SETTLED.has(state))
  return uploading || app.get(unsavedCountAtom) > 0 || app.get(overlaysAtom).some(({ open }) => open)
}
const SETTLED = new Set(['done', 'duplicate', 'failed', 'paused'])

/** Navigates with a full page load; reloads if the address is already shown. */
function goTo(path: string): void {
  if (location.pathname + location.search + location.hash === path) location.reload()
  else location.assign(path)
}
