import { afterEach, expect, test, vi } from 'vitest'
import { keepStorage } from './pwa.ts'

afterEach(() => void vi.unstubAllGlobals())

test('An installed app asks to keep what waits in it, a tab does not', () => {
  const persist = vi.fn(async () => true)
  vi.stubGlobal('navigator', { storage: { persist } })
  for (const [installed, times] of [
    [false, 0],
    [true, 1],
  ] as const) {
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: installed && query === '(display-mode: standalone)' }))
    keepStorage()
    expect(persist).toHaveBeenCalledTimes(times)
  }
})
