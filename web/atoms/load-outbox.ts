import type { createStore } from 'jotai'
import { fetchAhead } from '../lib/load-failure.ts'

let loading = false

/** The outbox is not part of the first screen. Where its code cannot be fetched, the next call tries again. */
export function loadOutbox(app: ReturnType<typeof createStore>): void {
  if (loading) return
  loading = true
  fetchAhead(async () => {
    try {
      const { followOutbox } = await import('./follow-outbox.ts')
      followOutbox(app)
    } catch {
      loading = false
    }
  })
}
