import { afterEach, expect, test, vi } from 'vitest'
import type { PushMessage } from '../../contract/push.ts'
import { actOnNotification, showNotification, subscribeAgain } from './notifications.ts'

// The build defines it.
vi.hoisted(() => Object.assign(globalThis, { CAIRN_BUILD: { id: 'test', files: [], languages: {} } }))

afterEach(() => void vi.unstubAllGlobals())

const leadingTo = (path: unknown) => ({ close: () => {}, data: { path } }) as unknown as Notification
const notification = leadingTo('/feed')

function worker(...urls: string[]) {
  const windows = urls.map((path) => ({
    url: `https://cairn.example${path}`,
    visibilityState: 'visible',
    postMessage: vi.fn(),
    focus: vi.fn(async () => {}),
  }))
  const openWindow = vi.fn(async () => null)
  const scope = { location: { origin: 'https://cairn.example' }, clients: { matchAll: async () => windows, openWindow } }
  return { scope: scope as unknown as ServiceWorkerGlobalScope, windows, openWindow }
}

test('a notification navigates an open window of the app', async () => {
  const { scope, windows, openWindow } = worker('/collections/media?c=1')
  await actOnNotification(scope, notification, '')
  expect(windows[0]?.postMessage).toHaveBeenCalledWith({ goTo: '/feed' })
  expect(openWindow).not.toHaveBeenCalled()
})

test('a notification opens a new window when only an image, server pages or a guest’s page are open', async () => {
  const { scope, openWindow } = worker('/api/asset/1/file', '/_image/w_640/1?v=1', '/api/docs', '/collections/media?c=1&link=2')
  await actOnNotification(scope, notification, '')
  expect(openWindow).toHaveBeenCalledWith(new URL('https://cairn.example/feed'))
})

test.each(['//evil.example/login', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)', 'http://[', 7, undefined])(
  'a notification with the path %j opens the collections, in an open window and in a new one',
  async (path) => {
    const { scope, windows } = worker('/feed')
    await actOnNotification(scope, leadingTo(path), '')
    expect(windows[0]?.postMessage).toHaveBeenCalledWith({ goTo: '/collections' })
    const closed = worker()
    await actOnNotification(closed.scope, leadingTo(path), '')
    expect(closed.openWindow).toHaveBeenCalledWith(new URL('https://cairn.example/collections'))
  },
)

/** A notification of a request to join, and what became of a press on one of its buttons. */
async function answered(action: string, answer: () => Promise<{ ok: boolean }>) {
  const fetched = vi.fn(answer)
  vi.stubGlobal('fetch', fetched)
  const { scope, openWindow } = worker()
  const close = vi.fn()
  const path = '/collections/settings?c=1#requests'
  const request = { close, data: { path, joinRequest: { id: '2', collectionId: '1' } } } as unknown as Notification
  await actOnNotification(scope, request, action)
  expect(close).toHaveBeenCalledOnce()
  return { calls: fetched.mock.calls as unknown[][], opened: openWindow.mock.calls.length > 0 }
}

test.each(['accept', 'decline'])('the button that says %s answers the request and opens nothing', async (action) => {
  const { calls, opened } = await answered(action, async () => ({ ok: true }))
  expect(calls).toEqual([[`/api/collections/1/join-requests/2/${action}`, expect.objectContaining({ method: 'POST' })]])
  expect(opened).toBe(false)
})

test.each<[string, () => Promise<{ ok: boolean }>]>([
  ['is refused', async () => ({ ok: false })],
  ['has no connection', () => Promise.reject(new TypeError('Failed to fetch'))],
])('an answer that %s opens the settings', async (_what, answer) => {
  expect((await answered('accept', answer)).opened).toBe(true)
})

test.each(['', 'delete'])('a press elsewhere on a request (%j) answers nothing and opens the settings', async (action) => {
  expect(await answered(action, async () => ({ ok: true }))).toEqual({ calls: [], opened: true })
})

const NEWS: PushMessage = { title: 'Kyoto', body: 'Bob added 42 photos', path: '/feed', tag: 'news 1', unseen: 3 }

async function pushed(data: unknown, navigator: object) {
  vi.stubGlobal('navigator', navigator)
  const shown = vi.fn(async (_title: string, _options: object) => {})
  const scope = { registration: { showNotification: shown } } as unknown as ServiceWorkerGlobalScope
  await showNotification(scope, data as PushMessageData | null)
  return shown
}

test('a push message shows a notification and sets the app badge', async () => {
  const setAppBadge = vi.fn(async (_count: number) => {})
  const shown = await pushed({ json: () => NEWS }, { setAppBadge })
  expect(shown).toHaveBeenCalledExactlyOnceWith(
    'Kyoto',
    expect.objectContaining({ body: NEWS.body, tag: 'news 1', data: { path: '/feed' } }),
  )
  expect(setAppBadge).toHaveBeenCalledExactlyOnceWith(3)
})

test.each<[string, object]>([
  ['has no badges', {}],
  ['refuses them', { setAppBadge: () => Promise.reject(new DOMException('no', 'NotAllowedError')) }],
])('a push is shown where the browser %s', async (_what, navigator) => {
  expect(await pushed({ json: () => NEWS }, navigator)).toHaveBeenCalledOnce()
})

test.each([null, { json: () => JSON.parse('{') }])('an unreadable push message still shows a notification', async (data) => {
  const setAppBadge = vi.fn(async (_count: number) => {})
  expect(await pushed(data, { setAppBadge })).toHaveBeenCalledExactlyOnceWith('Cairn', expect.objectContaining({ data: { path: '/feed' } }))
  expect(setAppBadge).not.toHaveBeenCalled()
})

test('a push message that does not know how much is new leaves the app badge as it is', async () => {
  const setAppBadge = vi.fn(async (_count: number) => {})
  const { unseen: _, ...message } = NEWS
  expect(await pushed({ json: () => message }, { setAppBadge })).toHaveBeenCalledOnce()
  expect(setAppBadge).not.toHaveBeenCalled()
})

test('a subscription that the browser has replaced is sent with the endpoint that it replaces', async () => {
  const fetched = vi.fn(async (_path: string, _request: RequestInit) => ({ ok: true }))
  vi.stubGlobal('fetch', fetched)
  const made = { endpoint: 'https://push.example/2', keys: { p256dh: 'B', auth: 'A' } }
  const subscribe = vi.fn(async (_options: object) => ({ toJSON: () => made }))
  const old = { endpoint: 'https://push.example/1', options: { applicationServerKey: new ArrayBuffer(65) } }
  const scope = { registration: { pushManager: { subscribe } } } as unknown as ServiceWorkerGlobalScope
  await subscribeAgain(scope, old as unknown as PushSubscription)
  expect(JSON.parse(String(fetched.mock.calls[0]?.[1].body))).toEqual({ ...made, replaces: old.endpoint })
})
