import type { Asset } from '../../../contract/assets.ts'
import { throttle } from '../throttle.ts'
import { findSimilar } from './find-similar.ts'

type AreDifferent = (a: string, b: string) => boolean

/**
 * Searches one after the other. What changes during a search is searched once more after it, however often it has changed, so that a collection into which somebody adds
 * photos has sets meanwhile. `told` gets the sets as ids, or null for a search that failed.
 */
export function createSearch(told: (sets: string[][] | null) => void) {
  const stopping = new AbortController()
  const { signal } = stopping
  let newest: { assets: readonly Asset[]; areDifferent: AreDifferent } = { assets: [], areDifferent: () => false }
  const tell = (sets: string[][] | null) => signal.aborted || told(sets)
  const searches = throttle(
    async () => {
      try {
        const sets = await findSimilar(newest.assets, { areDifferent: newest.areDifferent, signal })
        if (sets) tell(sets.map((set) => set.map(({ id }) => id)))
      } catch {
        tell(null)
      }
    },
    { delay: 0, gap: 0 },
  )
  return {
    ask(assets: readonly Asset[], areDifferent: AreDifferent): void {
      newest = { assets, areDifferent }
      searches.ask()
    },
    stop(): void {
      stopping.abort()
      searches.cancel()
    },
  }
}
