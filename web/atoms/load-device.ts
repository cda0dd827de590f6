import type { createStore } from 'jotai'
import { fetchAhead } from '../lib/load-failure.ts'

let loading = false

/** Keeping things on this device can wait until the first screen is there. Where its code cannot be fetched, the next call tries again. */
export function loadDevice(app: ReturnType<typeof createStore>): void {
  if (loading) return
  loading = true
  fetchAhead(async () => {
    try {
      const { followDevice } = await import('./follow-device.ts')
      followDevice(app)
    } catch {
      loading = false
    }
  })
}
