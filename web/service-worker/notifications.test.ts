import { expect, test, vi } from 'vitest'
import { openNotification } from './notifications.ts'

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

test('a notification leads on in a window of the app that is open', async () => {
  const { scope, windows, openWindow } = worker('/collections/media?c=1')
  await openNotification(scope, notification)
  expect(windows[0]?.postMessage).toHaveBeenCalledWith({ goTo: '/feed' })
  expect(openWindow).not.toHaveBeenCalled()
})

test('where only a picture or the pages of the server are open, it gets a window of its own', async () => {
  const { scope, openWindow } = worker('/api/asset/1/file', '/_image/w_640/1?v=1', '/api/docs')
  await openNotification(scope, notification)
  expect(openWindow).toHaveBeenCalledWith(new URL('https://cairn.example/feed'))
})

test.each(['//evil.example/login', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)', 'http://[', 7, undefined])(
  'a notification that was to lead to %j leads to the collections, in an open window and in a new one',
  async (path) => {
    const { scope, windows } = worker('/feed')
    await openNotification(scope, leadingTo(path))
    expect(windows[0]?.postMessage).toHaveBeenCalledWith({ goTo: '/collections' })
    const closed = worker()
    await openNotification(closed.scope, leadingTo(path))
    expect(closed.openWindow).toHaveBeenCalledWith(new URL('https://cairn.example/collections'))
  },
)
