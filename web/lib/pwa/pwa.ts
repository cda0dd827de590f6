/** Served beside the build, under a name that never changes: browsers that have it check this URL for updates. */
const SERVICE_WORKER = '/service-worker.js'

/** Milliseconds between requests that let a waiting worker take over. */
const TAKE_OVER = 2_000

/**
 * Makes the app work offline. Only for signed-in users: readers of the public pages need not download all of it. Not with hot reload,
 * where a service worker would serve outdated files.
 */
export async function startServiceWorker(): Promise<void> {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  if (!serviceWorker.controller) serviceWorker.addEventListener('controllerchange', notifyShown, { once: true })
  const registration = await serviceWorker.register(SERVICE_WORKER, { updateViaCache: 'none' })
  // Browsers check for updates by themselves, but only after some time.
  if (registration.active) await registration.update()
  if (registration.installing || registration.waiting) letTakeOver(registration)
}

/**
 * Chromium may fail to notice that the previous worker is idle, and then keeps the next one waiting for five minutes. A message makes it
 * check again.
 */
function letTakeOver(registration: ServiceWorkerRegistration): void {
  const timer = setInterval(() => {
    registration.waiting?.postMessage({ takeOver: true })
    if (!registration.installing && !registration.waiting) clearInterval(timer)
  }, TAKE_OVER)
}

/** Lets an installed app keep what waits to be sent, even if the device runs out of room. In a tab some browsers would ask the user. */
export function keepStorage(): void {
  if (matchMedia('(display-mode: standalone)').matches) navigator.storage?.persist?.().catch(() => undefined)
}

/** Badge of the installed app's icon; other windows have none. */
export function setBadge(count: number): void {
  // Not in every browser.
  const { setAppBadge, clearAppBadge } = navigator as Partial<Navigator>
  const done = count > 0 ? setAppBadge?.call(navigator, count) : clearAppBadge?.call(navigator)
  done?.catch(() => undefined)
}

/** Lets the worker keep the language that the app is in, for when there is no connection, and for notifications. */
export function keepLanguage(language: string): void {
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage({ language }))
}

/** Asks the worker to cache the images shown before it was active. */
function notifyShown(): void {
  const shownPictures = performance.getEntriesByType('resource').flatMap(({ name }) => (/[?&]v=/.test(name) ? [name] : []))
  navigator.serviceWorker.controller?.postMessage({ shownPictures })
}
