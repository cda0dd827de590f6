import type { createStore } from 'jotai'
import { whenFirstRender } from '../lib/first-render.ts'
import { fetchAhead } from '../lib/load-failure.ts'

type App = ReturnType<typeof createStore>

/** Loads code that the first screen does not need, once, when the page is idle. After a failure the next call tries again. */
function loadWhenIdle(load: (app: App) => Promise<void>, after?: () => Promise<void>): (app: App) => void {
  let loading = false
  return (app) => {
    if (loading) return
    loading = true
    const attempt = () =>
      load(app).catch(() => {
        loading = false
      })
    fetchAhead(attempt, after)
  }
}

export const loadDevice = loadWhenIdle(async (app) => void (await import('./follow-device.ts')).followDevice(app))

/** Until live updates are loaded, screens poll. */
export const loadLive = loadWhenIdle(
  async (app) => void (await import('./follow-live.ts')).followLive(app),
  // Does not wait for the first render: the earlier it connects, the less is missed.
  () => Promise.resolve(),
)

export const loadOutbox = loadWhenIdle(async (app) => void (await import('./follow-outbox.ts')).followOutbox(app))

/** Caching the whole app waits until this page has loaded what it needs. */
export const loadPwa = loadWhenIdle(async (app) => {
  const parts = await Promise.all([import('../lib/pwa/pwa.ts'), import('./follow-badge.ts'), import('../lib/pwa/push.ts')])
  const [{ startServiceWorker }, { followBadge }, { renewPush }] = parts
  followBadge(app)
  // Offline there is neither a newer worker nor a reachable server; the next start tries again.
  await startServiceWorker().catch(() => undefined)
  await renewPush().catch(() => undefined)
}, pageLoaded)

/** Reads files of the user that nobody has read. */
export const loadUnread = loadWhenIdle(async (app) => (await import('./follow-unread.ts')).followUnread(app), pageLoaded)

async function pageLoaded(): Promise<void> {
  if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
  await whenFirstRender()
}
