import type { createStore } from 'jotai'
import { fetchAhead } from '../lib/load-failure.ts'

let loading = false

/** Fetching all of the app for later waits until this page has what it needs. */
export function loadPwa(app: ReturnType<typeof createStore>): void {
  if (loading) return
  loading = true
  const begin = () =>
    fetchAhead(async () => {
      try {
        const parts = await Promise.all([import('../lib/pwa/pwa.ts'), import('./follow-badge.ts'), import('../lib/pwa/push.ts')])
        const [{ startServiceWorker }, { followBadge }, { renewPush }] = parts
        followBadge(app)
        // Without a connection there is neither a newer worker nor anybody to tell: the next start does it.
        await startServiceWorker().catch(() => undefined)
        await renewPush().catch(() => undefined)
      } catch {
        loading = false
      }
    })
  if (document.readyState === 'complete') begin()
  else addEventListener('load', begin, { once: true })
}
