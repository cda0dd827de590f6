import type { createStore } from 'jotai'
import { whenFirstRender, whenPhotosShown } from '../lib/first-render.ts'
import { fetchAhead, loadWhenOnline } from '../lib/load-failure.ts'

type App = ReturnType<typeof createStore>

/**
 * Loads code that the first screen does not need, once, when the page is idle; offline, as soon as there is a connection. After another failure
 * the next call tries again.
 */
function loadWhenIdle(load: (app: App) => Promise<void>, after: () => Promise<void> = whenFirstRender): (app: App) => void {
  let loading = false
  return (app) => {
    if (loading) return
    loading = true
    const attempt = () =>
      loadWhenOnline(() => load(app)).catch(() => {
        loading = false
      })
    fetchAhead(attempt, after)
  }
}

export const loadDevice = loadWhenIdle(async (app) => void (await import('./follow-device.ts')).followDevice(app))

/** Until live updates are loaded, screens poll. */
export const loadLive = loadWhenIdle(
  async (app) => void (await import('./follow-live.ts')).followLive(app),
  // Waits for nothing: the earlier it connects, the less is missed.
  () => Promise.resolve(),
)

export const loadOutbox = loadWhenIdle(async (app) => void (await import('./follow-outbox.ts')).followOutbox(app))

/** Waits until this page has what it needs: one part caches the whole app. */
export const loadBackground = loadWhenIdle(async (app) => (await import('./follow-background.ts')).followBackground(app), pageLoaded)

async function pageLoaded(): Promise<void> {
  if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
  await whenPhotosShown()
}
