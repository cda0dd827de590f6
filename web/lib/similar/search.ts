import type { Asset } from '../../../contract/assets.ts'
import { findSimilar } from './find-similar.ts'

type AreDifferent = (a: string, b: string) => boolean

/**
 * Searches one after the other. What changes during a search is searched once more after it, however often it has changed, so that a collection into which somebody adds
 * photos has sets meanwhile. `told` gets the sets as ids, or null for a search that failed.
 */
export function createSearch(told: (sets: string[][] | null) => void) {
  const stopping = new AbortController()
  const { signal } = stopping
  let next: { assets: readonly Asset[]; areDifferent: AreDifferent } | null = null
  let running = false

  // Of its own rather than by throttle.ts: code that the first screen needs would otherwise share a file with dialogs.
  async function run(): Promise<void> {
    if (running) return
    running = true
    while (next && !signal.aborted) {
      const { assets, areDifferent } = next
      next = null
      const sets = await findSimilar(assets, { areDifferent, signal }).catch(() => null)
      if (!signal.aborted) told(sets?.map((set) => set.map(({ id }) => id)) ?? null)
    }
    running = false
  }
  return {
    ask(assets: readonly Asset[], areDifferent: AreDifferent): void {
      next = { assets, areDifferent }
      void run()
    },
    stop: () => stopping.abort(),
  }
}
