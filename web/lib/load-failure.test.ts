import { afterEach, expect, test, vi } from 'vitest'
import { loadWhenOnline } from './load-failure.ts'

const LOST = new TypeError('Failed to fetch dynamically imported module: /assets/part.js')

afterEach(() => vi.unstubAllGlobals())

/** A browser with or without a connection; `reconnect` gives it one. */
function browser(onLine: boolean) {
  const window = new EventTarget()
  const navigator = { onLine }
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('navigator', navigator)
  return {
    reconnect() {
      navigator.onLine = true
      window.dispatchEvent(new Event('online'))
    },
  }
}

test('A module that fails to load offline is loaded once there is a connection', async () => {
  const { reconnect } = browser(false)
  const load = vi.fn().mockRejectedValueOnce(LOST).mockResolvedValue('part')
  const part = loadWhenOnline(load)
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1))
  reconnect()
  expect(await part).toBe('part')
  expect(load).toHaveBeenCalledTimes(2)
})

test('A module that fails to load online is retried once', async () => {
  browser(true)
  const load = vi.fn().mockRejectedValue(LOST)
  await expect(loadWhenOnline(load)).rejects.toBe(LOST)
  expect(load).toHaveBeenCalledTimes(2)
})

test('A module whose failure arrives after the connection came back is loaded', async () => {
  const { reconnect } = browser(false)
  const load = vi.fn().mockImplementationOnce(() => {
    reconnect()
    return Promise.reject(LOST)
  })
  expect(await loadWhenOnline(load.mockResolvedValue('part'))).toBe('part')
})

test('An error inside a module is rethrown, online or not', async () => {
  browser(false)
  await expect(loadWhenOnline(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})
