import { afterEach, expect, test, vi } from 'vitest'
import { named } from './location-at.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('A place stays without a name when the list of towns does not come', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  const place = named({ lat: 35.0116, lon: 135.7681 })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await place).toEqual({ lat: 35.0116, lon: 135.7681 })
})

test('A name that somebody chose stays', async () => {
  expect(await named({ lat: 35.0116, lon: 135.7681, name: 'At home' })).toEqual({ lat: 35.0116, lon: 135.7681, name: 'At home' })
})
