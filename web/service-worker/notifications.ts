import type { PushMessage } from '../../contract/push.ts'
import { isPage } from './paths.ts'

/** Shows what was sent. Browsers take the right to be notified from who shows nothing, so also what cannot be read is shown. */
export async function showNotification(worker: ServiceWorkerGlobalScope, data: PushMessageData | null): Promise<void> {
  const { title, body, path, tag, unseen } = read(data)
  const options = { body, tag, data: { path }, icon: '/icon-192.png', badge: '/badge.png' }
  await Promise.all([worker.registration.showNotification(title, options), setBadge(unseen)])
}

/** Leads to what a notification is about, in a window of the app that is open or else in a new one. */
export async function openNotification(worker: ServiceWorkerGlobalScope, notification: Notification): Promise<void> {
  notification.close()
  const url = leadsTo(notification.data?.path, worker.location.origin)
  // A picture or the pages of the server, in a tab of their own, cannot go anywhere by themselves.
  const windows = (await worker.clients.matchAll({ type: 'window' })).filter((window) => isPage(new URL(window.url)))
  const open = windows.find(({ visibilityState }) => visibilityState === 'visible') ?? windows[0]
  if (!open) return void (await worker.clients.openWindow(url))
  // The app goes there by itself, without being loaded anew: what is under way in it stays.
  open.postMessage({ goTo: url.pathname + url.search })
  // Not allowed by every browser.
  await open.focus().catch(() => undefined)
}

/** Never to another site, whatever was sent: then to the collections. */
function leadsTo(path: unknown, origin: string): URL {
  const url = typeof path === 'string' && URL.canParse(path, origin) ? new URL(path, origin) : null
  return url?.origin === origin ? url : new URL(START, origin)
}
const START = '/collections'

/** The browser has ended a subscription and may give another one: only the server's word on who is signed in makes it theirs. */
export async function subscribeAgain(worker: ServiceWorkerGlobalScope, old: PushSubscription | null): Promise<void> {
  const applicationServerKey = old?.options.applicationServerKey
  if (!applicationServerKey) return
  const { endpoint, keys } = (await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })).toJSON()
  const body = JSON.stringify({ endpoint, keys })
  await fetch('/api/push/subscriptions', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

function read(data: PushMessageData | null): PushMessage {
  const fallback = { title: 'Cairn', body: 'There is something new', path: '/feed', tag: 'news', unseen: 1 }
  try {
    return { ...fallback, ...data?.json() }
  } catch {
    return fallback
  }
}

async function setBadge(count: number): Promise<void> {
  // Not in every browser.
  await (navigator as Partial<Pick<WorkerNavigator, 'setAppBadge'>>).setAppBadge?.(count)?.catch(() => undefined)
}
