import { afterEach, expect, test, vi } from 'vitest'
import { endPush } from './push-end.ts'

afterEach(() => void vi.unstubAllGlobals())

function browser(clearAppBadge?: () => Promise<void>) {
  const close = vi.fn()
  const unsubscribe = vi.fn(async () => true)
  const registration = {
    getNotifications: async () => [{ close }, { close }],
    pushManager: { getSubscription: async () => ({ unsubscribe }) },
  }
  vi.stubGlobal('navigator', { clearAppBadge, serviceWorker: { getRegistration: async () => registration } })
  return { close, unsubscribe }
}

test('Ending push clears the badge, the notifications and the subscription', async () => {
  const clearAppBadge = vi.fn(async () => {})
  const { close, unsubscribe } = browser(clearAppBadge)
  await endPush()
  expect(clearAppBadge).toHaveBeenCalledOnce()
  expect(close).toHaveBeenCalledTimes(2)
  expect(unsubscribe).toHaveBeenCalledOnce()
})

test.each([
  ['has no badges', undefined],
  ['does not let it be cleared', () => Promise.reject(new DOMException('no', 'NotAllowedError'))],
])('Push ends in a browser that %s', async (_what, clearAppBadge) => {
  const { close, unsubscribe } = browser(clearAppBadge)
  await endPush()
  expect(close).toHaveBeenCalledTimes(2)
  expect(unsubscribe).toHaveBeenCalledOnce()
})

test('Ending push without a service worker does nothing', async () => {
  vi.stubGlobal('navigator', {})
  await expect(endPush()).resolves.toBeUndefined()
})
