import type { createStore } from 'jotai'

/** Safari has no idle callback. */
const IDLE = 300

let loading = false

/**
 * Live updates are not part of the first screen: their code is fetched when the browser has nothing better to do. Where that fails,
 * the next call tries again, and until then screens ask by themselves.
 */
export function loadLive(app: ReturnType<typeof createStore>): void {
  if (loading) return
  loading = true
  const load = async () => {
    try {
      const { followLive } = await import('./follow-live.ts')
      followLive(app)
    } catch {
      loading = false
    }
  }
  if ('requestIdleCallback' in globalThis) requestIdleCallback(() => void load(), { timeout: 2_000 })
  else setTimeout(() => void load(), IDLE)
}
