/** Kept beside the build, under one name for ever: a browser that has it asks here whether there is a newer one. */
const SERVICE_WORKER = '/service-worker.js'

/** Milliseconds between two requests to let a newer worker take over. */
const TAKE_OVER = 2_000

/**
 * From now on the app opens without a connection. Only for who is signed in: a reader of the open pages need not fetch all of it. With
 * hot reload there is no service worker, which would hold on to what has changed.
 */
export async function startServiceWorker(): Promise<void> {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  if (!serviceWorker.controller) serviceWorker.addEventListener('controllerchange', notifyShown, { once: true })
  const registration = await serviceWorker.register(SERVICE_WORKER, { updateViaCache: 'none' })
  // Browsers look for a newer one by themselves, but some time after.
  if (registration.active) await registration.update()
  if (registration.installing || registration.waiting) letTakeOver(registration)
}

/**
 * Chromium may overlook that the worker before has nothing left to do, and then lets the next one wait for five minutes. Asked again, it
 * looks again.
 */
function letTakeOver(registration: ServiceWorkerRegistration): void {
  const timer = setInterval(() => {
    registration.waiting?.postMessage({ takeOver: true })
    if (!registration.installing && !registration.waiting) clearInterval(timer)
  }, TAKE_OVER)
}

/** Of the installed app's icon; other windows have none. */
export function setBadge(count: number): void {
  // Not in every browser.
  const { setAppBadge, clearAppBadge } = navigator as Partial<Navigator>
  const done = count > 0 ? setAppBadge?.call(navigator, count) : clearAppBadge?.call(navigator)
  done?.catch(() => undefined)
}

/** Calls back with the address that a notification leads to, when one is pressed while the app is open. Nobody has judged it yet. */
export function onNotificationOpened(go: (to: string) => void): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    if (typeof data?.goTo === 'string') go(data.goTo)
  })
}

/** What was shown before the worker was there is to be kept, too. */
function notifyShown(): void {
  const shownPictures = performance.getEntriesByType('resource').flatMap(({ name }) => (/[?&]v=/.test(name) ? [name] : []))
  navigator.serviceWorker.controller?.postMessage({ shownPictures })
}
