import { t } from '#say'
import type { PushMessage } from '../../contract/push.ts'
import { speak } from './language.ts'
import { isPage } from './paths.ts'

/** Shows a push message. Browsers revoke the permission when nothing is shown, so unreadable messages are shown too. */
export async function showNotification(worker: ServiceWorkerGlobalScope, data: PushMessageData | null): Promise<void> {
  await speak().catch(() => {})
  const { title, body, path, tag, unseen, joinRequest } = read(data)
  const actions = joinRequest ? answers() : []
  const options = { body, tag, data: { path, joinRequest }, actions, icon: '/icon-192.png', badge: '/badge.png' }
  await Promise.all([worker.registration.showNotification(title, options), unseen === undefined ? null : setBadge(unseen)])
}

/** The buttons of a request to join. Their names are the last part of the calls. */
const answers = () => [
  { action: 'accept', title: t`Accept` },
  { action: 'decline', title: t`Decline` },
]

/** Answers the request of a notification with the button that was pressed, or opens its target: also when the answer fails, since the page says more. */
export async function actOnNotification(worker: ServiceWorkerGlobalScope, notification: Notification, action: string): Promise<void> {
  const request: PushMessage['joinRequest'] = notification.data?.joinRequest
  const isAnswer = request && answers().some((answer) => answer.action === action)
  if (isAnswer && (await isAnswered(request, action))) notification.close()
  else await openNotification(worker, notification)
}

function isAnswered({ id, collectionId }: NonNullable<PushMessage['joinRequest']>, action: string): Promise<boolean> {
  const path = `/api/collections/${encodeURIComponent(collectionId)}/join-requests/${encodeURIComponent(id)}/${action}`
  const body = action === 'accept' ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {}
  return fetch(path, { method: 'POST', ...body }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Opens the target of a notification, in an open window of the app or else in a new one. */
async function openNotification(worker: ServiceWorkerGlobalScope, notification: Notification): Promise<void> {
  notification.close()
  const url = leadsTo(notification.data?.path, worker.location.origin)
  // A tab that shows an image, a page of the server or what a link shows to guests cannot navigate by itself.
  const windows = (await worker.clients.matchAll({ type: 'window' })).filter((window) => isOfMember(new URL(window.url)))
  const open = windows.find(({ visibilityState }) => visibilityState === 'visible') ?? windows[0]
  if (!open) return void (await worker.clients.openWindow(url))
  // The app navigates without a reload, so that work in progress is kept.
  open.postMessage({ goTo: url.pathname + url.search + url.hash })
  // Not allowed by every browser.
  await open.focus().catch(() => undefined)
}

const isOfMember = (url: URL) => isPage(url) && !url.searchParams.has('link')

/** Never another site, regardless of the message: then the collections. */
function leadsTo(path: unknown, origin: string): URL {
  const url = typeof path === 'string' && URL.canParse(path, origin) ? new URL(path, origin) : null
  return url?.origin === origin ? url : new URL(START, origin)
}
const START = '/collections'

/** The browser has ended a subscription and may provide a new one. Only the server knows which signed-in user it belongs to. */
export async function subscribeAgain(worker: ServiceWorkerGlobalScope, old: PushSubscription | null): Promise<void> {
  const applicationServerKey = old?.options.applicationServerKey
  if (!applicationServerKey) return
  const { endpoint, keys } = (await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })).toJSON()
  const body = JSON.stringify({ endpoint, keys, replaces: old.endpoint })
  await fetch('/api/push/subscriptions', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

function read(data: PushMessageData | null): PushMessage {
  const fallback = { title: 'Cairn', body: t`There is something new`, path: '/feed', tag: 'news' }
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
